import type { Log } from "../../config/settings.ts";
import type { Application } from "../../hosts/application.ts";
import { createBreakers } from "../../origin-health/breakers.ts";
import { createOriginChecks } from "./checks.ts";
import type { OriginPools } from "./pools.ts";
import { probeOrigin } from "./probe.ts";
import { createOriginSet, type OriginSet } from "./set.ts";
import type { OriginTarget } from "./target.ts";

/** The origins of all applications of this process, and what is known of their health. */
export interface Origins {
  /** Throws the guard's EgressError when no origin of the application may be dialled. */
  of(application: Application): OriginSet;
  /** Starts the health checks that are due. Called often. */
  check(now: number): void;
}

/** Sets are built once per application object; a changed application is another object. */
export function createOrigins(
  pools: Pick<OriginPools, "target" | "dial">,
  loopId: string,
  log: Pick<Log, "warn">,
): Origins {
  const breakers = createBreakers({
    onOut: (origin, outMs) => log.warn({ origin, outMs }, "origin taken out"),
  });
  const checks = createOriginChecks();
  const sets = new WeakMap<Application, OriginSet>();

  function build(application: Application): OriginSet {
    const members = provideTargets(application);
    // Health is known by application: another one may check the same origin in another way.
    const breakerKey = (target: OriginTarget): string => `${application.id} ${target.key}`;
    const checked = members.map(({ target }) => ({
      probe: (path: string, timeoutMs: number) =>
        probeOrigin(pools, target, { path, timeoutMs, loopId }),
      checked: (isWorking: boolean) => breakers.checked(breakerKey(target), isWorking),
      unchecked: () => breakers.unchecked(breakerKey(target)),
    }));
    return createOriginSet(members, {
      stateOf: (target, isRisky) => breakers.stateOf(breakerKey(target), isRisky),
      begin: (target) => breakers.begin(breakerKey(target)),
      onUse: () => checks.used(application, checked),
    });
  }

  /** An origin that must not be dialled is left out, as long as there is another. */
  function provideTargets(application: Application) {
    let refusal: unknown = null;
    const targets = application.origins.flatMap(({ url, weight }) => {
      try {
        return [{ target: pools.target(application, url), weight }];
      } catch (error) {
        refusal ??= error;
        if (application.origins.length > 1) {
          log.warn({ applicationId: application.id, url, err: error }, "origin left out");
        }
        return [];
      }
    });
    if (targets.length === 0 && refusal !== null) throw refusal;
    return targets;
  }

  return {
    of(application) {
      const known = sets.get(application);
      if (known !== undefined) return known;
      const set = build(application);
      sets.set(application, set);
      return set;
    },
    check: checks.check,
  };
}
