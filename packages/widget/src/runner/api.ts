import type { Problem } from "../machine/state.ts";
import type { OriginCheck } from "./origin.ts";

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

type Method = "GET" | "POST" | "DELETE";

export interface Api {
  /** R is the operation's response type from the SDK. Every failure rejects with an ApiProblem. */
  call<R>(method: Method, path: string, body?: unknown): Promise<R>;
}

export interface ApiParts {
  readonly baseUrl: string;
  readonly token: () => string;
  readonly fetch: typeof fetch;
  /** Aborts every call in flight. */
  readonly signal: AbortSignal;
  readonly origin: OriginCheck;
}

/** A slow network may take half a minute; a longer call counts as lost. */
const timeoutMs = 60_000;

/**
 * A client of the widget's own, smaller than the SDK's: no retries, since polling and the person
 * retry, and a token that changes when it is renewed.
 */
export function createApi(parts: ApiParts): Api {
  const { origin } = parts;
  return {
    async call<R>(method: Method, path: string, body?: unknown): Promise<R> {
      const { response, text } = await send(parts, method, path, body);
      if (isOriginRefusal(response, text)) throw originRefused();
      origin.noteAnswer();
      if (!response.ok) throw new ApiProblem(readProblem(response, text), response.status);
      return parse<R>(text);
    },
  };
}

async function send(
  { baseUrl, token, fetch, signal, origin }: ApiParts,
  method: Method,
  path: string,
  body: unknown,
): Promise<{ readonly response: Response; readonly text: string }> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const hasBody = body !== undefined;
  try {
    const response = await fetch(`${baseUrl}/v1/${path}`, {
      method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token()}`,
        ...(hasBody ? { "content-type": "application/json" } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.any([deadline, signal]),
    });
    return { response, text: await response.text() };
  } catch {
    if (!deadline.aborted && (await origin.isRefused())) throw originRefused();
    const code = deadline.aborted ? "timeout" : "network";
    throw new ApiProblem(createProblem(code, "the service could not be reached"), 0);
  }
}

/** No new token helps; the page's developer has to act. */
function originRefused(): ApiProblem {
  return new ApiProblem(createProblem("origin", "the page's origin is not allowed"), 0);
}

/** Another application lists the origin, so that the browser lets us read the refusal. */
function isOriginRefusal({ status }: Response, text: string): boolean {
  const details = field(field(parsed(text), "error"), "details");
  return status === 403 && field(details, "reason") === "origin_not_allowed";
}

/** The service validates its responses against the schemas that these types are generated from. */
function parse<R>(text: string): R {
  try {
    return JSON.parse(text) as R;
  } catch {
    throw new ApiProblem(
      createProblem("internal", "the response is not JSON: is baseUrl right?"),
      200,
    );
  }
}

export function createProblem(code: string, message: string): Problem {
  return {
    code,
    message,
    connectionId: null,
    kind: null,
    issue: null,
    path: null,
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
  const issue = field(field(details, "issues"), "0");
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    code: string(field(error, "code")) ?? statusCode(response.status),
    message: string(field(error, "message")) ?? `the response has status ${response.status}`,
    connectionId: string(field(details, "connection_id")),
    kind: string(field(details, "kind")),
    issue: string(field(issue, "code")),
    path: string(field(issue, "path")),
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
