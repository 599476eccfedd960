import { connect as connectTcp, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";

/** A TLS client whose records are made beforehand, so that they can arrive all at once. */
export interface SealedClient {
  /** Under the TLS. */
  readonly socket: Socket;
  readonly secure: TLSSocket;
  /** One TLS record for each piece; nothing is sent. They must be sent in the order made. */
  seal(pieces: Iterable<Buffer>): Promise<Buffer>;
}

export interface SealedTarget {
  readonly port: number;
  readonly servername: string;
  readonly ca: string;
  readonly protocol?: "http/1.1" | "h2";
  readonly localAddress?: string;
}

export async function connectSealed(target: SealedTarget): Promise<SealedClient> {
  const { port, servername, ca, protocol = "http/1.1", localAddress = "127.0.0.1" } = target;
  const socket = connectTcp({ host: "127.0.0.1", port, localAddress });
  let sealed: Buffer[] | null = null;
  const link = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      if (sealed === null) socket.write(chunk, () => done());
      else {
        sealed.push(Buffer.from(chunk));
        done();
      }
    },
  });
  socket.on("data", (chunk: Buffer) => link.push(chunk));
  socket.on("error", () => socket.destroy());
  socket.on("close", () => link.destroy());
  const secure = connectTls({ socket: link, servername, ca, ALPNProtocols: [protocol] });
  secure.on("error", () => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    secure.once("secureConnect", resolve);
    socket.once("close", () => reject(new Error("closed during the handshake")));
  });
  return {
    socket,
    secure,
    async seal(pieces) {
      const made: Buffer[] = [];
      sealed = made;
      for (const piece of pieces) {
        await new Promise((resolve) => secure.write(piece, resolve));
      }
      sealed = null;
      return Buffer.concat(made);
    },
  };
}

/** The bytes one by one. */
export function* singleBytes(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
}
