import type { Diagnosis, Finding } from "@mooring/sdk";
import { type Change, change } from "./event.ts";
import { behindId } from "./joined.ts";
import type { State } from "./state.ts";

/**
 * The error codes of a connection that a person has to act on, with the findings that explain each.
 */
const explanations = {
  caa_forbidden: ["caa_forbidden"],
  certificate_failed: ["certificate_failed"],
  check_failed: ["check_failed"],
  dnssec_bogus: ["dnssec_broken", "dnssec_ds_stale"],
  // Only the diagnosis knows the records of both, and the time.
  hostname_conflict: [],
  not_registered: ["not_registered"],
  provider_auth: ["provider_auth"],
  provider_not_delegated: ["provider_not_delegated"],
  provider_unsupported: ["provider_unsupported"],
  proxied: ["record_proxied"],
  quota_exceeded: ["quota_exceeded"],
  record_conflict: ["record_conflict"],
  record_mismatch: ["record_mismatch"],
  txt_mismatch: ["ownership_mismatch", "ownership_other_token"],
} as const satisfies Readonly<Record<string, readonly Finding["code"][]>>;

export type TroubleCode = keyof typeof explanations;

export interface Trouble {
  /** Null when only the diagnosis knows it. */
  readonly code: TroubleCode | null;
  readonly finding: Finding | null;
  readonly actor: Finding["actor"];
  /** The finding says the same as the code, with more detail. */
  readonly isExplained: boolean;
}

function isTroubleCode(code: string | null): code is TroubleCode {
  return code !== null && Object.hasOwn(explanations, code);
}

/** What a person has to fix before anything continues; null while nothing is wrong. */
export function findTrouble({ connection, diagnosis, step }: State): Trouble | null {
  if (connection === null || (step !== "in_progress" && step !== "manual_configuration")) {
    return null;
  }
  const { error_code: code } = connection;
  // During a contest there is nothing to do but wait.
  if (code === "hostname_conflict" && connection.contest) return null;
  const finding = ofConflict(code, diagnosis) ?? firstFinding(diagnosis);
  // What an unproven name leads to is what the person is about to replace.
  const isOld = code === "record_mismatch" && connection.ownership === null;
  if (isTroubleCode(code) && !isOld) {
    const known: readonly string[] = explanations[code];
    const isExplained = finding === null || known.includes(finding.code);
    return { code, finding, actor: finding?.actor ?? troubleActor(code), isExplained };
  }
  // With manual setup, what is missing is what the person is about to add.
  const isBlocking = finding?.severity === "error" && step === "in_progress";
  return isBlocking ? { code: null, finding, actor: finding.actor, isExplained: false } : null;
}

/** Of a name that another account has, also what is only to be waited for. */
function ofConflict(code: string | null, diagnosis: Diagnosis | null): Finding | null {
  if (code !== "hostname_conflict") return null;
  return diagnosis?.findings.find((finding) => finding.code.startsWith("hostname_")) ?? null;
}

/** The service lists a cause before what follows from it. */
function firstFinding(diagnosis: Diagnosis | null): Finding | null {
  const open = (diagnosis?.findings ?? []).filter(({ actor }) => actor !== "wait");
  return (
    open.find(({ severity }) => severity === "error") ??
    open.find(({ severity }) => severity === "warning") ??
    null
  );
}

function troubleActor(code: TroubleCode): Finding["actor"] {
  if (code === "quota_exceeded") return "tenant";
  return code === "certificate_failed" || code === "check_failed" ? "operator" : "end_customer";
}

export function diagnose(state: State): Change {
  const { connection, isDiagnosing } = state;
  if (connection === null || isDiagnosing) return change(state, {});
  return change(state, { isDiagnosing: true }, { type: "diagnose", id: behindId(connection) });
}

/** Asks with every poll until the trouble, or what takes long, is explained. */
export function explain({ state, effects }: Change): Change {
  if (!isUnexplained(state)) return { state, effects };
  const asked = diagnose(state);
  return { state: asked.state, effects: [...effects, ...asked.effects] };
}

/** A diagnosis without a finding explains no delay: it came before there was something to find. */
function isUnexplained(state: State): boolean {
  const { diagnosis, isStalling, step } = state;
  if (diagnosis === null && findTrouble(state) !== null) return true;
  return isStalling && step === "in_progress" && (diagnosis?.findings ?? []).length === 0;
}
