import { randomUUID } from "node:crypto";

/**
 * UUID v7 (RFC 9562 §5.7): 48 bits of milliseconds, then random, so that ids sort by age. The random
 * part is that of a v4, whose entropy Node draws in batches; every request gets an id.
 */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
