import type { ConnectionDetail, Cutover } from "@mooring/sdk";

/**
 * A connection as the widget follows it. Of a domain and its `www` it is the main one, with the
 * progress of the one that is less far: both are done when it is.
 */
export type Joined = ConnectionDetail & {
  /** The main one and the one that redirects to it, each as it is. */
  readonly pair?: readonly [ConnectionDetail, ConnectionDetail];
};

/** What stops comes first, then in the order of the setup. */
const order: readonly ConnectionDetail["state"][] = [
  "archived",
  "failed",
  "drifted",
  "created",
  "pending_ownership",
  "verifying",
  "verified",
  "dns_writing",
  "propagating",
  "stalled",
  "issuing_cert",
  "live",
];

export function joined(main: ConnectionDetail, partner: ConnectionDetail | null): Joined {
  // A partner that was disconnected no longer belongs to it.
  if (partner === null || partner.state === "archived") return main;
  const behind = partBehind([main, partner]);
  return {
    ...main,
    state: behind.state,
    error_code: behind.error_code,
    contest: behind.contest,
    cutover: joinedMove(main.cutover, partner.cutover),
    validation: [main, partner].find(isUndelegated)?.validation ?? main.validation,
    setup_type: [main, partner].some(({ setup_type: type }) => type === "manual")
      ? "manual"
      : main.setup_type,
    pair: [main, partner],
  };
}

/** From what is less far: both names are moved together. */
const moves: readonly Cutover["status"][] = ["preparing", "reverted", "ready", "switching", "done"];

/** Both moves as one: what holds for both holds, and the last visitor counts. */
function joinedMove(main: Cutover | null, partner: Cutover | null): Cutover | null {
  if (main === null || partner === null) return main ?? partner;
  const isPartnerBehind = moves.indexOf(partner.status) < moves.indexOf(main.status);
  const behind = isPartnerBehind ? partner : main;
  const gone = [main.visitors_gone_at, partner.visitors_gone_at].filter((at) => at !== null);
  return {
    ...behind,
    checks: behind.checks.map((check) => worse(check, [...main.checks, ...partner.checks])),
    old_records: [...main.old_records, ...partner.old_records],
    visitors_gone_at: gone.toSorted().at(-1) ?? null,
  };
}

/** Of the checks of one code the one that says least. */
function worse(check: Check, all: readonly Check[]): Check {
  const same = all.filter(({ code }) => code === check.code);
  const isSkipped = ({ not_compared: reason }: Check) => reason !== undefined;
  return same.find(({ ok }) => !ok) ?? same.find(isSkipped) ?? check;
}

type Check = Cutover["checks"][number];

function isUndelegated({ validation }: ConnectionDetail): boolean {
  return validation !== null && validation.status !== "right";
}

function partBehind([main, partner]: NonNullable<Joined["pair"]>): ConnectionDetail {
  return order.indexOf(partner.state) < order.indexOf(main.state) ? partner : main;
}

/** Each connection by itself. */
export function partsOf(connection: Joined): readonly ConnectionDetail[] {
  return connection.pair ?? [connection];
}

/** The one that is less far: the one to diagnose, and to have approved next. */
export function behindId(connection: Joined): string {
  return connection.pair === undefined ? connection.id : partBehind(connection.pair).id;
}

export function partnerId(connection: Joined): string | null {
  return connection.pair?.[1].id ?? null;
}

/** For effects that write both names by one plan. */
export function paired(connection: Joined): { readonly pair?: true } {
  return connection.pair === undefined ? {} : { pair: true };
}
