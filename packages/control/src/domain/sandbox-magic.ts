import { isSandboxName } from "./sandbox.ts";

/** Names in the sandbox that misbehave on purpose. The documentation's table is this list. */
export const magicLabels = [
  {
    label: "stall",
    effect: "records never propagate",
    sentence:
      "Every record at or below the name is answered as absent, except the ownership TXT: the connection is verified, then propagates until it stalls.",
  },
  {
    label: "drift",
    effect: "drifts 10 s after live",
    sentence:
      "From 10 seconds after the connection first went live, the name answers a foreign address. Writing the zone again after that repairs it.",
  },
  {
    label: "caa",
    effect: "a CAA record forbids issuing",
    sentence: 'The name carries CAA `0 issue ";"`, so that no authority may issue for it.',
  },
  {
    label: "proxied",
    effect: "stands behind a proxy",
    sentence:
      "Whatever points the name somewhere is hidden: it answers addresses of Cloudflare's proxy and no CNAME.",
  },
  {
    label: "dnssec",
    effect: "fails DNSSEC validation",
    sentence: "Resolvers refuse the name and everything below it as bogus.",
  },
  {
    label: "slow",
    effect: "propagates in 20 s",
    sentence: "Records at or below the name are answered 20 seconds later than others.",
  },
  {
    label: "reject",
    effect: "the provider refuses the write",
    sentence:
      "The `sandbox` provider refuses to write records at or below the name, except the ownership TXT by itself.",
  },
  {
    label: "certfail",
    effect: "the certificate authority refuses",
    sentence: "No certificate is issued for the name.",
  },
] as const;

export type MagicLabel = (typeof magicLabels)[number]["label"];

/** The hostname itself is magic: it begins with the label. */
export function isMagic(hostname: string, label: MagicLabel): boolean {
  return isSandboxName(hostname) && hostname.startsWith(`${label}.`);
}

/** The name is a magic hostname or stands below one. */
export function isUnderMagic(name: string, label: MagicLabel): boolean {
  return isMagic(name, label) || (isSandboxName(name) && name.includes(`.${label}.`));
}

const driftAfterMs = 10_000;
export const slowByMs = 20_000;

/** Writing the zone after its drift began is how a customer repairs it. */
export function isDrifted(liveSince: Date | null, writtenAt: Date, now: Date): boolean {
  if (liveSince === null) return false;
  const driftsAt = liveSince.getTime() + driftAfterMs;
  return now.getTime() >= driftsAt && writtenAt.getTime() < driftsAt;
}
