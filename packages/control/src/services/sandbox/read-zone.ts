import { isDrifted, isMagic } from "../../domain/sandbox-magic.ts";
import { type Node, nodeAt } from "../../domain/sandbox-node.ts";
import {
  nameserverAddress,
  type SandboxZone,
  sandboxHome,
  sandboxNameservers,
  toSandboxRecord,
} from "../../domain/sandbox-zone.ts";

/** One zone at one moment, as its servers hold it. */
export interface ReadZone {
  readonly zone: string;
  readonly nameservers: readonly string[];
  readonly serial: number;
  nodeAt(name: string): Promise<Node>;
}

interface Needs {
  readonly loadZone: (zone: string) => Promise<SandboxZone | null>;
  readonly liveSince: (hostname: string) => Promise<Date | null>;
  readonly now: () => Date;
}

export function createZoneReader(
  needs: Needs,
): (zone: string, signal: AbortSignal) => Promise<ReadZone> {
  return async (zone, signal) => {
    const kept = zone === sandboxHome ? home : await needs.loadZone(zone);
    signal.throwIfAborted();
    const { records, nameservers, updatedAt } = kept ?? empty;
    return {
      zone,
      nameservers,
      serial: Math.max(1, Math.floor(updatedAt.getTime() / 1_000)),
      async nodeAt(name) {
        const now = needs.now();
        const liveSince = isMagic(name, "drift") ? await needs.liveSince(name) : null;
        signal.throwIfAborted();
        return nodeAt({ zone, records }, name, {
          now,
          isDrifted: isDrifted(liveSince, updatedAt, now),
        });
      },
    };
  };
}

const never = new Date(0);
const empty = { nameservers: sandboxNameservers, records: [], updatedAt: never };

/** The sandbox's own zone, in which its servers have their addresses. */
const home: Omit<SandboxZone, "tenantId"> = {
  ...empty,
  zone: sandboxHome,
  records: sandboxNameservers.map((name, index) =>
    toSandboxRecord(
      { name, type: "A", value: nameserverAddress(index), ttl: 3_600, priority: null },
      never,
    ),
  ),
};
