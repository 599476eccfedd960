import { once } from "node:events";
import { request } from "node:https";
import { connect as connectTls } from "node:tls";

export interface Page {
  readonly status: number;
  readonly body: string;
}

/** One request by name to a port on loopback, trusting the given root alone. */
export function visit(port: number, hostname: string, ca: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
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
  /** The status of one more request on this very connection; null when it is closed. */
  get(): Promise<number | null>;
  close(): void;
}

export async function openVisit(port: number, hostname: string, ca: string): Promise<OpenVisit> {
  const socket = connectTls({ host: "127.0.0.1", port, servername: hostname, ca });
  let heard = "";
  let tell = (): void => undefined;
  socket.on("data", (part: Buffer) => {
    heard += part.toString("latin1");
    tell();
  });
  await once(socket, "secureConnect");
  // From here on an error is an end like another.
  socket.on("error", () => socket.destroy());
  socket.on("close", () => tell());
  return {
    get: () =>
      new Promise((resolve) => {
        heard = "";
        tell = () => {
          const status = /^HTTP\/1\.1 (\d{3}) [\s\S]*\r\n\r\n/.exec(heard)?.[1];
          if (status !== undefined) resolve(Number(status));
          else if (socket.destroyed) resolve(null);
        };
        tell();
        if (!socket.destroyed) socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
      }),
    close: () => socket.destroy(),
  };
}
