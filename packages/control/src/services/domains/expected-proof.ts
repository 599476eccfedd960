import { type Cutover, newCutover } from "../../domain/connections/cutover.ts";
import { newChallenge } from "../../domain/connections/ownership-challenge.ts";
import type { ProofMethod } from "../../domain/connections/proof-methods.ts";
import { proofRecords } from "../../domain/connections/proofs.ts";
import { newRandomLabel } from "../../domain/random-label.ts";
import { leadingProof } from "../../domain/records/needed-records.ts";
import { deriveRecords, type RecordRules } from "../connections/current-records.ts";
import type { ServiceContext } from "../context.ts";
import type { DomainCheck } from "./check.ts";

/** What would prove ownership of a name that is connected now; null where nothing could. */
export interface ExpectedProof {
  readonly method: ProofMethod | null;
  /** The same for a name that is prepared before it is switched. */
  readonly prepared: ProofMethod | null;
}

/** Says before there is a connection whether its customer will be asked for a TXT record. */
export async function expectedProof(
  { runtime: { config, targets }, signal }: Pick<ServiceContext, "runtime" | "signal">,
  rules: RecordRules,
  { hostname, parts, zone, provider }: DomainCheck,
): Promise<ExpectedProof> {
  const pointsToTarget = await targets.mayBeDesired(hostname, signal);
  const name = {
    id: noConnectionId,
    hostname,
    registrableDomain: parts.registrableDomain,
    kind: parts.kind,
    provider: provider?.slug ?? null,
    zone,
    validationLabel: newRandomLabel(),
    targetLabel: pointsToTarget ? newRandomLabel() : null,
    pointsToTarget,
    challenge: newChallenge(),
    ownership: null,
  };
  const proofs = proofRecords(name, rules.proofs, config);
  const method = (cutover: Cutover | null) =>
    leadingProof({ hostname, cutover }, deriveRecords(config, rules, { ...name, cutover }), proofs);
  return { method: method(null), prepared: method(newCutover(null)) };
}

/** Fills {{connection_id}} while there is no connection. */
const noConnectionId = "00000000-0000-0000-0000-000000000000";
