import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port that is free for UDP and TCP on every loopback address. Taken from below the kernel's
 * ephemeral range, so that no client socket of a test can land on it later.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await isTcpFree(port)) && (await isUdpFree(port))) return port;
  }
}

async function isTcpFree(port: number): Promise<boolean> {
  const server = createServer();
  return settle(async () => {
    server.listen(port, "0.0.0.0");
    await once(server, "listening");
    server.close();
    await once(server, "close");
  });
}

async function isUdpFree(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return settle(async () => {
    socket.bind(port, "0.0.0.0");
    await once(socket, "listening");
    socket.close();
    await once(socket, "close");
  });
}

async function settle(bind: () => Promise<void>): Promise<boolean> {
  try {
    await bind();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
}
