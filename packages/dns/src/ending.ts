import { parse } from "tldts";

/** The endings that names are most often mistyped from. */
const common = ["com", "net", "org", "info", "shop", "store", "online"] as const;

/**
 * The name with the ending that was probably meant, where its own does not exist in the public
 * suffix list and is one slip away from a common one; else null.
 */
export function nearestEnding(hostname: string): string | null {
  const { isIcann, isPrivate } = parse(hostname, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
  if (isIcann === true || isPrivate === true) return null;
  const cut = hostname.lastIndexOf(".") + 1;
  const ending = hostname.slice(cut);
  const meant = common.find((one) => isOneSlip(ending, one));
  return meant === undefined ? null : `${hostname.slice(0, cut)}${meant}`;
}

/** One letter too many, too few or another, or two neighbours exchanged. */
function isOneSlip(typed: string, meant: string): boolean {
  if (typed === meant) return false;
  const start = [...meant].findIndex((letter, index) => letter !== typed[index]);
  const from = start === -1 ? meant.length : start;
  const [left, right] = [typed.slice(from), meant.slice(from)];
  const isSwapped = left.slice(0, 2) === `${right[1] ?? ""}${right[0] ?? ""}`;
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (isSwapped && left.slice(2) === right.slice(2))
  );
}
