import type { Clock } from "@mooring/postgres";
import { IssueError, type Issuer } from "../certificates/issue/issuer.ts";
import { latestRenewal, type Validity } from "../certificates/issue/renewal.ts";

/** The name of the CA of a drill; no such directory exists. */
export const drillIssuer = "https://drill.invalid/directory";

/**
 * A scripted CA: it issues at once, can be away, and can withdraw what was issued before a time.
 */
export interface DrillCa extends Issuer {
  /** When it issued, in the order of the orders. */
  readonly issuedAt: readonly number[];
  /** The names that it has issued for. */
  readonly issuedFor: ReadonlySet<string>;
  isAway: boolean;
  /** Renewal information of certificates from before then says: now (RFC 9773). */
  withdrawnBefore: Date | null;
  /** How long new certificates are valid; null: as long as those that they replace. */
  lifeMs: number | null;
}

const hour = 3_600_000;
const usualLifeMs = 90 * 24 * hour;

/** What a certificate of a drill consists of: its times. */
export function drillChain({ notBefore, notAfter }: Validity): string {
  return JSON.stringify({ notBefore: notBefore.getTime(), notAfter: notAfter.getTime() });
}

function readChain(chain: string): Validity {
  const { notBefore, notAfter } = JSON.parse(chain) as { notBefore: number; notAfter: number };
  return { notBefore: new Date(notBefore), notAfter: new Date(notAfter) };
}

export function createDrillCa(clock: Clock): DrillCa {
  const issuedAt: number[] = [];
  const issuedFor = new Set<string>();
  const issuedChains = new Set<string>();
  const ca: DrillCa = {
    name: drillIssuer,
    isLimited: true,
    issuedAt,
    issuedFor,
    isAway: false,
    withdrawnBefore: null,
    lifeMs: null,
    async obtain(host, replaces, _signal, permit) {
      if (ca.isAway) throw new IssueError("ca_unavailable", "the CA could not be reached");
      const accepted = await permit();
      accepted();
      const now = clock.now().getTime();
      const before = replaces === null ? null : readChain(replaces);
      const usualMs = before ? before.notAfter.getTime() - before.notBefore.getTime() : usualLifeMs;
      // As CAs do: valid from a little before the order, for clocks that are behind.
      const notBefore = new Date(now - hour);
      const notAfter = new Date(notBefore.getTime() + (ca.lifeMs ?? usualMs));
      issuedAt.push(now);
      issuedFor.add(host.hostname);
      const chain = drillChain({ notBefore, notAfter });
      issuedChains.add(chain);
      return { chain, fingerprint: "drill", key: "drill", ca: "Drill CA", notBefore, notAfter };
    },
    async renewalInfo(chain) {
      if (ca.isAway) throw new Error("the CA could not be reached");
      const validity = readChain(chain);
      const now = clock.now().getTime();
      // What the drill has issued in its first hour is valid from before that, and is not
      // withdrawn.
      const isOld = ca.withdrawnBefore !== null && validity.notBefore < ca.withdrawnBefore;
      const isWithdrawn = isOld && !issuedChains.has(chain);
      const middle = isWithdrawn ? now - 2 * hour : latestRenewal(validity);
      return {
        start: new Date(middle - hour),
        end: new Date(middle + hour),
        explanationUrl: null,
        retryAfterSeconds: 21_600,
      };
    },
  };
  return ca;
}
