import { printRecord } from "../../../dns/conformance/print-record.ts";
import {
  createNetworkResolver,
  type DnsRecord,
  type Resolver,
  recordKey,
} from "../../../dns/src/index.ts";
import { quoteTxt } from "../../../dns/src/presentation.ts";
import { startBindRecursive } from "../dns/bind-recursive.ts";
import { type DnsServer, startKnot } from "../dns/dns-servers.ts";
import { freePort } from "../processes/free-port.ts";
import type { ZoneChange } from "./options.ts";

/** Zones on a real authoritative server, found through a real recursive one. */
export interface ZoneServers {
  /** For DNS_RESOLVERS and DNS_AUTHORITATIVE_PORT. */
  readonly resolverAddress: string;
  readonly port: number;
  readonly resolver: Resolver;
  records(zone: string): readonly DnsRecord[];
  lines(zone: string): readonly string[];
  /** Done when the server answers with the new records. */
  change(zone: string, change: Partial<ZoneChange>): Promise<void>;
  stop(): Promise<void>;
}

const authoritativeAddress = "127.0.7.2";
const recursiveAddress = "127.0.7.3";

export async function startZoneServers(
  recordsByZone: Readonly<Record<string, readonly DnsRecord[]>>,
): Promise<ZoneServers> {
  const port = await freePort();
  const zones = new Map(
    Object.entries(recordsByZone).map(([zone, records]) => [
      zone,
      [...ownRecords(zone), ...records],
    ]),
  );
  const files = Object.fromEntries([...zones].map(([zone, records]) => [zone, zoneFile(records)]));
  const knot: DnsServer = await startKnot({ address: authoritativeAddress, port, zones: files });
  const forwards = Object.fromEntries(
    [...zones.keys()].map((zone) => [zone, [authoritativeAddress]]),
  );
  const options = { address: recursiveAddress, port, authoritativePort: port, zones: forwards };
  const recursive = await startBindRecursive(options);
  const records = (zone: string): readonly DnsRecord[] => zones.get(zone) ?? [];
  return {
    resolverAddress: `${recursiveAddress}:${port}`,
    port,
    resolver: createNetworkResolver({
      resolvers: [`${recursiveAddress}:${port}`],
      authoritativePort: port,
    }),
    records,
    lines: (zone) => records(zone).map(printRecord),
    async change(zone, { add = [], remove = [] }) {
      const removed = new Set(remove.map(recordKey));
      const left = [...records(zone).filter((one) => !removed.has(recordKey(one))), ...add];
      zones.set(zone, left);
      await knot.setZone(zone, zoneFile(left));
    },
    async stop() {
      await Promise.all([recursive.stop(), knot.stop()]);
    },
  };
}

function ownRecords(zone: string): readonly DnsRecord[] {
  const rest = { ttl: 60, priority: null };
  return [
    { name: zone, type: "NS", value: `ns1.${zone}`, ...rest },
    { name: `ns1.${zone}`, type: "A", value: authoritativeAddress, ...rest },
  ];
}

function zoneFile(records: readonly DnsRecord[]): string {
  return records
    .map(({ name, ttl, type, value }) => `${name}. ${ttl} ${type} ${presented(type, value)}`)
    .join("\n");
}

function presented(type: string, value: string): string {
  if (type === "TXT") return quoteTxt(value);
  return type === "CNAME" || type === "NS" ? `${value}.` : value;
}
