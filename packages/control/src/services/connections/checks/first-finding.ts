import type { Tx } from "../../../db/engine/transaction.ts";
import { selectApplication } from "../../../db/queries/applications/applications.ts";
import { storeFinding } from "../../../db/queries/connections/connections.ts";
import { selectLastDnsWrite } from "../../../db/queries/dns-writes/dns-writes.ts";
import {
  type Connection,
  type ConnectionError,
  holdsClaim,
} from "../../../domain/connections/connection.ts";
import { diagnose } from "../../../domain/diagnosis/diagnose.ts";
import { headlineIn } from "../../../domain/diagnosis/headline.ts";
import type { Runtime } from "../../runtime.ts";
import { edgeFacts, nothingGathered } from "../diagnosis/gather-dns.ts";
import type { ConnectionCheck } from "./observe.ts";

/** What a check alone can explain: it has the servers' answers. */
const explained: ReadonlySet<ConnectionError | null> = new Set([
  "txt_not_found",
  "txt_mismatch",
  "record_missing",
  "record_mismatch",
  "record_conflict",
  "proxied",
]);

/**
 * After a check that found something else wrong than the one before: lists show the first finding
 * that a diagnosis makes of the same answers, in its words. Nothing more is asked of DNS.
 */
export async function noteFirstFinding(
  runtime: Pick<Runtime, "config" | "clock">,
  tx: Tx,
  before: Pick<Connection, "state" | "errorCode">,
  connection: Connection,
  { proof, records }: Pick<ConnectionCheck, "proof" | "records">,
): Promise<void> {
  const isSame = before.state === connection.state && before.errorCode === connection.errorCode;
  if (isSame || !explained.has(connection.errorCode)) return;
  const application = await selectApplication(tx, connection.applicationId);
  if (!application) return;
  const { findings } = diagnose({
    connection,
    application,
    now: runtime.clock.now(),
    certificate: null,
    cachedUntil: null,
    fault: null,
    renewal: null,
    troubles: [],
    failingCredentials: [],
    claim: holdsClaim(connection.state) ? "own" : "free",
    mayContestAt: null,
    lastWrite: await selectLastDnsWrite(tx, connection.id),
    consent: null,
    issuers: [],
    edge: edgeFacts(runtime.config, new Set()),
    dns: { ...nothingGathered, proof, records },
    email: null,
  });
  const headline = headlineIn(connection.state, findings);
  if (headline !== null) await storeFinding(tx, connection.id, headline);
}
