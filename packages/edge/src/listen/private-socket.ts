import { once } from "node:events";
import { chmodSync, chownSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { findHaproxyUser } from "../accelerator/haproxy-user.ts";

const backlog = 1_024;

/**
 * Listens at a path that only HAProxy's user can open, which is this one unless it has one of its
 * own. The name moves to this socket at once from that of an earlier process, which still accepts
 * what has reached its own.
 */
export async function listenAtPath(server: Server, path: string): Promise<void> {
  const made = `${path}.${process.pid}`;
  rmSync(made, { force: true });
  server.listen({ path: made, backlog });
  await once(server, "listening");
  const user = findHaproxyUser();
  chmodSync(made, 0o600);
  if (user !== null) chownSync(made, user.uid, user.gid);
  renameSync(made, path);
}
