import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";

/** The response to one call. */
export interface FakeAnswer {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface FakeCall {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  readonly authorization: string | undefined;
}

type Answers = Record<string, (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>>;

export interface FakeService {
  readonly url: string;
  /** Responses by `POST domains:check` …; ids in paths are written `{id}`. */
  readonly answers: Answers;
  readonly calls: FakeCall[];
  /** No page of another origin may read what the API answers. */
  refusesOrigins: boolean;
  readonly close: () => Promise<void>;
}

const dist = path.resolve(import.meta.dirname, "../../../widget/dist");
const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
};

/** A scripted service on loopback: serves the built widget, the pages and the given responses. */
export async function startFakeService(
  pages: Readonly<Record<string, { readonly html: string; readonly csp?: string }>>,
): Promise<FakeService> {
  const answers: Answers = {};
  const calls: FakeCall[] = [];
  const fake: FakeService = {
    get url() {
      return `http://127.0.0.1:${asAddressInfo(server.address()).port}`;
    },
    answers,
    calls,
    refusesOrigins: false,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://fake");
    const page = pages[url.pathname];
    if (page !== undefined) {
      const csp = page.csp === undefined ? {} : { "content-security-policy": page.csp };
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...csp });
      response.end(page.html);
    } else if (url.pathname.startsWith("/sdk/")) serveFile(url.pathname, response);
    else if (fake.refusesOrigins) response.writeHead(403).end();
    else await serveApi(request, response, url, answers, calls);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return fake;
}

function serveFile(pathname: string, response: ServerResponse): void {
  const type = types[path.extname(pathname)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" });
  response.end(readFileSync(path.join(dist, path.normalize(pathname))));
}

async function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  answers: Answers,
  calls: FakeCall[],
): Promise<void> {
  const cors = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-expose-headers": "retry-after, x-request-id",
  };
  if (request.method === "OPTIONS") {
    response.writeHead(204, cors).end();
    return;
  }
  const route = url.pathname.replace("/v1/", "").replace(/(?<=connections\/)[^/]+/, "{id}");
  const body = await text(request);
  const call: FakeCall = {
    key: `${request.method} ${route}`,
    path: url.pathname,
    body: body === "" ? null : JSON.parse(body),
    authorization: request.headers.authorization,
  };
  calls.push(call);
  const answer = (await answers[call.key]?.(call)) ?? {
    status: 404,
    body: { error: { code: "not_found", message: `nothing at ${call.key}`, details: null } },
  };
  response.writeHead(answer.status ?? 200, {
    "content-type": "application/json",
    ...cors,
    ...answer.headers,
  });
  response.end(JSON.stringify(answer.body));
}

function asAddressInfo(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("not listening");
  return address;
}

export function errorAnswer(
  status: number,
  code: string,
  message: string,
  details: unknown = null,
): FakeAnswer {
  return { status, body: { error: { code, message, details } } };
}
