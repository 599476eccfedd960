import { ask, type DnsClient } from "../client/ask.ts";
import type { ServerPolicy } from "../client/limiter.ts";
import type { DnssecSource } from "../dnssec/chain.ts";
import type { Message } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import { readWireRecords } from "../wire/wire-records.ts";
import { locateServers } from "./find-zone.ts";
import { askUnchecked, type RecursiveOptions } from "./recursive.ts";
import type { NameServer } from "./resolver.ts";

export interface DnssecSourceOptions {
  readonly client: DnsClient;
  readonly recursive: RecursiveOptions;
  readonly policy: ServerPolicy;
  readonly port: number;
  readonly addressesOf: (server: NameServer) => readonly string[];
}

const rcodes = new Map([
  [0, "NOERROR"],
  [3, "NXDOMAIN"],
] as const);

/**
 * Answers with signatures from the zones' own servers. Recursive resolvers are asked with checking
 * disabled, because those that validate hide the servers of a bogus zone.
 */
export function createDnssecSource(options: DnssecSourceOptions): DnssecSource {
  const recurse = (name: string, type: QueryType, signal: AbortSignal) =>
    askUnchecked(options.recursive, name, type, signal);
  return {
    async serversOf(zone, signal) {
      const { reply, additionals } = await recurse(zone, "NS", signal);
      if (reply.outcome !== "records" || reply.chain.length > 0) return [];
      const hosts = reply.records.map((record) => record.value);
      return locateServers(recurse, zone, { hosts, glue: additionals }, signal);
    },
    async ask(server, name, type, signal) {
      for (const address of options.addressesOf(server)) {
        const asked = await ask(options.client, {
          ...{ name, type, signal, policy: options.policy, transport: "udp" },
          ...{ recursionDesired: false, checkingDisabled: true, dnssecOk: true },
          to: { address, port: options.port },
        });
        if (asked.kind === "message") return signedAnswer(asked.message);
      }
      return null;
    },
  };
}

function signedAnswer({ rcode, authoritative, packet }: Message) {
  const code = rcode === 0 || rcode === 3 ? rcodes.get(rcode) : undefined;
  const sections = code === undefined || !authoritative ? null : readWireRecords(packet);
  return code === undefined || sections === null ? null : { rcode: code, ...sections };
}
