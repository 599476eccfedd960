import type { AttemptOutcome, DomainConnectAttempt } from "../../domain/domain-connect.ts";

/** What a provider added to our address; anybody may have changed it on the way. */
export interface ReturnQuery {
  readonly state: string | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly errorDescription: string | null;
}

export interface ReturnedEnd {
  readonly outcome: AttemptOutcome;
  /** A name of RFC 6749 §4.1.2.1, or `unknown_error`. */
  readonly error: string | null;
  readonly description: string | null;
}

const MAX_DESCRIPTION = 200;

/** What the customer brought back. Neither success nor failure is believed: DNS will tell. */
export function endOf(
  attempt: Pick<DomainConnectAttempt, "mode">,
  query: ReturnQuery,
): ReturnedEnd {
  const { error, code } = query;
  if (error === null) {
    const isEmpty = attempt.mode === "async" && (code === null || code === "");
    const outcome = isEmpty ? "refused" : "returned";
    return { outcome, error: isEmpty ? "no_code" : null, description: null };
  }
  return {
    outcome: error === "access_denied" ? "cancelled" : "refused",
    error: /^[a-z_]{1,64}$/.test(error) ? error : "unknown_error",
    description: plain(query.errorDescription),
  };
}

/** A stranger's words: freed of what could pose as ours, and cut. */
function plain(text: string | null): string | null {
  const line = (text ?? "").replace(/[\p{Cc}\p{Cf}]/gu, " ").trim();
  return line === "" ? null : line.slice(0, MAX_DESCRIPTION);
}
