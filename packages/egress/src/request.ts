import { type IncomingMessage, request as sendHttp } from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import {
  type Dial,
  type Dialled,
  type DialOptions,
  defaultConnectTimeoutMs,
  startLimit,
  type TlsOptions,
} from "./dial.ts";
import { asEgressError, EgressError } from "./egress-error.ts";
import { socketHost, socketPort, type UrlRules } from "./policy.ts";

export interface Limits {
  /** Name lookup, TCP and TLS together. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** Everything, to the last byte of the body that is read. Default 15 s. */
  readonly totalTimeoutMs?: number;
  /** How much of the body is read, as it is on the wire. Default 64 KiB. */
  readonly maxBytes?: number;
}

export interface EgressRequest extends Limits, UrlRules {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whose request it is; see `DialOptions`. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
  /** See `TlsOptions`. */
  readonly certificateSha256?: string;
  readonly onResolved?: DialOptions["onResolved"];
}

export interface EgressResponse {
  /** Any final status; a redirect is returned and never followed. */
  readonly status: number;
  readonly headers: Headers;
  /** The first `maxBytes` bytes, never decompressed. */
  readonly body: Buffer;
  /** Whether the body was longer than `maxBytes`. */
  readonly truncated: boolean;
  readonly remoteAddress: string;
  readonly timings: Dialled["timings"] & { readonly firstByteMs: number; readonly totalMs: number };
}

const defaultTotalTimeoutMs = 15_000;
const defaultMaxBytes = 64 * 1024;

/** One request on one new connection, which is closed in every outcome. `url` has been checked. */
export async function sendRequest(
  dial: Dial,
  tls: TlsOptions,
  url: URL,
  options: EgressRequest,
): Promise<EgressResponse> {
  const { totalTimeoutMs = defaultTotalTimeoutMs, maxBytes = defaultMaxBytes } = options;
  const startedAt = performance.now();
  const limit = startLimit(totalTimeoutMs, "the request", options.signal);
  let socket: Socket | undefined;
  try {
    const dialled = await dial({
      host: socketHost(url),
      port: socketPort(url),
      signal: limit.signal,
      connectTimeoutMs: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
      ...(options.owner === undefined ? {} : { owner: options.owner }),
      ...(options.onResolved === undefined ? {} : { onResolved: options.onResolved }),
      ...(url.protocol === "https:" ? { tls: withPin(tls, options.certificateSha256) } : {}),
    });
    socket = dialled.socket;
    limit.signal.throwIfAborted();
    const response = await exchange(socket, url, options, limit.signal);
    const firstByteMs = performance.now() - startedAt;
    const read = await readUpTo(response, maxBytes);
    return {
      status: response.statusCode ?? 0,
      headers: readHeaders(response),
      ...read,
      remoteAddress: dialled.remoteAddress,
      timings: { ...dialled.timings, firstByteMs, totalMs: performance.now() - startedAt },
    };
  } catch (error) {
    if (limit.signal.aborted) throw limit.signal.reason;
    throw asEgressError(error, "connect", "the connection broke before the answer was complete");
  } finally {
    limit.release();
    socket?.destroy();
  }
}

function withPin(tls: TlsOptions, certificateSha256: string | undefined): TlsOptions {
  return certificateSha256 === undefined ? tls : { ...tls, certificateSha256 };
}

function exchange(
  socket: Socket,
  url: URL,
  options: EgressRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Without an agent, so without its pool and its proxy settings; Node sends `Connection: close`.
    const request = sendHttp({
      createConnection: () => socket,
      method: options.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers: requestHeaders(url, options.headers ?? {}),
      insecureHTTPParser: false,
    });
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
    request.on("error", reject);
    request.on("response", resolve);
    request.on("close", () => reject(new EgressError("connect", "the server gave no answer")));
    request.end(options.body);
  });
}

function requestHeaders(
  url: URL,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  // Without the header a server may choose any coding (RFC 9110 §12.5.3), and none is decoded here.
  const defaults = Object.entries({ host: url.host, "accept-encoding": "identity" });
  return { ...Object.fromEntries(defaults.filter(([name]) => !given.has(name))), ...headers };
}

async function readUpTo(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  const stream: AsyncIterable<Buffer> = response;
  for await (const chunk of stream) {
    chunks.push(chunk.subarray(0, room));
    if (chunk.length > room) return { body: Buffer.concat(chunks), truncated: true };
    room -= chunk.length;
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

function readHeaders(response: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

type Send = (url: string, options: EgressRequest) => Promise<EgressResponse>;

/** A zone's records come as one JSON document, hence more than a webhook's reply. */
const defaultFetchLimits = { totalTimeoutMs: 30_000, maxBytes: 8 * 1024 * 1024 };

/** Statuses whose Response must be built without a body (Fetch §2.2.3, null body status). */
const nullBodyStatuses = new Set([204, 205, 304]);

/** What holds for every request of one `fetch`. */
export type FetchRules = Pick<EgressRequest, "schemes" | "certificateSha256">;

/**
 * `fetch` for JSON APIs over the guarded request. It differs from the platform's in three ways: a
 * redirect is returned whatever `redirect` says, a body over the limit fails with `too_large`, and
 * network failures are EgressErrors. Aborting rejects with the signal's reason, as usual.
 */
export function createFetch(
  send: Send,
  limits: Limits = {},
  rules: FetchRules = {},
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : await request.bytes();
    const answer = await sendAbortable(send, request, {
      ...defaultFetchLimits,
      ...limits,
      ...rules,
      method: request.method,
      headers: spelledHeaders(request, init),
      signal: request.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.truncated) {
      throw new EgressError("too_large", "the answer is larger than this service reads");
    }
    return toResponse(answer);
  };
}

/** The names as the caller spelled them: there are APIs that compare them as they are. */
function spelledHeaders(request: Request, init: RequestInit | undefined): Record<string, string> {
  const given = init?.headers;
  const isRecord = given !== undefined && !(given instanceof Headers) && !Array.isArray(given);
  const names = isRecord ? Object.keys(given) : [];
  const spelling = new Map(names.map((name) => [name.toLowerCase(), name]));
  const headers = [...request.headers];
  return Object.fromEntries(headers.map(([name, value]) => [spelling.get(name) ?? name, value]));
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

function toResponse(answer: EgressResponse): Response {
  const { status, headers } = answer;
  if (status < 200 || status > 599) {
    throw new EgressError("connect", "the server answered with a status that HTTP does not define");
  }
  return new Response(nullBodyStatuses.has(status) ? null : new Uint8Array(answer.body), {
    status,
    headers,
  });
}
