import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { longestWaitMs } from "../processes/until.ts";

/** `openssl s_client` for a name: sends one request and returns everything that it printed. */
export async function opensslClient(
  port: number,
  servername: string,
  options: readonly string[] = [],
): Promise<string> {
  const child = spawn(
    "openssl",
    [
      "s_client",
      "-connect",
      `127.0.0.1:${port}`,
      "-servername",
      servername,
      "-ign_eof",
      ...options,
    ],
    { stdio: ["pipe", "pipe", "pipe"], timeout: longestWaitMs },
  );
  child.stdin.on("error", () => undefined); // refused in the handshake
  child.stdin.end(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return printed + errors;
}
