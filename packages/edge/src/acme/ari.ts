import { parseRetryAfter } from "@mooring/egress";
import { parseChain } from "../x509/chain.ts";
import type { DirectorySource } from "./directory.ts";
import { malformed, optionalTextIn, readJson, readObject, textIn } from "./json.ts";
import { createSend, fetchPlain, type Transport } from "./transport.ts";

/** When the CA suggests to renew a certificate (RFC 9773 §4.2). */
export interface RenewalInfo {
  readonly start: Date;
  readonly end: Date;
  /** A page of the CA that explains an unusual window. */
  readonly explanationUrl: string | null;
  /** When to ask again. */
  readonly retryAfterSeconds: number;
}

/** RFC 9773 §4.3.2 leaves the bounds to the client: not too often, and soon after a revocation. */
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
  const answer = await fetchPlain(transport, createSend(transport), request, signal);
  const body = readJson(answer);
  const window = readObject(body["suggestedWindow"], "suggestedWindow");
  const start = parseDate(textIn(window, "start"));
  const end = parseDate(textIn(window, "end"));
  if (end <= start) throw malformed("the suggested window ends before it begins");
  const requested =
    parseRetryAfter(answer.headers.get("retry-after"), transport.clock.now()) ??
    defaultRetrySeconds;
  return {
    start,
    end,
    explanationUrl: optionalTextIn(body, "explanationURL"),
    retryAfterSeconds: Math.min(Math.max(requested, minRetrySeconds), maxRetrySeconds),
  };
}

/** RFC 3339 only; `Date` also reads looser forms. */
function parseDate(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? text : Number.NaN);
  if (Number.isNaN(date.getTime())) throw malformed("a date of the window cannot be read");
  return date;
}
