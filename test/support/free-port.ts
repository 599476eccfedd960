import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A port that is free for UDP and TCP on every loopback address. Taken from below the kernel's
 * ephemeral range, so that no client socket of a test can land on it later. It is given once: neither this
 * process nor another that runs tests gets it again before somebody listens there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (reserve(port) && (await isTcpFree(port)) && (await isUdpFree(port))) return port;
  }
}

const directory = path.join(tmpdir(), "mooring-test-ports");
const reserved = new Set<number>();
process.once("exit", () => {
  for (const port of reserved) rmSync(path.join(directory, String(port)), { force: true });
});

/** False when this process has given the port, or another has that still runs; its file has the process id. */
function reserve(port: number): boolean {
  if (reserved.has(port)) return false;
  const file = path.join(directory, String(port));
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    if (isRunning(ownerIn(file))) return false;
    writeFileSync(file, String(process.pid));
  }
  reserved.add(port);
  return true;
}

/** Its process has just ended when the file is gone. */
function ownerIn(file: string): number {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return Number.NaN;
  }
}

function isRunning(pid: number): boolean {
  if (Number.isNaN(pid)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
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
