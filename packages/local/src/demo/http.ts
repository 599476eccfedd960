import type { IncomingMessage, ServerResponse } from "node:http";

/** A request that cannot be answered as it is, with the status to say so. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const maxBytes = 262_144;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBytes) throw new RequestError(413, "the body is too large");
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/** The object in a JSON body, from our own page alone: another site's cannot send this type. */
export async function readJson(request: IncomingMessage): Promise<ReadonlyMap<string, unknown>> {
  const { origin, host } = request.headers;
  if (origin !== undefined && URL.parse(origin)?.host !== host) {
    throw new RequestError(403, "only the demo's own page may do this");
  }
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new RequestError(415, "expected JSON");
  }
  try {
    const value: unknown = JSON.parse((await readBody(request)).toString("utf8"));
    if (typeof value === "object" && value !== null) return new Map(Object.entries(value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RequestError(400, "expected a JSON object");
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(JSON.stringify(value));
}
