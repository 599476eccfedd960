import type { Problem } from "../machine/state.ts";

/** A failed call: an error response, or no response. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  readonly status: number;

  constructor(problem: Problem, status: number) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

export interface Api {
  /** R is the operation's response type from the SDK. Every failure rejects with an ApiProblem. */
  call<R>(method: "GET" | "POST", path: string, body?: unknown): Promise<R>;
}

export interface ApiParts {
  readonly baseUrl: string;
  readonly token: () => string;
  readonly fetch: typeof fetch;
  /** Aborts every call in flight. */
  readonly signal: AbortSignal;
}

/** A slow network may take half a minute; a longer call counts as lost. */
const timeoutMs = 60_000;

/**
 * A client of the widget's own, smaller than the SDK's: no retries, since polling and the person retry,
 * and a token that changes when it is renewed.
 */
export function createApi({ baseUrl, token, fetch, signal }: ApiParts): Api {
  return {
    async call<R>(method: "GET" | "POST", path: string, body?: unknown): Promise<R> {
      const deadline = AbortSignal.timeout(timeoutMs);
      let response: Response;
      let text: string;
      try {
        response = await fetch(`${baseUrl}/v1/${path}`, {
          method,
          headers: {
            accept: "application/json",
            authorization: `Bearer ${token()}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          credentials: "omit",
          cache: "no-store",
          redirect: "error",
          signal: AbortSignal.any([deadline, signal]),
        });
        text = await response.text();
      } catch {
        const code = deadline.aborted ? "timeout" : "network";
        throw new ApiProblem(problemOf(code, "the service could not be reached"), 0);
      }
      if (!response.ok) throw new ApiProblem(readProblem(response, text), response.status);
      return parse<R>(text);
    },
  };
}

/** The service validates its responses against the schemas that these types are generated from. */
function parse<R>(text: string): R {
  try {
    return JSON.parse(text) as R;
  } catch {
    throw new ApiProblem(problemOf("internal", "the response is not JSON: is baseUrl right?"), 200);
  }
}

export function problemOf(code: string, message: string): Problem {
  return {
    code,
    message,
    connectionId: null,
    kind: null,
    issue: null,
    ref: null,
    upgradeUrl: null,
    retryAfterSeconds: null,
  };
}

/** Reads the error envelope; without one, the code is derived from the status. */
function readProblem(response: Response, text: string): Problem {
  const body = parsed(text);
  const error = field(body, "error");
  const details = field(error, "details");
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    code: string(field(error, "code")) ?? statusCode(response.status),
    message: string(field(error, "message")) ?? `the response has status ${response.status}`,
    connectionId: string(field(details, "connection_id")),
    kind: string(field(details, "kind")),
    issue: string(field(field(field(details, "issues"), "0"), "code")),
    ref: string(field(details, "ref")) ?? response.headers.get("x-request-id"),
    upgradeUrl: string(field(body, "upgrade_url")),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}

/** A gateway in front of the service sends a status without an envelope. */
function statusCode(status: number): string {
  return status === 502 || status === 503 || status === 504 ? "unavailable" : "internal";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function string(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
