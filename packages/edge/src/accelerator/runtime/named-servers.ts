import { slotName } from "../configuration/slots.ts";
import type { RuntimeApi } from "./runtime-api.ts";

/** The server of a promoted name; its own name says for whom it has answers in flight. */
export interface NamedServer {
  readonly slot: number;
  readonly name: string;
  readonly hostname: string;
  readonly claim: string;
}

/** An id that no other server has had. */
export function serverName(id: string, claim: string, hostname: string): string {
  return `${id}:${claim}:${hostname}`;
}

/** All that HAProxy has, of any process. Those of an earlier release do not say for whom. */
export async function listServers(api: RuntimeApi): Promise<readonly NamedServer[]> {
  const lines = (await api.run("show servers state")).split("\n");
  return lines.flatMap((line) => {
    const found = /^\d+ slot(\d+) \d+ (\S+)/.exec(line);
    if (found === null) return [];
    const [, slot, name = ""] = found;
    const [, claim = "", hostname = ""] = name.split(":");
    return [{ slot: Number(slot), name, claim, hostname }];
  });
}

/** Cuts the answers in flight. */
export async function cutServer(api: RuntimeApi, slot: number, name: string): Promise<void> {
  await api.run(`shutdown sessions server ${slotName(slot)}/${name}`);
}
