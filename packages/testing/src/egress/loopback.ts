import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import type { Connect } from "../../../egress/src/dial.ts";

/** A real server on 127.0.0.1 that counts connections. */
export interface Loopback extends AsyncDisposable {
  readonly port: number;
  readonly connects: () => number;
}

export const certificate = fixture("origin-cert.pem");

/** Signed by nobody else, with its key. */
export const ownCertificate = { cert: certificate, key: fixture("origin-key.pem") };

export const listenTcp = (onConnection: (socket: Socket) => void = () => undefined) =>
  listen(createTcpServer(onConnection));

export const listenHttp = (onRequest: RequestListener) => listen(createHttpServer(onRequest));

export const listenHttps = (onRequest: RequestListener) =>
  listen(createHttpsServer(ownCertificate, onRequest));

/** Refuses to open anything but loopback, so that a hole in the guard cannot reach further. */
export function countingConnect(): { readonly connect: Connect; readonly dials: string[][] } {
  const dials: string[][] = [];
  return {
    dials,
    connect({ port, addresses }) {
      dials.push(addresses.map((each) => each.address));
      const first = addresses[0]?.address ?? "";
      if (!first.startsWith("127.")) throw new Error("a test may only dial loopback");
      return connect({ host: first, port });
    },
  };
}

async function listen(server: Server): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connects = 0;
  server.on("connection", (socket: Socket) => {
    connects += 1;
    sockets.add(socket);
    // Peers of these tests cut connections on purpose.
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server.address()),
    connects: () => connects,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("not a TCP listener");
  return address.port;
}

function fixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
}
