import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut without either end being told. */
export interface TcpProxy {
  readonly port: number;
  /** From now on nothing passes in either direction, on old connections and on new ones. */
  freeze(): void;
  /** New connections pass again; the old ones stay dead, as after a lost NAT entry. */
  heal(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    if (isFrozen) {
      client.pause();
      return;
    }
    const target = keep(connect(targetPort, "127.0.0.1"));
    client.pipe(target);
    target.pipe(client);
    client.on("close", () => target.destroy());
    target.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners("close");
        socket.removeAllListeners("end");
        socket.on("close", () => sockets.delete(socket));
        socket.pause();
      }
    },
    heal() {
      isFrozen = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
