import type { EdgeLimits } from "../limits.ts";
import type { EdgeStats } from "../metrics.ts";

/** Handshakes that wait for a certificate, counted per name and in all. */
export interface Parking {
  /** False when there is no place left; otherwise `leave` must follow. */
  enter(hostname: string): boolean;
  leave(hostname: string): void;
}

export function createParking(
  limits: Pick<EdgeLimits, "parkedPerName" | "parkedPerProcess">,
  stats: Pick<EdgeStats, "parked">,
): Parking {
  const perName = new Map<string, number>();
  return {
    enter(hostname) {
      const waiting = perName.get(hostname) ?? 0;
      if (stats.parked >= limits.parkedPerProcess || waiting >= limits.parkedPerName) return false;
      perName.set(hostname, waiting + 1);
      stats.parked += 1;
      return true;
    },
    leave(hostname) {
      const waiting = (perName.get(hostname) ?? 0) - 1;
      if (waiting > 0) perName.set(hostname, waiting);
      else perName.delete(hostname);
      stats.parked -= 1;
    },
  };
}
