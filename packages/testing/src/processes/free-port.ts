import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A port that is free for UDP and TCP on every loopback address. Taken from below the kernel's
 * ephemeral range, so that no client socket of a test can land on it later. It is not given to
 * another process while this one runs: a server that a test starts may take seconds until it
 * listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (reserve(port) && (await isTcpFree(port)) && (await isUdpFree(port))) return port;
  }
}

/**
 * A file for each port that a running process of this user has asked for, with the process's id.
 */
const reservations = path.join(tmpdir(), `mooring-test-ports-${process.getuid?.() ?? 0}`);
const own: string[] = [];

function reserve(port: number): boolean {
  if (own.length === 0) {
    mkdirSync(reservations, { recursive: true });
    process.once("exit", () => own.forEach((file) => void rmSync(file, { force: true })));
  }
  const file = path.join(reservations, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    own.push(file);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    // Left by a process that was killed: free from the next time on.
    if (!isRunning(readHolder(file))) rmSync(file, { force: true });
    return false;
  }
}

function readHolder(file: string): number {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0; // given back just now
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
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
