import type { Application } from "../../hosts/application.ts";
import type { HealthCheck } from "../../hosts/application-edge.ts";
import { TooManyConnections } from "./pool.ts";

/** An origin as the checks see it. */
export interface CheckedOrigin {
  /** The status of its answer; rejects when it gives none in time. */
  probe(path: string, timeoutMs: number): Promise<number>;
  checked(isWorking: boolean): void;
  /** What checks have found no longer holds: it is not checked any more. */
  unchecked(): void;
}

/** Active health checks of origins, by every edge process for itself. */
export interface OriginChecks {
  /** Called with every request: an application's origins are checked while it has visitors. */
  used(application: Application, origins: readonly CheckedOrigin[]): void;
  /** Starts the checks that are due. Called often. */
  check(now: number): void;
}

interface Entry {
  readonly health: HealthCheck;
  readonly origins: readonly {
    readonly origin: CheckedOrigin;
    dueAt: number;
    isRunning: boolean;
  }[];
  usedAt: number;
}

const longestProbeMs = 5_000;
/** Without visitors for so long, the origins of an application are not checked. */
const forgetAfterMs = 300_000;
const maxApplications = 500;
const maxProbes = 32;

export function createOriginChecks(random: () => number = Math.random): OriginChecks {
  const entries = new Map<string, Entry>();
  let probes = 0;

  function forget(id: string): void {
    for (const { origin } of entries.get(id)?.origins ?? []) origin.unchecked();
    entries.delete(id);
  }

  function add(application: Application, health: HealthCheck, origins: readonly CheckedOrigin[]) {
    const now = performance.now();
    if (entries.size >= maxApplications) return;
    // Soon, and not all at once.
    const soon = (): number => now + random() * Math.min(health.intervalMs, longestProbeMs);
    entries.set(application.id, {
      health,
      origins: origins.map((origin) => ({ origin, dueAt: soon(), isRunning: false })),
      usedAt: now,
    });
  }

  async function probe(one: Entry["origins"][number], health: HealthCheck): Promise<void> {
    const timeoutMs = Math.min(health.intervalMs, longestProbeMs);
    one.isRunning = true;
    probes += 1;
    try {
      one.origin.checked((await one.origin.probe(health.path, timeoutMs)) === health.status);
    } catch (error) {
      // The limit is the edge's own and says nothing about the origin.
      if (!(error instanceof TooManyConnections)) one.origin.checked(false);
    } finally {
      probes -= 1;
      one.isRunning = false;
      one.dueAt = performance.now() + health.intervalMs * (0.8 + 0.4 * random());
    }
  }

  return {
    used(application, origins) {
      const entry = entries.get(application.id);
      const { healthCheck: health } = application.edge;
      if (entry === undefined && health === null) return;
      if (entry !== undefined && entry.health === health) {
        entry.usedAt = performance.now();
        return;
      }
      forget(application.id);
      if (health !== null) add(application, health, origins);
    },
    check(now) {
      for (const [id, { health, origins, usedAt }] of entries) {
        if (now - usedAt > forgetAfterMs) {
          forget(id);
          continue;
        }
        for (const one of origins) {
          if (now < one.dueAt || one.isRunning || probes >= maxProbes) continue;
          void probe(one, health);
        }
      }
    },
  };
}
