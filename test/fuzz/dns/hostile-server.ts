import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type HostileMessage, packetFor, questionEnd } from "./packet.ts";

/** Answers every question, over UDP and TCP, with the message that stands for its name. */
export interface HostileServer {
  readonly address: string;
  readonly port: number;
  answer(name: string, message: HostileMessage): void;
  forget(): void;
  stop(): Promise<void>;
}

export async function startHostileServer(): Promise<HostileServer> {
  const byName = new Map<string, HostileMessage>();
  const sockets = new Set<Socket>();
  const answerTo = (query: Buffer): { packet: Buffer; message: HostileMessage } | null => {
    const message = byName.get(nameIn(query));
    return message === undefined ? null : { packet: packetFor(query, message), message };
  };

  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = answerTo(received.subarray(2));
      received = Buffer.alloc(0);
      if (answer === null) return void socket.destroy();
      const length = Buffer.alloc(2);
      const stated = answer.packet.length + answer.message.frameError;
      length.writeUInt16BE(Math.max(0, Math.min(65_535, stated)));
      // In two pieces, as the network may deliver it.
      socket.write(length);
      socket.end(answer.packet);
    });
  });
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const bound = tcp.address();
  if (bound === null || typeof bound === "string") throw new Error("not a TCP listener");
  const udp = createSocket("udp4");
  udp.on("error", () => undefined);
  udp.on("message", (query, from) => {
    const answer = answerTo(query);
    // A longer datagram than the system sends is lost, as it would be on the way.
    if (answer !== null) udp.send(answer.packet, from.port, from.address, () => undefined);
  });
  udp.bind(bound.port, "127.0.0.1");
  await once(udp, "listening");
  return {
    address: "127.0.0.1",
    port: bound.port,
    answer: (name, message) => void byName.set(name, message),
    forget: () => byName.clear(),
    async stop() {
      for (const socket of sockets) socket.destroy();
      udp.close();
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  const end = questionEnd(query) - 5;
  for (let at = 12; at < end; at += (query[at] ?? 0) + 1) {
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  }
  return labels.join(".").toLowerCase();
}
