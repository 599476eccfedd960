import { connect as connectHttp2, constants } from "node:http2";
import { Agent, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { untilPromoted } from "../edge/accelerator/whole-edges.ts";

export interface VisitOptions {
  readonly port: number;
  readonly hostname: string;
  readonly ca: string;
}

export interface LoadOptions extends VisitOptions {
  readonly perSecond: number;
  /** Long responses under way at any time; each fifth over HTTP/2. */
  readonly longAtOnce: number;
}

export interface RestartLoad {
  counts(): Readonly<Record<"short" | "long" | "shed", number>>;
  /** What went wrong; nothing is tried again but a request that the edge shed with 503. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/** The body that `/long` must have. */
export const longBody = "0123456789".repeat(10);

/**
 * Each from an address of its own, and so busy that none is idle for as long as a draining edge
 * waits.
 */
const openConnections = 10;
/** On a machine that is too slow for the rate, requests wait here and not in the edge. */
const maxAtOnce = 40;

/**
 * Requests at a steady rate, nine of ten on connections that stay open, and long responses that are
 * checked to the last byte. Each new connection has an address of its own.
 */
export function startRestartLoad(options: LoadOptions): RestartLoad {
  const failures: string[] = [];
  const counts = { short: 0, long: 0, shed: 0 };
  // The agent has a pool of connections for each local address.
  const persistent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isStopped = false;
  let sent = 0;

  async function count(kind: "short" | "long", visit: () => Promise<Answer>): Promise<void> {
    const expected = kind === "short" ? options.hostname : longBody;
    try {
      const { status, body } = await visit();
      if (status === 503) counts.shed += 1;
      else if (status === 200 && body === expected) counts[kind] += 1;
      else failures.push(`${kind}: ${status} with ${body.length} bytes`);
    } catch (error) {
      failures.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async function sendShort(): Promise<void> {
    const pending = new Set<Promise<void>>();
    const startedAt = performance.now();
    while (!isStopped) {
      const due = ((performance.now() - startedAt) / 1_000) * options.perSecond;
      for (; sent < due && pending.size < maxAtOnce; sent += 1) {
        const agent = sent % 10 === 0 ? false : persistent;
        const one = count("short", () => visitHttp1(options, "/", agent));
        pending.add(one);
        void one.then(() => pending.delete(one));
      }
      await delay(5);
    }
    await Promise.all(pending);
  }

  async function sendLong(index: number): Promise<void> {
    while (!isStopped) {
      await count("long", () =>
        index % 5 === 0 ? visitHttp2(options, "/long") : visitHttp1(options, "/long", false),
      );
    }
  }

  const all = [
    sendShort(),
    ...Array.from({ length: options.longAtOnce }, (_, index) => sendLong(index)),
  ];
  return {
    failures,
    counts: () => ({ ...counts }),
    async stop() {
      isStopped = true;
      await Promise.all(all);
      persistent.destroy();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

let addresses = 0;

/** Another one of 127.64.0.0/10 for every connection: the edge limits connections by address. */
export function nextVisitorAddress(): string {
  addresses = (addresses + 1) % 4_000_000;
  return `127.${64 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

let opened = 0;

function nextOpenAddress(): string {
  opened = (opened + 1) % openConnections;
  return `127.0.9.${1 + opened}`;
}

/** One request on a connection of its own, over HTTP/1.1. */
export function visitOnce(at: VisitOptions, path: string): Promise<Answer> {
  return visitHttp1(at, path, false);
}

async function visitHttp1(at: VisitOptions, path: string, agent: Agent | false): Promise<Answer> {
  const { port, hostname, ca } = at;
  await untilPromoted(port, hostname);
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: "127.0.0.1",
        port,
        servername: hostname,
        ca,
        path,
        agent,
        localAddress: agent === false ? nextVisitorAddress() : nextOpenAddress(),
        headers: { host: hostname },
      },
      (response) => {
        let body = "";
        response.setEncoding("latin1");
        response.on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        response.on("error", reject);
        response.on("close", () => reject(new Error(`cut after ${body.length} bytes`)));
      },
    );
    const startedAt = performance.now();
    sending.on("error", (error) => {
      const kind = sending.reusedSocket ? "used" : "new";
      const elapsedMs = Math.round(performance.now() - startedAt);
      reject(new Error(`${error.message} on a ${kind} connection after ${elapsedMs} ms`));
    });
    sending.end();
  });
}

async function visitHttp2(at: LoadOptions, path: string): Promise<Answer> {
  const { port, hostname, ca } = at;
  await untilPromoted(port, hostname);
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      servername: hostname,
      ca,
      localAddress: nextVisitorAddress(),
    };
    const session = connectHttp2(`https://${hostname}:${port}`, options);
    session.on("error", reject);
    const stream = session.request({ ":path": path, ":authority": hostname });
    let status = 0;
    let body = "";
    stream.setEncoding("latin1");
    stream.on("response", (headers) => {
      status = Number(headers[constants.HTTP2_HEADER_STATUS]);
    });
    stream.on("data", (text: string) => {
      body += text;
    });
    stream.on("error", reject);
    stream.on("close", () => {
      session.close();
      resolve({ status, body });
    });
  });
}
