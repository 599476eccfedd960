import type { Clock } from "@mooring/postgres";
import type { RenewalInfo } from "../../../edge/src/acme/ari.ts";
import { IssueError, type Issuer } from "../../../edge/src/certificates/issue/issuer.ts";

export interface NotedOrder {
  readonly at: number;
  readonly hostname: string;
  readonly domain: string;
  readonly isRenewal: boolean;
  readonly hasReplaces: boolean;
  /** What the certificate before it still had to live; 0 without one. */
  readonly leftMs: number;
}

/** A CA that issues at once and remembers every order, for runs over weeks of injected time. */
export interface ClockCa extends Issuer {
  readonly orders: NotedOrder[];
  readonly asked: Map<string, number[]>;
  isAway: boolean;
  /** From here on the windows of these names lie in the past. */
  withdraw(isMeant: (hostname: string) => boolean): void;
}

interface Leaf {
  readonly hostname: string;
  readonly notBefore: number;
  readonly notAfter: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** The lifetimes that public CAs give, by the name's number: 45 days, 160 hours, 90 days. */
export function chooseLifetime(hostname: string): number {
  const number = Number(/^n(\d+)/.exec(hostname)?.[1] ?? 0);
  if (number % 5 === 3) return 160 * hour;
  return number % 5 === 4 ? 90 * day : 45 * day;
}

export function createClockCa(clock: Clock): ClockCa {
  const orders: NotedOrder[] = [];
  const asked = new Map<string, number[]>();
  const known = new Map<string, number>();
  let withdrawn: { readonly at: number; isMeant(hostname: string): boolean } | null = null;

  const ca: ClockCa = {
    name: "https://ca.example/directory",
    isLimited: true,
    orders,
    asked,
    isAway: false,
    withdraw(isMeant) {
      withdrawn = { at: clock.now().getTime(), isMeant };
    },
    async obtain(host, replaces, _signal, permit) {
      if (ca.isAway) throw new IssueError("ca_unavailable", "the CA could not be reached");
      const accepted = await permit();
      accepted();
      const now = clock.now().getTime();
      const { hostname, registrableDomain: domain } = host;
      const isRenewal = known.has(hostname);
      const leftMs = (known.get(hostname) ?? now) - now;
      const hasReplaces = replaces !== null;
      orders.push({ at: now, hostname, domain, isRenewal, hasReplaces, leftMs });
      const leaf = {
        hostname,
        notBefore: now - hour,
        notAfter: now - hour + chooseLifetime(hostname),
      };
      known.set(hostname, leaf.notAfter);
      return {
        chain: JSON.stringify(leaf),
        fingerprint: "00".repeat(32),
        key: "key",
        ca: "Clock CA",
        notBefore: new Date(leaf.notBefore),
        notAfter: new Date(leaf.notAfter),
      };
    },
    async renewalInfo(chain) {
      if (ca.isAway) throw new Error("the CA could not be reached");
      const leaf = JSON.parse(chain) as Leaf;
      const now = clock.now().getTime();
      asked.set(chain, [...(asked.get(chain) ?? []), now]);
      const isWithdrawn =
        withdrawn !== null && leaf.notBefore < withdrawn.at && withdrawn.isMeant(leaf.hostname);
      return isWithdrawn ? window(now - 2 * hour, now - hour) : usualWindow(leaf);
    },
  };
  return ca;
}

/** About a third of the life left, as Let's Encrypt suggests; half of a short one. */
function usualWindow({ notBefore, notAfter }: Leaf): RenewalInfo {
  const life = notAfter - notBefore;
  const middle = notAfter - (life < 10 * day ? life / 2 : life / 3);
  return window(middle - life * 0.02, middle + life * 0.02);
}

function window(start: number, end: number): RenewalInfo {
  return {
    start: new Date(start),
    end: new Date(end),
    explanationUrl: null,
    retryAfterSeconds: 21_600,
  };
}
