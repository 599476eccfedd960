import { ApiError } from "./errors.ts";
import { type ApiAnswer, type Policy, send, type Wire } from "./request.ts";
import { type Operations, operations } from "./schema.gen.ts";

export type OperationId = keyof Operations;

/** What an operation takes: `params`, `query` and `body`, as far as it has them. */
export type InputOf<O extends OperationId> = Omit<Operations[O], "response">;

/** What an operation gives. */
export type ResponseOf<O extends OperationId> = Operations[O]["response"];

export type BodyOf<O extends OperationId> = Operations[O] extends { readonly body: infer B }
  ? B
  : never;

export type QueryOf<O extends OperationId> = Operations[O] extends { readonly query?: infer Q }
  ? NonNullable<Q>
  : never;

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** For each attempt of this call. */
  readonly timeoutMs?: number;
  /** Further attempts after the first, for this call. */
  readonly retries?: number;
}

/** For operations that take an Idempotency-Key; without one, each call gets a fresh key. */
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
}

export interface ApiParts {
  readonly baseUrl: string;
  readonly credential: string;
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
    async call<O extends OperationId>(
      operation: O,
      { params = {}, query = {}, body }: Input,
      options: IdempotentOptions = {},
    ): Promise<ResponseOf<O>> {
      const { method, path, hasBody, isIdempotent } = operations[operation];
      // One key for all attempts: that is what makes repeating them safe.
      const key = isIdempotent ? (options.idempotencyKey ?? randomKey()) : null;
      const answer = await send(
        wire,
        {
          timeoutMs: options.timeoutMs ?? policy.timeoutMs,
          retries: options.retries ?? policy.retries,
        },
        {
          method,
          url: baseUrl + filled(path, params) + search(query),
          headers: {
            accept: "application/json",
            authorization: `Bearer ${credential}`,
            ...(hasBody ? { "content-type": "application/json" } : {}),
            ...(key === null ? {} : { "idempotency-key": key }),
          },
          body: hasBody ? JSON.stringify(body ?? {}) : null,
          isRepeatable: method === "GET" || method === "HEAD" || key !== null,
          signal: options.signal ?? null,
        },
      );
      return parse<O>(answer);
    },
  };
}

/** A dot segment would be folded away by URL parsing and reach another path. */
function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new TypeError(`${name} must be a non-empty text, as in ${path}`);
    }
    return encodeURIComponent(value);
  });
}

function search(query: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) given.append(name, String(value));
  }
  const text = given.toString();
  return text === "" ? "" : `?${text}`;
}

/** 128 random bits; `randomUUID` is not there on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The server validates its answers by the very schemas that these types are drawn from. */
function parse<O extends OperationId>({ status, headers, text }: ApiAnswer): ResponseOf<O> {
  if (text === "") return undefined as ResponseOf<O>;
  try {
    return JSON.parse(text) as ResponseOf<O>;
  } catch {
    throw new ApiError({
      status,
      code: "unknown",
      message: "the answer is not JSON: is baseUrl the address of the API?",
      details: null,
      requestId: headers.get("x-request-id"),
      retryAfter: null,
      upgradeUrl: null,
    });
  }
}
