import type { Certificate } from "../certificates/certificate.ts";
import type { EventType } from "../webhooks/event.ts";
import type { Connection } from "./connection.ts";
import {
  type Cutover,
  type CutoverCheck,
  type CutoverCheckCode,
  goneAt,
  type OldLocation,
} from "./cutover.ts";
import type { Observation } from "./observation.ts";

export interface CutoverStep {
  readonly cutover: Cutover;
  readonly events: readonly EventType[];
  /** The new records are in DNS: the connection continues with its certificate. */
  readonly isSwitched: boolean;
  readonly wantsCertificate: boolean;
}

/** What one check means for a cut-over that is not done. */
export function cutoverStep(
  connection: Connection & { readonly cutover: Cutover },
  observation: Observation,
  certificate: Certificate | null,
  now: Date,
): CutoverStep {
  const seen = withOldLocation(connection.cutover, observation.cutover?.old ?? null, now);
  if (observation.records?.outcome === "match" && (seen.status !== "reverted" || seen.is_away)) {
    return switched(seen, now);
  }
  const wantsCertificate =
    certificate === null && observation.validation === "right" && observation.caa !== "forbidden";
  const checks = judgeChecks(observation, certificate) ?? seen.checks;
  return { ...prepared({ ...seen, checks }, now), isSwitched: false, wantsCertificate };
}

/** Ready when every check holds; a difference of the origin is a warning. */
function prepared(seen: Cutover, now: Date): Pick<CutoverStep, "cutover" | "events"> {
  const { checks } = seen;
  if (seen.status !== "preparing" && seen.status !== "ready") return { cutover: seen, events: [] };
  const isReady = checks.length > 0 && checks.every(({ code, ok }) => ok || code === "origin");
  if (!isReady) return { cutover: { ...seen, status: "preparing", ready_at: null }, events: [] };
  if (seen.status === "ready") return { cutover: seen, events: [] };
  const cutover: Cutover = { ...seen, status: "ready", ready_at: now.toISOString() };
  return { cutover, events: ["domain.ready"] };
}

function switched(cutover: Cutover, now: Date): CutoverStep {
  const isKnown = cutover.status === "switching";
  return {
    cutover: { ...cutover, status: "switching", visitors_gone_at: goneAt(cutover, now) },
    events: isKnown ? [] : ["domain.switching"],
    isSwitched: true,
    wantsCertificate: true,
  };
}

/**
 * The old records as they are now; those of before a switch stay. Where their TTL was lowered since
 * they were last seen, a cache may have asked right before that.
 */
function withOldLocation(cutover: Cutover, old: OldLocation | null, now: Date): Cutover {
  if (old === null) return cutover;
  const until = now.getTime() + Math.max(old.ttl, cutover.ttl ?? 0) * 1_000;
  const latest = Math.max(until, Date.parse(cutover.cached_until ?? "") || 0);
  const cached = { ttl: old.ttl, cached_until: new Date(latest).toISOString() };
  if (cutover.status === "switching") return { ...cutover, ...cached };
  return { ...cutover, ...cached, old_records: old.records, is_away: true };
}

/** Null when this check has not asked. */
function judgeChecks(
  { cutover, validation, caa }: Observation,
  certificate: Certificate | null,
): readonly CutoverCheck[] | null {
  const facts = cutover?.facts ?? null;
  if (facts === null) return null;
  const hasCertificate = certificate !== null;
  return [
    check("ownership", true, "Ownership is proven."),
    validationCheck(validation, certificate),
    check("certificate", hasCertificate, hasCertificate ? "The certificate is there." : notIssued),
    { code: "edge", ...facts.edge },
    { code: "origin", ...facts.origin },
    renewalCheck(caa, facts.isDnssecBroken),
    { code: "mail", ...facts.mail },
  ];
}

const notDelegated = "The CNAME for validation is not there yet.";
const notIssued = "The certificate is being obtained.";

function check(code: CutoverCheckCode, ok: boolean, message: string): CutoverCheck {
  return { code, ok, message };
}

/**
 * A certificate that came with an import needs no validation before the switch, and none after it
 * but by traffic.
 */
function validationCheck(
  validation: Observation["validation"],
  certificate: Certificate | null,
): CutoverCheck {
  const code = "validation";
  if (validation === "right") return check(code, true, "The CNAME for validation is right.");
  if (certificate?.isImported === true) return check(code, true, notNeeded);
  return check(code, false, notDelegated);
}

const notNeeded = "The certificate was imported: no validation is needed before the switch.";

function renewalCheck(caa: Observation["caa"], isDnssecBroken: boolean): CutoverCheck {
  const code = "caa_dnssec";
  if (isDnssecBroken) return check(code, false, "DNSSEC of the domain is broken.");
  if (caa === "forbidden") return check(code, false, "A CAA record forbids our certificates.");
  if (caa !== "allowed") return check(code, false, "CAA could not be looked up.");
  return check(code, true, "CAA and DNSSEC allow the next renewal.");
}
