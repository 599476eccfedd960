import { randomBytes } from "node:crypto";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";

/** What became of one visitor: the status of its page, or why it got none. */
export type Outcome = number | "refused" | "stuck";

const patienceMs = 30_000;

/**
 * Visitors who all come at once, each from an address of its own (the whole of 127/8 is this
 * machine), so that limits per address do not stand between them and what is looked at.
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

/** One visitor of the herd. */
export function visitFrom(
  localAddress: string,
  port: number,
  servername: string,
  ca: string,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const plain = connectTcp({ host: "127.0.0.1", port, localAddress });
    plain.on("error", () => finish("refused"));
    const socket = connectTls({ socket: plain, servername, ca });
    let heard = "";
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish("stuck"), patienceMs);
    socket.on("secureConnect", () => {
      socket.write(`GET / HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
    });
    socket.on("data", (part: Buffer) => {
      heard += part.toString("latin1");
    });
    // An alert, or a connection that is closed before it is secure.
    socket.on("error", () => finish("refused"));
    socket.on("close", () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1];
      finish(status === undefined ? "refused" : Number(status));
    });
  });
}

/** The first flight of a TLS client that names a server: as much as a refusal needs to read. */
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

/** What a server says to the hello, in hexadecimal, until it closes; null when it cannot be had. */
export function answerTo(
  port: number,
  localAddress: string,
  hello: Buffer,
  host = "127.0.0.1",
): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, localAddress });
    const heard: Buffer[] = [];
    socket.on("connect", () => socket.write(hello));
    socket.on("data", (part: Buffer) => heard.push(part));
    socket.on("error", () => resolve(null));
    socket.on("close", () => resolve(Buffer.concat(heard).toString("hex")));
  });
}
