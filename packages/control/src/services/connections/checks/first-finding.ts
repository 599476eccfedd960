import type { Tx } from "../../../db/engine/transaction.ts";
import { storeFinding } from "../../../db/queries/connections/connections.ts";
import type { Connection, ConnectionError } from "../../../domain/connections/connection.ts";
import { diagnose } from "../../../domain/diagnosis/diagnose.ts";
import type { FindingHeadline } from "../../../domain/diagnosis/finding.ts";
import { errorHeadline, headlineIn } from "../../../domain/diagnosis/headline.ts";
import type { Runtime } from "../../runtime.ts";
import { edgeFacts, nothingGathered } from "../diagnosis/gather-dns.ts";
import { readStoredFacts } from "../diagnosis/stored-facts.ts";
import { frontChoice } from "./front-choice.ts";
import type { ConnectionCheck } from "./observe.ts";

/**
 * After a check that found something else wrong than the one before: lists show the first finding
 * that a diagnosis makes of the same answers, in its words. Nothing more is asked of DNS: until a
 * diagnosis has asked, what needs more is shown in the short words of the error code.
 */
export async function noteFirstFinding(
  runtime: Pick<Runtime, "config" | "clock">,
  tx: Tx,
  before: Pick<Connection, "state" | "errorCode">,
  connection: Connection,
  { proof, records }: Pick<ConnectionCheck, "proof" | "records">,
): Promise<void> {
  const expected = errorHeadline(connection.state, connection.errorCode);
  if (isSame(before, connection) || expected === null) return;
  const facts = await readStoredFacts(tx, connection, runtime.clock.now());
  const proxied = frontChoice(runtime.config, connection, facts.application.proxied);
  const { findings } = diagnose({
    ...facts,
    application: { ...facts.application, proxied },
    mayContestAt: null,
    contestAfterMs: runtime.config.contestAfterMs,
    now: runtime.clock.now(),
    issuers: [],
    edge: edgeFacts(runtime.config, new Set()),
    dns: { ...nothingGathered, proof, records },
    email: null,
    originRefusal: null,
  });
  const headline = headlineIn(connection.state, findings);
  if (headline !== null && isExplained(connection, headline, expected)) {
    await storeFinding(tx, connection, headline);
  }
}

/** What a check alone can explain: it has the servers' answers. */
const explained: ReadonlySet<ConnectionError | null> = new Set([
  "txt_not_found",
  "txt_mismatch",
  "record_missing",
  "record_mismatch",
  "record_conflict",
  "proxied",
]);

/** What is found out by other questions than those of a check. */
const unexplained: ReadonlySet<ConnectionError | null> = new Set([
  "dns_timeout",
  "dns_servfail",
  "dnssec_bogus",
  "not_registered",
  "caa_forbidden",
  "hostname_conflict",
  "ownership_timeout",
  "propagation_timeout",
  "certificate_timeout",
]);

/** Whether lists need a diagnosis for their words after a check: once for each thing wrong. */
export function needsDiagnosis(
  before: Pick<Connection, "state" | "errorCode">,
  connection: Connection,
): boolean {
  const { state, errorCode } = connection;
  return state !== "archived" && unexplained.has(errorCode) && !isSame(before, connection);
}

function isSame(
  before: Pick<Connection, "state" | "errorCode">,
  { state, errorCode }: Connection,
): boolean {
  return before.state === state && before.errorCode === errorCode;
}

function isExplained(
  { errorCode }: Connection,
  headline: FindingHeadline,
  expected: FindingHeadline,
): boolean {
  return explained.has(errorCode) || headline.code === expected.code;
}
