import type { Tx } from "../../db/engine/transaction.ts";
import { insertQuotaWait } from "../../db/queries/billing/quota-waits.ts";
import { insertClaim } from "../../db/queries/connections/claims.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import type { Decision } from "../../domain/connections/lifecycle.ts";
import { raisePeak } from "../billing/usage.ts";
import { serveImported } from "../certificates/imported.ts";
import type { Runtime } from "../runtime.ts";

type Waiting = Pick<Connection, "errorCode">;

function isWaiting({ errorCode }: Waiting): boolean {
  return errorCode === "quota_exceeded";
}

/**
 * What follows when a connection takes its claim, or need no longer wait for the tenant's quota. A
 * name that waits has its claim, and is neither counted nor served.
 */
export async function takeClaim(
  runtime: Runtime,
  tx: Tx,
  written: Connection,
  { before, decision, now }: { readonly before: Waiting; decision: Decision; now: Date },
): Promise<void> {
  const isTaken = decision.claim === "take";
  const held = isTaken ? await insertClaim(tx, written, now) : null;
  if (isWaiting(decision)) {
    if (isTaken) await insertQuotaWait(tx, written, now);
    return;
  }
  if (held !== null) await raisePeak(tx, written, { held, now });
  if (isTaken || (isWaiting(before) && decision.claim === "keep"))
    await serveImported(runtime, tx, written, now);
}
