import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Credentials, Dial } from "../src/providers/adapter/contract.ts";
import { ProviderError } from "../src/providers/adapter/errors.ts";
import type { Fetch } from "../src/providers/adapter/http.ts";
import type { DnsRecord } from "../src/record.ts";
import type { Zone } from "../src/zone.ts";
import { createZoneStore, type StoredRecord, type ZoneStore } from "./zone-store.ts";

/** What the suite needs of the backend, simulated or real. */
export interface Backend {
  readonly credentials: Credentials;
  readonly wrongCredentials: Credentials;
  readonly fetch: Fetch;
  /** Only for adapters that open connections of their own. */
  readonly dial?: Dial;
  /** A zone in the shape that the adapter's `listZones` would give, which does not exist. */
  readonly missingZone: Zone;
  /** Makes a zone, replacing one of the same name. */
  seed(zone: string, records: readonly DnsRecord[]): Promise<void>;
  /** Puts in a row of a type that the service does not know; left out where that cannot be done. */
  plant?(zone: string, row: Omit<StoredRecord, "id">): Promise<void>;
  /** What the zone holds now, by the backend's own account. */
  records(zone: string): Promise<readonly DnsRecord[]>;
  /** How many changes it has accepted. */
  writeCount(): number;
  /** Lets the next requests fail; 0 times ends it. */
  fail(fault: Fault, times: number): void;
  /** Resolves when a request has arrived that will never be answered. */
  untilHanging(): Promise<void>;
  close(): Promise<void>;
}

export type Fault =
  | { readonly kind: "throttle"; readonly retryAfterSeconds: number }
  | { readonly kind: "error" }
  | { readonly kind: "truncate" }
  | { readonly kind: "hang" };

export interface SimulatedRequest {
  readonly method: string;
  /** The address that the adapter asked for, on the provider's real host. */
  readonly url: URL;
  /** Decoded path segments without the empty first one. */
  readonly segments: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SimulatedAnswer {
  readonly status: number;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SimulatorOptions {
  readonly credentials: Credentials;
  readonly wrongCredentials: Credentials;
  readonly missingZone: Zone;
  readonly handle: (request: SimulatedRequest, store: ZoneStore) => SimulatedAnswer;
  /** How this provider says "too many requests". */
  readonly throttled?: (retryAfterSeconds: number) => SimulatedAnswer;
  /** How it answers a request that the handler could not make sense of. */
  readonly malformed?: (message: string) => SimulatedAnswer;
}

const originHeader = "x-simulated-origin";

/**
 * A stateful simulator of a provider. Requests are answered in the process, after `Request` has
 * read them as it would to send them; while a fault is set they go over a loopback connection,
 * which can break.
 */
export async function startSimulator(
  options: SimulatorOptions,
): Promise<Backend & { store: ZoneStore }> {
  const store = createZoneStore();
  let fault: { readonly fault: Fault; times: number } | null = null;
  let announceHang: () => void = () => undefined;
  const hanging = new Promise<void>((resolve) => {
    announceHang = resolve;
  });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const origin = String(incoming.headers[originHeader] ?? "http://unknown.invalid");
      const url = new URL(incoming.url ?? "/", origin);
      const body = Buffer.concat(chunks).toString("utf8");
      const { method = "GET", headers } = incoming;
      if (fault !== null && fault.times > 0) {
        fault.times -= 1;
        if (fault.fault.kind === "hang") announceHang();
        misbehave(response, fault.fault, options);
      } else {
        reply(response, answerTo(readRequest(method, url, headers, body), store, options));
      }
    });
  });
  let address: Promise<string> | null = null;
  const send: Fetch = async (url, init) => {
    if (fault === null || fault.times === 0) return answerHere(url, init, store, options);
    address ??= listen(server);
    return redirectedFetch(await address, url, init);
  };
  return {
    store,
    credentials: options.credentials,
    wrongCredentials: options.wrongCredentials,
    missingZone: options.missingZone,
    fetch: send,
    seed: async (zone, records) => store.seed(zone, records),
    plant: async (zone, row) => store.plant(zone, row),
    records: async (zone) => store.canonical(zone),
    writeCount: () => store.writeCount(),
    fail: (next, times) => {
      fault = { fault: next, times };
    },
    untilHanging: () => hanging,
    close: async () => {
      server.closeAllConnections();
      if (address !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function readRequest(
  method: string,
  url: URL,
  headers: IncomingHttpHeaders,
  body: string,
): SimulatedRequest {
  const segments = url.pathname.split("/").slice(1).map(decodeURIComponent);
  return { method, url, segments, headers, body };
}

async function answerHere(
  url: string,
  init: RequestInit,
  store: ZoneStore,
  options: SimulatorOptions,
): Promise<Response> {
  const sent = new Request(url, init);
  const body = await sent.text();
  sent.signal.throwIfAborted();
  const length = init.body === undefined && sent.method === "GET" ? {} : byteLength(body);
  const headers = { ...Object.fromEntries(sent.headers), ...length };
  const request = readRequest(sent.method, new URL(url), headers, body);
  const { status, text, headers: answered } = render(answerTo(request, store, options));
  return new Response(text === "" ? null : text, { status, headers: answered });
}

/** Which a client adds, and some signatures are made over. */
function byteLength(body: string): { readonly "content-length": string } {
  return { "content-length": String(Buffer.byteLength(body)) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${portOf(server.address())}`;
}

/** Same path, same headers, but on loopback; a header carries the intended host. */
function redirectedFetch(address: string, url: string, init: RequestInit): Promise<Response> {
  const meant = new URL(url);
  const headers = new Headers(init.headers);
  headers.set(originHeader, meant.origin);
  return fetch(`${address}${url.slice(meant.origin.length)}`, { ...init, headers });
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  return address.port;
}

function answerTo(
  request: SimulatedRequest,
  store: ZoneStore,
  options: SimulatorOptions,
): SimulatedAnswer {
  try {
    return options.handle(request, store);
  } catch (error) {
    const message = error instanceof Error ? error.message : "unreadable";
    // Decoders throw ProviderErrors; anything else is a mistake in the simulator itself.
    if (!(error instanceof ProviderError || error instanceof SyntaxError)) {
      return { status: 599, body: { simulator: message } };
    }
    return options.malformed?.(message) ?? { status: 400, body: { message } };
  }
}

function misbehave(response: ServerResponse, fault: Fault, options: SimulatorOptions): void {
  switch (fault.kind) {
    case "throttle": {
      const seconds = fault.retryAfterSeconds;
      const usual = { status: 429, headers: { "retry-after": String(seconds) }, body: {} };
      reply(response, options.throttled?.(seconds) ?? usual);
      return;
    }
    case "error":
      reply(response, { status: 500, body: "<html>Internal error</html>" });
      return;
    case "truncate":
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write('{"result":[{"id":"1",', () => response.destroy());
      return;
    case "hang":
      // The suite closes the connection.
      return;
  }
}

function reply(response: ServerResponse, answer: SimulatedAnswer): void {
  const { status, text, headers } = render(answer);
  response.writeHead(status, headers);
  response.end(text);
}

function render({ status, body, headers = {} }: SimulatedAnswer): {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string>;
} {
  if (body === undefined) return { status, text: "", headers: { ...headers } };
  if (typeof body === "string") {
    return { status, text: body, headers: { "content-type": "text/xml", ...headers } };
  }
  const json = { "content-type": "application/json", ...headers };
  return { status, text: JSON.stringify(body), headers: json };
}

/** One page of a list, with the numbers that interfaces put beside it. Pages count from 1. */
export function slicePage<T>(
  items: readonly T[],
  page: number,
  size: number,
): { readonly items: readonly T[]; readonly pages: number; readonly hasMore: boolean } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const from = (page - 1) * size;
  return { items: items.slice(from, from + size), pages, hasMore: page < pages };
}
