import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import type { TestEdge } from "./test-edge.ts";

/** A secure connection to the edge for a name; the certificate is verified. */
export async function connectTo(
  edge: TestEdge,
  servername: string,
  options: ConnectionOptions & { readonly localAddress?: string } = {},
): Promise<TLSSocket> {
  await edge.ready?.(servername);
  const socket = connectTls({
    host: "127.0.0.1",
    port: edge.httpsPort,
    servername,
    ca: edge.authority.certificatePem,
    ALPNProtocols: ["http/1.1"],
    ...options,
  });
  await once(socket, "secureConnect");
  socket.on("error", () => undefined);
  return socket;
}

export async function connectPlain(port: number): Promise<Socket> {
  const socket = connectTcp({ host: "127.0.0.1", port });
  await once(socket, "connect");
  socket.on("error", () => undefined);
  return socket;
}

/** All bytes until the connection closes. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

/**
 * The bytes so far as soon as they satisfy the condition; rejects when the connection ends before.
 */
export function readUntil(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (!isEnough(text)) return;
      socket.off("data", onData);
      socket.off("close", onClose);
      resolve(text);
    };
    const onClose = () => reject(new Error(`closed after ${JSON.stringify(text)}`));
    socket.on("data", onData);
    socket.once("close", onClose);
  });
}

/** Sends the bytes on a new connection and reads until it closes. */
export async function roundTrip(
  edge: TestEdge,
  servername: string,
  bytes: string | Buffer,
): Promise<string> {
  const socket = await connectTo(edge, servername);
  const answer = readAll(socket);
  socket.write(bytes);
  return await answer;
}

/** A request with the lines given, `Host` first, and `Connection: close` last. */
export function request(
  host: string,
  start = "GET / HTTP/1.1",
  lines: readonly string[] = [],
): string {
  return `${[start, `Host: ${host}`, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n`;
}

export function parseStatus(answer: string): number {
  return Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(answer)?.[1] ?? 0);
}
