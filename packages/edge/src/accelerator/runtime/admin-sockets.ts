import { readdirSync } from "node:fs";

/** The runtime APIs of every HAProxy that has one, by name; none where the directory is gone. */
export function adminSockets(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => /^admin-.+\.sock$/.test(name));
  } catch {
    return [];
  }
}
