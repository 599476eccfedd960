import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "../processes/free-port.ts";

/** A TCP relay to a database, which a test can cut while others use the database directly. */
export interface DatabaseRelay {
  readonly url: string;
  /** Closes every connection and accepts no new one, like a server that crashed. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  restore(): Promise<void>;
  /**
   * Connections stay open and new ones are accepted, but nothing passes, like a server that is
   * frozen.
   */
  freeze(): void;
  /** What was sent meanwhile passes now. */
  thaw(): void;
  close(): Promise<void>;
}

export async function startRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const target = new URL(databaseUrl);
  const url = new URL(databaseUrl);
  const port = await freePort();
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const sockets = new Set<Socket>();
  const track = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  let isFrozen = false;
  const pairs = new Map<Socket, Socket>();
  const pass = (near: Socket, far: Socket): void => void near.pipe(far).pipe(near);
  const join = (near: Socket): void => {
    const far = connect(Number(target.port), target.hostname);
    track(near, far);
    track(far, near);
    pairs.set(near, far);
    near.on("close", () => pairs.delete(near));
    if (!isFrozen) pass(near, far);
  };
  const freeze = (): void => {
    isFrozen = true;
    for (const [near, far] of pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.pause();
      far.pause();
    }
  };
  const thaw = (): void => {
    isFrozen = false;
    for (const [near, far] of pairs) pass(near, far);
  };
  let server: Server | null = null;
  const restore = async (): Promise<void> => {
    server = createServer(join).listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const cut = async (): Promise<void> => {
    const open = server;
    server = null;
    if (open === null) return;
    const closed = once(open, "close");
    open.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await restore();
  return { url: url.toString(), cut, restore, freeze, thaw, close: cut };
}
