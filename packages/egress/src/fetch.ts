import { EgressError } from "./egress-error.ts";
import type { EgressRequest, EgressResponse, Limits } from "./request.ts";

type Send = (url: string, options: EgressRequest) => Promise<EgressResponse>;

/** A zone's records come as one JSON document, hence more than a webhook's reply. */
const DEFAULT_FETCH_LIMITS = { totalTimeoutMs: 30_000, maxBytes: 8 * 1024 * 1024 };

/** Statuses whose Response must be built without a body (Fetch §2.2.3, null body status). */
const NULL_BODY = new Set([204, 205, 304]);

/**
 * `fetch` for JSON APIs over the guarded request. It differs from the platform's in three ways: a
 * redirect is returned whatever `redirect` says, a body over the limit fails with `too_large`, and
 * network failures are EgressErrors. Aborting rejects with the signal's reason, as usual.
 */
export function createFetch(send: Send, limits: Limits = {}): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : await request.bytes();
    const answer = await sendAbortable(send, request, {
      ...DEFAULT_FETCH_LIMITS,
      ...limits,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      signal: request.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.truncated) {
      throw new EgressError("too_large", "the answer is larger than this service reads");
    }
    return responseOf(answer);
  };
}

async function sendAbortable(
  send: Send,
  request: Request,
  options: EgressRequest,
): Promise<EgressResponse> {
  try {
    return await send(request.url, options);
  } catch (error) {
    if (error instanceof EgressError && error.kind === "aborted") throw request.signal.reason;
    throw error;
  }
}

function responseOf(answer: EgressResponse): Response {
  const { status, headers } = answer;
  if (status < 200 || status > 599) {
    throw new EgressError("connect", "the server answered with a status that HTTP does not define");
  }
  return new Response(NULL_BODY.has(status) ? null : new Uint8Array(answer.body), {
    status,
    headers,
  });
}
