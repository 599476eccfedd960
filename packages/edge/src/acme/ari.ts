import { parseRetryAfter } from "@mooring/egress";
import { parseChain } from "../tls/chain.ts";
import type { DirectorySource } from "./directory.ts";
import { malformed, objectOf, optionalTextIn, readJson, textIn } from "./json.ts";
import { createExchange, fetchPlain, type Transport } from "./transport.ts";

/** When the CA would like a certificate to be renewed (RFC 9773 §4.2). */
export interface RenewalInfo {
  readonly start: Date;
  readonly end: Date;
  /** A page of the CA's that explains an unusual window. */
  readonly explanationUrl: string | null;
  /** When to ask again. */
  readonly retryAfterSeconds: number;
}

/** RFC 9773 §4.3.2 leaves these to the client: no hammering, and no sleeping through a revocation. */
const minRetrySeconds = 60;
const maxRetrySeconds = 24 * 3_600;
const defaultRetrySeconds = 6 * 3_600;

/** Null when the CA has no ARI or the certificate cannot be named in it. */
export async function getRenewalInfo(
  transport: Transport,
  directory: DirectorySource,
  certificatePem: string,
  signal: AbortSignal,
): Promise<RenewalInfo | null> {
  const { renewalInfo } = await directory(signal);
  const id = parseChain(certificatePem).leaf.ariId;
  if (renewalInfo === null || id === null) return null;
  const url = `${renewalInfo.replace(/\/$/, "")}/${id}`;
  const request = { method: "GET", url } as const;
  const answer = await fetchPlain(transport, createExchange(transport), request, signal);
  const body = readJson(answer);
  const window = objectOf(body["suggestedWindow"], "suggestedWindow");
  const start = dateOf(textIn(window, "start"));
  const end = dateOf(textIn(window, "end"));
  if (end <= start) throw malformed("the suggested window ends before it begins");
  const asked =
    parseRetryAfter(answer.headers.get("retry-after"), transport.clock.now()) ??
    defaultRetrySeconds;
  return {
    start,
    end,
    explanationUrl: optionalTextIn(body, "explanationURL"),
    retryAfterSeconds: Math.min(Math.max(asked, minRetrySeconds), maxRetrySeconds),
  };
}

/**
 * A moment inside the window, every one as likely, so that the CA's certificates do not come due
 * together (RFC 9773 §4.2). `random` is in [0, 1). A moment that has passed means: now.
 */
export function renewalTime({ start, end }: RenewalInfo, random: number): Date {
  return new Date(start.getTime() + Math.floor(random * (end.getTime() - start.getTime())));
}

/** RFC 3339; the looser forms that Date also reads are no dates of a CA's. */
function dateOf(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? text : Number.NaN);
  if (Number.isNaN(date.getTime())) throw malformed("a date of the window cannot be read");
  return date;
}
