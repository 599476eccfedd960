import type { InputProblem } from "./machine/state.ts";

/**
 * What the widget can check while a domain is typed. The service decides: it knows the public
 * suffixes and further rules.
 */
export type TypedDomain =
  | { readonly outcome: "empty" }
  | {
      readonly outcome: "problem";
      readonly problem: InputProblem;
      /** More typing cannot fix it, so it may be shown immediately. */
      readonly isDefinite: boolean;
    }
  | { readonly outcome: "ok"; readonly hostname: string; readonly shape: "apex" | "subdomain" };

export function readDomain(text: string, mayBeWildcard = false): TypedDomain {
  const bare = bareHost(text);
  if (mayBeWildcard && /^\*\.[^*]/.test(bare)) return toWildcard(readDomain(bare.slice(2)));
  if (bare === "") return { outcome: "empty" };
  const problem = definiteProblem(bare);
  if (problem !== null) return { outcome: "problem", problem, isDefinite: true };
  const hostname = canonical(bare);
  if (hostname === null) return { outcome: "problem", problem: "characters", isDefinite: true };
  if (isAddress(hostname)) return { outcome: "problem", problem: "ip", isDefinite: true };
  if (!/[^.]\.[^.]{2,}$/.test(hostname)) {
    return { outcome: "problem", problem: "incomplete", isDefinite: false };
  }
  return { outcome: "ok", hostname, shape: domainShape(hostname) };
}

/** Every name directly below one. */
function toWildcard(below: TypedDomain): TypedDomain {
  if (below.outcome !== "ok") return below;
  return { outcome: "ok", hostname: `*.${below.hostname}`, shape: "subdomain" };
}

export function isWildcardName(name: string): boolean {
  return name.startsWith("*.");
}

/** The name that a wildcard is below of. */
export function baseName(name: string): string {
  return isWildcardName(name) ? name.slice(2) : name;
}

/** The hostname in the field, which keeps what was typed; the text itself while it is none. */
export function typedName(text: string): string {
  const read = readDomain(text, true);
  return read.outcome === "ok" ? read.hostname : text.trim();
}

/** Removes scheme, path, port and a trailing dot, since people paste URLs. */
function bareHost(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/[/?#].*$/s, "")
    .replace(/:\d*$/, "")
    .replace(/\.$/, "");
}

function definiteProblem(bare: string): InputProblem | null {
  if (bare.includes("@")) return "email";
  if (bare.includes("*")) return "wildcard";
  if (bare.includes("_")) return "underscore";
  if (/^\[|:/.test(bare)) return "ip";
  if (/[\s!"#$%&'()+,;<=>?\\^`{|}~\p{Cc}]/u.test(bare)) return "characters";
  if (/\.\.|^\./.test(bare)) return "characters";
  return hasBadHyphen(bare) ? "hyphen" : null;
}

/**
 * A label begins or ends with a hyphen, or has two in its third and fourth position, which is
 * reserved (RFC 5891 §4.2.3.1). One at the end is not definite: more may be typed.
 */
function hasBadHyphen(bare: string): boolean {
  return /(^|\.)-|-\.|(^|\.)(?!xn--)[^.]{2}--/i.test(bare);
}

/** The A-label form, by the browser's URL parser (UTS 46). */
function canonical(bare: string): string | null {
  try {
    return new URL(`http://${bare}/`).hostname;
  } catch {
    return null;
  }
}

/** The URL parser turns every spelling of an IPv4 address into dotted decimals. */
function isAddress(hostname: string): boolean {
  return /^\d+(\.\d+){3}$/.test(hostname);
}

/** A guess for the hint under the field; the domain check gives the exact answer. */
function domainShape(hostname: string): "apex" | "subdomain" {
  const labels = hostname.split(".");
  const isPairedSuffix = /^(ac|co|com|edu|gov|ne|net|or|org)\.[a-z]{2}$/.test(
    labels.slice(-2).join("."),
  );
  return labels.length <= (isPairedSuffix ? 3 : 2) ? "apex" : "subdomain";
}

/** DNS lengths: 63 octets a label, 253 in all (RFC 1035 section 2.3.4). */
export function isTooLong(hostname: string): boolean {
  return hostname.length > 253 || hostname.split(".").some((label) => label.length > 63);
}
