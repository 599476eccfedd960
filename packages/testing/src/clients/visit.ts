import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { request } from "node:https";
import { connect as connectTls } from "node:tls";
import { untilPromoted } from "../edge/accelerator/whole-edges.ts";
import { longestWaitMs } from "../processes/until.ts";

export interface Page {
  readonly status: number;
  readonly body: string;
}

/**
 * One HTTPS request for the hostname to a port on loopback; only the given root is trusted. `from`
 * is the visitor's address, also on loopback.
 */
export async function visit(
  port: number,
  hostname: string,
  ca: string,
  from = "127.0.0.1",
): Promise<Page> {
  await untilPromoted(port, hostname);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        localAddress: from,
        port,
        servername: hostname,
        headers: { host: hostname },
        ca,
        agent: false,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
        );
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

/** A connection that stays open between requests. */
export interface OpenVisit {
  /** The status of one more request on this connection; null when it is closed. */
  get(): Promise<number | null>;
  close(): void;
}

export async function openVisit(port: number, hostname: string, ca: string): Promise<OpenVisit> {
  await untilPromoted(port, hostname);
  const socket = connectTls({ host: "127.0.0.1", port, servername: hostname, ca });
  let received = "";
  let settle = (): void => undefined;
  socket.on("data", (part: Buffer) => {
    received += part.toString("latin1");
    settle();
  });
  await once(socket, "secureConnect");
  // From here on an error only closes the connection.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => settle());
  return {
    get: () =>
      new Promise((resolve) => {
        received = "";
        settle = () => {
          const status = /^HTTP\/1\.1 (\d{3}) [\s\S]*\r\n\r\n/.exec(received)?.[1];
          if (status !== undefined) resolve(Number(status));
          else if (socket.destroyed) resolve(null);
        };
        settle();
        if (!socket.destroyed) socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

/** The same over HTTP/2. */
export async function openVisitH2(port: number, hostname: string, ca: string): Promise<OpenVisit> {
  await untilPromoted(port, hostname);
  const session = connectH2(`https://127.0.0.1:${port}`, { servername: hostname, ca });
  await once(session, "connect");
  // From here on an error only closes the connection.
  session.on("error", () => session.destroy());
  return {
    get: () =>
      new Promise((resolve) => {
        if (session.closed || session.destroyed) {
          resolve(null);
          return;
        }
        const stream = session.request({ ":path": "/", ":authority": hostname });
        stream.on("response", (headers) => resolve(headers[":status"] ?? null));
        stream.on("error", () => resolve(null));
        stream.on("close", () => resolve(null));
        stream.resume();
      }),
    close: () => session.destroy(),
  };
}

/**
 * Opens connections until one is served. A busy edge refuses some, which is correct.
 */
export async function openServed(
  open: () => Promise<OpenVisit>,
  withinMs = longestWaitMs,
): Promise<OpenVisit> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const one = await open().catch((error: unknown) => {
      if (performance.now() > deadline) throw error;
      return null;
    });
    if (one && (await one.get()) === 200) return one;
    one?.close();
  }
}

/** A TLS session to resume: the newest that the server sent. */
export async function takeSession(
  port: number,
  hostname: string,
  options: { readonly ca: string; readonly version: "TLSv1.2" | "TLSv1.3" },
): Promise<Buffer | undefined> {
  const { ca, version } = options;
  await untilPromoted(port, hostname);
  const only = { minVersion: version, maxVersion: version };
  const socket = connectTls({ host: "127.0.0.1", port, servername: hostname, ca, ...only });
  let session: Buffer | undefined;
  socket.on("session", (ticket) => {
    session = ticket;
  });
  await once(socket, "secureConnect");
  session ??= socket.getSession();
  socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  await once(socket.resume(), "close");
  return session;
}

/** Whether the server resumes the session, which is of this version. */
export async function isResumed(
  port: number,
  hostname: string,
  options: {
    readonly ca: string;
    readonly version: "TLSv1.2" | "TLSv1.3";
    readonly session: Buffer | undefined;
  },
): Promise<boolean> {
  const { ca, version, session } = options;
  if (session === undefined) return false;
  await untilPromoted(port, hostname);
  const socket = connectTls({
    host: "127.0.0.1",
    port,
    servername: hostname,
    ca,
    session,
    minVersion: version,
    maxVersion: version,
  });
  await once(socket, "secureConnect");
  const is = socket.isSessionReused();
  socket.destroy();
  return is;
}

/** Whether a handshake succeeds, with the session to resume if one is given. */
export async function isLetIn(
  port: number,
  hostname: string,
  options: { readonly ca: string; readonly session?: Buffer | undefined },
): Promise<boolean> {
  const { ca, session } = options;
  await untilPromoted(port, hostname);
  return new Promise((resolve) => {
    const socket = connectTls({
      host: "127.0.0.1",
      port,
      servername: hostname,
      ca,
      ...(session ? { session } : {}),
    });
    const finish = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.on("secureConnect", () => finish(true));
    socket.on("error", () => finish(false));
    socket.on("close", () => finish(false));
  });
}

/** The milliseconds of so many requests one after the other, each answered with 200; sorted. */
export async function measureVisits(open: OpenVisit, count: number): Promise<readonly number[]> {
  const took: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const beganAt = performance.now();
    assert.equal(await open.get(), 200);
    took.push(performance.now() - beganAt);
  }
  return took.toSorted((one, other) => one - other);
}

/** As text, of sorted values; `part` from 0 to 1. */
export function percentile(sorted: readonly number[], part: number): string {
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * part));
  return (sorted[index] ?? 0).toFixed(1);
}
