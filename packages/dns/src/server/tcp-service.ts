import type { Socket } from "node:net";
import { networkPrefix } from "./answer-rates.ts";

export interface TcpService {
  accept(socket: Socket): void;
  closeAll(): void;
}

const maxConnections = 1_000;
const maxPerNetwork = 100;
const idleMs = 10_000;
/** A query has one name and an OPT record; more is no query. */
const maxQueryBytes = 4_096;
const lengthBytes = 2;
/** A client that does not read its answers is not read from. */
const maxUnreadBytes = 262_144;

/**
 * DNS over TCP (RFC 7766): messages with a length before each, any number on a connection.
 * `respond` gives null for a message that is no query, which ends the connection.
 */
export function createTcpService(respond: (message: Buffer) => Buffer | null): TcpService {
  const sockets = new Set<Socket>();
  const perNetwork = new Map<string, number>();

  function release(socket: Socket, network: string): void {
    sockets.delete(socket);
    const left = (perNetwork.get(network) ?? 1) - 1;
    if (left <= 0) perNetwork.delete(network);
    else perNetwork.set(network, left);
  }

  return {
    accept(socket) {
      const network = networkPrefix(socket.remoteAddress ?? "");
      const open = perNetwork.get(network) ?? 0;
      if (sockets.size >= maxConnections || open >= maxPerNetwork) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      perNetwork.set(network, open + 1);
      socket.on("close", () => release(socket, network));
      // A client that goes away says nothing about the server.
      socket.on("error", () => socket.destroy());
      socket.setTimeout(idleMs, () => socket.destroy());
      serve(socket, respond);
    },
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serve(socket: Socket, respond: (message: Buffer) => Buffer | null): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    for (let message = nextMessage(unread); message !== null; message = nextMessage(unread)) {
      unread = unread.subarray(lengthBytes + message.length);
      const response = respond(message);
      if (response !== null) socket.write(framed(response));
      if (response === null || socket.writableLength > maxUnreadBytes) return void socket.destroy();
    }
    if (unread.length >= lengthBytes && unread.readUInt16BE(0) + lengthBytes > maxQueryBytes)
      socket.destroy();
  });
}

/** Null until the whole message is there. */
function nextMessage(unread: Buffer): Buffer | null {
  if (unread.length < lengthBytes) return null;
  const end = lengthBytes + unread.readUInt16BE(0);
  return unread.length < end || end > maxQueryBytes ? null : unread.subarray(lengthBytes, end);
}

function framed(response: Buffer): Buffer {
  const head = Buffer.allocUnsafe(lengthBytes);
  head.writeUInt16BE(response.length, 0);
  return Buffer.concat([head, response]);
}
