import { EgressError, type EgressResponse, type Guard, parseRetryAfter } from "@mooring/egress";
import { type Bootstrap, permittedRedirect } from "../../domain/registrations/bootstrap.ts";
import { parseRdapAnswer } from "../../domain/registrations/rdap-answer.ts";
import type { RegistrationFacts } from "../../domain/registrations/registration.ts";

/** What a registry was asked and what it said. */
export type RdapAnswer =
  | { readonly kind: "answered"; readonly facts: RegistrationFacts }
  /** The registry does not know the domain. */
  | { readonly kind: "unknown" }
  /** It asks to wait; null when it does not say for how long. */
  | { readonly kind: "limited"; readonly host: string; readonly retryAfterMs: number | null }
  | { readonly kind: "failed"; readonly reason: string };

const maxRedirects = 3;
const maxBytes = 256 * 1024;
/** For the whole question, redirects included. */
const defaultTimeoutMs = 5_000;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A server of the registry of France refuses a request for `application/rdap+json` alone. */
const accept = "application/rdap+json, application/json;q=0.9, */*;q=0.1";

/**
 * Asks the registry's server about a domain (RFC 9082). Follows redirects, three at most, to
 * servers of the bootstrap file only. Never throws for what a server does: no answer is `failed`.
 * Throws only the signal's reason.
 */
export async function askRegistry(
  egress: Pick<Guard, "request">,
  bootstrap: Bootstrap,
  question: { readonly server: string; readonly domain: string; readonly now: Date },
  signal: AbortSignal,
  timeoutMs = defaultTimeoutMs,
): Promise<RdapAnswer> {
  const { server, domain, now } = question;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let url = new URL(`domain/${domain}`, server);
  try {
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const response = await egress.request(url, {
        headers: { accept, "user-agent": "Mooring (RDAP, one question a day and domain)" },
        totalTimeoutMs: timeoutMs,
        maxBytes,
        signal: limit,
      });
      if (!redirects.has(response.status)) return readAnswer(response, url, domain, now);
      const next = permittedRedirect(bootstrap, url, response.headers.get("location"));
      if (next === null) return { kind: "failed", reason: "redirect refused" };
      url = next;
    }
    return { kind: "failed", reason: "too many redirects" };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    return { kind: "failed", reason: limit.aborted ? "timeout" : error.kind };
  }
}

function readAnswer(
  { status, headers, body, truncated }: EgressResponse,
  { host }: URL,
  domain: string,
  now: Date,
): RdapAnswer {
  if (status === 404) return { kind: "unknown" };
  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    const retryAfterMs = retryAfter === null ? null : retryAfter * 1_000;
    return { kind: "limited", host, retryAfterMs };
  }
  if (status !== 200) return { kind: "failed", reason: `status ${status}` };
  if (truncated) return { kind: "failed", reason: "too_large" };
  // Whatever its type is called: servers send application/json and text/plain as well.
  const facts = parseRdapAnswer(body.toString("utf8"), domain);
  return facts === null
    ? { kind: "failed", reason: "not an answer about the domain" }
    : { kind: "answered", facts };
}
