import { ApiError, redirectError } from "./errors.ts";
import { type ApiResponse, type Policy, send, type Wire } from "./request.ts";
import { type Operations, operations } from "./schema.gen.ts";

export type OperationId = keyof Operations;

/** The input of an operation: those of `params`, `query` and `body` that it has. */
export type InputOf<O extends OperationId> = Omit<Operations[O], "response">;

/** The body of an operation's successful response. */
export type ResponseOf<O extends OperationId> = Operations[O]["response"];

export type BodyOf<O extends OperationId> = Operations[O] extends { readonly body: infer B }
  ? B
  : never;

export type QueryOf<O extends OperationId> = Operations[O] extends { readonly query?: infer Q }
  ? NonNullable<Q>
  : never;

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of each attempt of this call. */
  readonly timeoutMs?: number;
  /** Attempts after the first, for this call. */
  readonly retries?: number;
}

/** For operations that accept an Idempotency-Key. By default each call gets a random key. */
export interface IdempotentOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

/** Calls any operation of the API by its operationId. */
export interface Api {
  call<O extends OperationId>(
    operation: O,
    input: InputOf<O>,
    options?: IdempotentOptions,
  ): Promise<ResponseOf<O>>;
  /**
   * Opens an operation whose response continues, after an event or from now on. Never retried here.
   */
  openStream<O extends OperationId>(
    operation: O,
    input: InputOf<O>,
    lastEventId: string | null,
    signal: AbortSignal | null,
  ): Promise<Response>;
  readonly wire: Wire;
}

/** How a client proves who calls: a secret, or the cookie of the browser that it runs in. */
export type ClientCredential =
  | { readonly secret: string }
  | { readonly environment: "test" | "live"; readonly csrfToken: string | null };

export interface ApiParts {
  readonly baseUrl: string;
  readonly credential: ClientCredential;
  readonly policy: Policy;
  readonly wire: Wire;
}

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function createApi({ baseUrl, credential, policy, wire }: ApiParts): Api {
  return {
    wire,
    async openStream(operation, { query = {} }: Input, lastEventId, signal) {
      const { method, path } = operations[operation];
      const response = await wire.fetch(baseUrl + path + queryString(query), {
        method,
        headers: {
          accept: "text/event-stream",
          ...credentialHeaders(credential, method),
          ...(lastEventId === null ? {} : { "last-event-id": lastEventId }),
        },
        redirect: "manual",
        ...(signal === null ? {} : { signal }),
      });
      const redirect = redirectError(response);
      if (redirect === null) return response;
      await response.body?.cancel();
      throw redirect;
    },
    async call<O extends OperationId>(
      operation: O,
      { params = {}, query = {}, body }: Input,
      options: IdempotentOptions = {},
    ): Promise<ResponseOf<O>> {
      const { method, path, hasBody, isIdempotent } = operations[operation];
      // All attempts share one key, so a retry is safe.
      const key = isIdempotent ? (options.idempotencyKey ?? randomKey()) : null;
      const response = await send(
        wire,
        {
          timeoutMs: options.timeoutMs ?? policy.timeoutMs,
          retries: options.retries ?? policy.retries,
        },
        {
          method,
          url: baseUrl + fillPath(path, params) + queryString(query),
          headers: {
            accept: "application/json",
            ...credentialHeaders(credential, method),
            ...(hasBody ? { "content-type": "application/json" } : {}),
            ...(key === null ? {} : { "idempotency-key": key }),
          },
          body: hasBody ? JSON.stringify(body ?? {}) : null,
          isRepeatable: method === "GET" || method === "HEAD" || key !== null,
          signal: options.signal ?? null,
        },
      );
      return parse<O>(response);
    },
  };
}

function credentialHeaders(credential: ClientCredential, method: string): Record<string, string> {
  if ("secret" in credential) return { authorization: `Bearer ${credential.secret}` };
  const { environment, csrfToken } = credential;
  const isChange = method !== "GET" && csrfToken !== null;
  return {
    "x-mooring-environment": environment,
    ...(isChange ? { "x-mooring-csrf": csrfToken } : {}),
  };
}

/** Fills path parameters in. URL parsing removes dot segments, so they would reach another path. */
function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new TypeError(`${name} must be a non-empty string, as in ${path}`);
    }
    return encodeURIComponent(value);
  });
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // A list is the parameter repeated.
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) params.append(name, String(one));
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** 128 random bits. Pages without TLS have no `randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The server validates its responses against the schemas that these types are generated from. */
function parse<O extends OperationId>({ status, headers, text }: ApiResponse): ResponseOf<O> {
  if (text === "") return undefined as ResponseOf<O>;
  try {
    return JSON.parse(text) as ResponseOf<O>;
  } catch {
    throw new ApiError({
      status,
      code: "unknown",
      message: "the response is not JSON: is baseUrl the address of the API?",
      details: null,
      requestId: headers.get("x-request-id"),
      retryAfter: null,
      upgradeUrl: null,
    });
  }
}
