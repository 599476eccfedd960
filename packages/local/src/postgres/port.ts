import { once } from "node:events";
import { createServer } from "node:net";
import { hasCode } from "./absent.ts";

/** A loopback port nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === null) throw new Error("the system has no free loopback port");
  return port;
}

export async function isFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== null;
}

async function tryListen(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen({ host: "127.0.0.1", port, exclusive: true });
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : null;
  } catch (error) {
    if (hasCode(error, "EADDRINUSE", "EACCES")) return null;
    throw error;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, "close");
    }
  }
}
