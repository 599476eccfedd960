import { ask, type DnsClient } from "../client/ask.ts";
import type { ServerPolicy } from "../client/limiter.ts";
import type { DnssecSource } from "../dnssec/chain.ts";
import type { Message } from "../wire/message.ts";
import { readWireRecords } from "../wire/wire-records.ts";
import { locateServers, type RecursiveAsk } from "./find-zone.ts";
import type { NameServer } from "./resolver.ts";

export interface DnssecSourceOptions {
  readonly client: DnsClient;
  /**
   * Asks the recursive resolvers with checking disabled: those that validate hide the servers of a
   * bogus zone.
   */
  readonly recurse: RecursiveAsk;
  readonly policy: ServerPolicy;
  readonly port: number;
  readonly addressesOf: (server: NameServer) => readonly string[];
}

const rcodes = new Map([
  [0, "NOERROR"],
  [3, "NXDOMAIN"],
] as const);

/** Answers with signatures from the zones' own servers. */
export function createDnssecSource(options: DnssecSourceOptions): DnssecSource {
  const { recurse } = options;
  return {
    async findServers(zone, signal) {
      const { reply, additionals } = await recurse(zone, "NS", signal);
      if (reply.outcome !== "records" || reply.chain.length > 0) return [];
      const hosts = reply.records.map((record) => record.value);
      return locateServers(recurse, zone, { hosts, glue: additionals }, signal);
    },
    async ask(server, name, type, signal) {
      for (const address of options.addressesOf(server)) {
        const asked = await ask(options.client, {
          name,
          type,
          signal,
          policy: options.policy,
          transport: "udp",
          recursionDesired: false,
          checkingDisabled: true,
          dnssecOk: true,
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
