import type { EdgeLimits } from "../limits.ts";

/** Handshakes that wait for a certificate, counted per name and in all. */
export interface Parking {
  /** False when there is no place left; otherwise `leave` must follow. */
  enter(hostname: string): boolean;
  leave(hostname: string): void;
  readonly size: number;
}

export function createParking(
  limits: Pick<EdgeLimits, "parkedPerName" | "parkedPerProcess">,
): Parking {
  const perName = new Map<string, number>();
  let size = 0;
  return {
    enter(hostname) {
      const waiting = perName.get(hostname) ?? 0;
      if (size >= limits.parkedPerProcess || waiting >= limits.parkedPerName) return false;
      perName.set(hostname, waiting + 1);
      size += 1;
      return true;
    },
    leave(hostname) {
      const waiting = (perName.get(hostname) ?? 0) - 1;
      if (waiting > 0) perName.set(hostname, waiting);
      else perName.delete(hostname);
      size -= 1;
    },
    get size() {
      return size;
    },
  };
}
