import { askFor, type Urgency } from "@mooring/dns";
import type { DueConnection } from "../../../db/queries/connections/due-connections.ts";
import { connectionPhase } from "../../../domain/connections/connection.ts";

/** A check that says nothing: it would have waited too long behind others of its tenant. */
export class PutOff extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super("many questions of the tenant wait for a name server");
    this.retryAfterMs = retryAfterMs;
  }
}

/** Somebody waits for the first checks of a name, and for what was asked for. */
const freshChecks = 3;

function urgencyIn({ lane, state, checks }: DueConnection): Urgency {
  if (lane === 1) return "recheck";
  const isUnproven = connectionPhase(state) === "ownership";
  return lane === 2 || (isUnproven && checks >= freshChecks) ? "retry" : "fresh";
}

/**
 * A worker's check in the tenant's share of the name servers. It can be made later: it rejects with
 * `PutOff` where it would wait long, and so counts neither as a failure of DNS nor of the check.
 */
export function askUnlessCrowded<T>(
  connection: DueConnection,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const crowded = new AbortController();
  const onCrowded = (retryAfterMs: number) => crowded.abort(new PutOff(retryAfterMs));
  const share = { key: connection.tenantId, urgency: urgencyIn(connection), onCrowded };
  return askFor(share, () => run(AbortSignal.any([signal, crowded.signal])));
}
