import { readFileSync } from "node:fs";

export interface HaproxyUser {
  readonly uid: number;
  readonly gid: number;
}

/** Made by Debian's package. */
export const haproxyUserName = "haproxy";

/** The user that HAProxy becomes: only root can make it another one than that of the edge. */
export function findHaproxyUser(): HaproxyUser | null {
  if (process.getuid?.() !== 0) return null;
  return parseHaproxyUser(readFileSync("/etc/passwd", "utf8"));
}

/** Whether HAProxy would run as root, because there is nobody else. */
export function staysRoot(): boolean {
  return process.getuid?.() === 0 && findHaproxyUser() === null;
}

export function parseHaproxyUser(passwords: string): HaproxyUser | null {
  const fields = passwords
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === haproxyUserName);
  const [uid, gid] = (fields ?? []).slice(2, 4).map(Number);
  // Zero would be root again.
  return uid && gid ? { uid, gid } : null;
}
