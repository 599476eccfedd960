import { once } from "node:events";
import { chmodSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:net";

const backlog = 1_024;

/**
 * Listens at a path that only this user can open. The name moves to this socket at once from that
 * of an earlier process, which still accepts what has reached its own.
 */
export async function listenAtPath(server: Server, path: string): Promise<void> {
  const made = `${path}.${process.pid}`;
  rmSync(made, { force: true });
  server.listen({ path: made, backlog });
  await once(server, "listening");
  chmodSync(made, 0o600);
  renameSync(made, path);
}
