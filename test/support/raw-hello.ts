import { randomBytes } from "node:crypto";
import { connect } from "node:net";

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
    const socket = connect({ host, port, localAddress });
    const heard: Buffer[] = [];
    socket.on("connect", () => socket.write(hello));
    socket.on("data", (part: Buffer) => heard.push(part));
    socket.on("error", () => resolve(null));
    socket.on("close", () => resolve(Buffer.concat(heard).toString("hex")));
  });
}
