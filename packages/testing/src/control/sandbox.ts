import assert from "node:assert/strict";
import {
  type DnsRecord,
  parseRecord,
  type QueryType,
  type Reply,
  type Resolver,
} from "@mooring/dns";
import {
  sandboxNameservers,
  toSandboxRecord,
} from "../../../control/src/domain/sandbox/sandbox.ts";
import { createSandboxResolver } from "../../../control/src/services/sandbox/resolver.ts";

export const { signal } = new AbortController();
export const start = new Date("2030-01-01T00:00:00Z");
export const edge = { cname: "edge.service.example", addresses: ["198.51.100.7", "2001:DB8::7"] };

export function record(line: string): DnsRecord {
  const [name = "", type = "", ...rest] = line.split(" ");
  const isMx = type === "MX";
  const priority = isMx ? Number(rest.shift()) : null;
  const parsed = parseRecord({ name, type, value: rest.join(" "), ttl: 300, priority });
  if (!parsed.ok) throw new Error(`${line}: ${parsed.message}`);
  return parsed.record;
}

/**
 * A sandbox in memory: zones by name, a clock that moves, and an outside resolver with one name.
 */
export function sandbox(zones: Readonly<Record<string, readonly string[]>> = {}) {
  let now = start;
  const stored = new Map(
    Object.entries(zones).map(([zone, lines]) => [
      zone,
      {
        zone,
        tenantId: "t",
        nameservers: sandboxNameservers,
        records: lines.map((line) => toSandboxRecord(record(line), start)),
        updatedAt: start,
      },
    ]),
  );
  const live = new Map<string, Date>();
  const resolver = createSandboxResolver({
    loadZone: async (zone) => stored.get(zone) ?? null,
    liveSince: async (hostname) => live.get(hostname) ?? null,
    now: () => now,
    edge,
    outside,
  });
  return {
    resolver,
    stored,
    live,
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    write(zone: string, lines: readonly string[], delayMs = 0) {
      const visibleAt = new Date(now.getTime() + delayMs);
      const records = lines.map((line) => toSandboxRecord(record(line), visibleAt));
      const before = stored.get(zone);
      const nameservers = before?.nameservers ?? sandboxNameservers;
      stored.set(zone, { zone, tenantId: "t", nameservers, records, updatedAt: now });
    },
    resolve: async (name: string, type: QueryType) =>
      shape(await resolver.resolve(name, type, signal)),
    ask: async (name: string, type: QueryType) => {
      const found = await resolver.findZone(name, signal);
      assert.ok(found.outcome === "found");
      const [server] = found.servers;
      assert.ok(server);
      return shape(await resolver.askServer(server, name, type, { signal, transport: "tcp" }));
    },
  };
}

const outside: Resolver = {
  findZone: async () => ({ outcome: "unregistered" }),
  askServer: async () => ({ outcome: "failed", reason: "timeout" }),
  resolve: async (name, type) =>
    name === "far.example" && type === "A"
      ? {
          outcome: "records",
          records: [
            { name: "farther.example", type, value: "198.51.100.99", ttl: 9, priority: null },
          ],
          chain: ["farther.example"],
          authoritative: false,
          transport: "udp",
        }
      : { outcome: "failed", reason: "timeout" },
};

/** `owner value` of each record, or the rcode or reason; with the chain where there is one. */
export function shape(reply: Reply): unknown {
  if (reply.outcome === "failed") return reply.reason;
  const via = reply.chain.length > 0 ? [`via ${reply.chain.join(" ")}`] : [];
  if (reply.outcome === "absent") return via.length > 0 ? [reply.rcode, ...via] : reply.rcode;
  return [...reply.records.map(({ name, value }) => `${name} ${value}`), ...via];
}
