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
 * that a diagnosis makes of the same answers, in its words. Nothing more is asked of DNS, so where
 * the diagnosis would need more for what is wrong, lists show the short words of the error code.
 */
export async function noteFirstFinding(
  runtime: Pick<Runtime, "config" | "clock">,
  tx: Tx,
  before: Pick<Connection, "state" | "errorCode">,
  connection: Connection,
  { proof, records }: Pick<ConnectionCheck, "proof" | "records">,
): Promise<void> {
  const isSame = before.state === connection.state && before.errorCode === connection.errorCode;
  const expected = errorHeadline(connection.state, connection.errorCode);
  if (isSame || expected === null) return;
  const facts = await readStoredFacts(tx, connection);
  const proxied = frontChoice(runtime.config, connection, facts.application.proxied);
  const { findings } = diagnose({
    ...facts,
    application: { ...facts.application, proxied },
    mayContestAt: null,
    now: runtime.clock.now(),
    issuers: [],
    edge: edgeFacts(runtime.config, new Set()),
    dns: { ...nothingGathered, proof, records },
    email: null,
  });
  const headline = headlineIn(connection.state, findings);
  if (headline !== null && isExplained(connection, headline, expected)) {
    await storeFinding(tx, connection.id, headline);
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

function isExplained(
  { errorCode }: Connection,
  headline: FindingHeadline,
  expected: FindingHeadline,
): boolean {
  return explained.has(errorCode) || headline.code === expected.code;
}
