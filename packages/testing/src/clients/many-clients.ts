import { randomBytes } from "node:crypto";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { untilPromoted } from "../edge/accelerator/whole-edges.ts";
import { longestWaitMs } from "../processes/until.ts";

/** The result of one client: the status of its response, or why it got none. */
export type Outcome = number | "refused" | "stuck";

/**
 * Many clients at once, each from another address of 127/8, so that limits per address do not apply
 * to them.
 */
export function sendHerd(
  ports: readonly number[],
  hostname: string,
  herd: { readonly count: number; readonly ca: string },
): Promise<Outcome>[] {
  return Array.from({ length: herd.count }, (_, index) =>
    visitFrom(loopbackAddress(index), ports[index % ports.length] ?? 0, hostname, herd.ca),
  );
}

/** A loopback address for each number, none of them 127.0.0.x. */
export function loopbackAddress(index: number): string {
  const host = 65_536 + index;
  return `127.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255 || 255}`;
}

/** One client: a TLS handshake and a GET from the given address. */
export async function visitFrom(
  localAddress: string,
  port: number,
  servername: string,
  ca: string,
): Promise<Outcome> {
  await untilPromoted(port, servername);
  return new Promise((resolve) => {
    const plain = connectTcp({ host: "127.0.0.1", port, localAddress });
    plain.on("error", () => finish("refused"));
    const socket = connectTls({ socket: plain, servername, ca });
    let received = "";
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish("stuck"), longestWaitMs);
    socket.on("secureConnect", () => {
      socket.write(`GET / HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
    });
    socket.on("data", (part: Buffer) => {
      received += part.toString("latin1");
    });
    // A TLS alert, or a connection closed before the handshake is complete.
    socket.on("error", () => finish("refused"));
    socket.on("close", () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      finish(status === undefined ? "refused" : Number(status));
    });
  });
}

/** A ClientHello with a server name and nothing else, enough to be refused. */
export function clientHello(serverName: string): Buffer {
  const name = Buffer.from(serverName, "latin1");
  // RFC 6066 §3: a list of one name of type host_name.
  const list = prefixed(2, Buffer.concat([Buffer.from([0]), prefixed(2, name)]));
  const extension = Buffer.concat([Buffer.from([0, 0]), prefixed(2, list)]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    randomBytes(32),
    prefixed(1, Buffer.alloc(0)),
    prefixed(2, Buffer.from([0x13, 0x01, 0xc0, 0x2b])),
    prefixed(1, Buffer.from([0])),
    prefixed(2, extension),
  ]);
  const message = Buffer.concat([Buffer.from([1]), prefixed(3, body)]);
  return Buffer.concat([Buffer.from([22, 3, 1]), prefixed(2, message)]);
}

function prefixed(lengthBytes: 1 | 2 | 3, bytes: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(bytes.length, 0, lengthBytes);
  return Buffer.concat([length, bytes]);
}

/**
 * Everything that the server sends after the ClientHello until it closes, in hexadecimal; null on
 * an error.
 */
export function answerTo(
  port: number,
  localAddress: string,
  hello: Buffer,
  host = "127.0.0.1",
): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, localAddress });
    const received: Buffer[] = [];
    socket.on("connect", () => socket.write(hello));
    socket.on("data", (part: Buffer) => received.push(part));
    socket.on("error", () => resolve(null));
    socket.on("close", () => resolve(Buffer.concat(received).toString("hex")));
  });
}
