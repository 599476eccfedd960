import { connect } from "node:tls";
import type { Front } from "./edge-fronts.ts";

/** One visit by name on a connection of its own; the time from its begin to the first byte, in ms. */
export function firstByteMs(front: Front, hostname: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: front.address,
      port: front.port,
      servername: hostname,
      // Whose certificate it is does not matter here, only that there is one for this name.
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    });
    socket.setTimeout(30_000, () => socket.destroy(new Error(`${front.name}: no answer in time`)));
    socket.once("secureConnect", () => {
      if (!socket.getPeerX509Certificate()?.checkHost(hostname)) {
        socket.destroy(new Error(`${front.name}: another name's certificate for ${hostname}`));
        return;
      }
      socket.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
    });
    socket.once("data", (chunk: Buffer) => {
      const took = performance.now() - startedAt;
      const isFine = chunk.toString("latin1", 0, 12) === "HTTP/1.1 200";
      if (!isFine) reject(new Error(`${front.name}: ${chunk.toString("latin1", 0, 60)}`));
      else resolve(took);
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`${front.name}: closed before an answer`)));
  });
}

/** Every name once, a few at a time. */
export async function visitAll(front: Front, names: readonly string[]): Promise<void> {
  const left = names.values();
  const visitor = async (): Promise<void> => {
    for (const name of left) await firstByteMs(front, name);
  };
  await Promise.all(Array.from({ length: 8 }, visitor));
}
