import { randomUUID } from "node:crypto";

/**
 * UUID v7 (RFC 9562 §5.7): 48 bits of milliseconds, then random, so that ids sort by age. The
 * random part is that of a v4, whose entropy Node draws in batches; every request gets an id.
 */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** When an id was made; null for one that is not of version 7. */
export function timeOfId(id: string): Date | null {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i.exec(id);
  return match ? new Date(Number.parseInt(`${match[1]}${match[2]}`, 16)) : null;
}
