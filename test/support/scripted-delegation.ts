import type { Answer } from "dns-packet";
import { createNetworkResolver, type Resolver } from "../../packages/dns/src/index.ts";
import { freePort } from "./free-port.ts";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  startScriptedDns,
} from "./scripted-dns.ts";
import { a, answerFrom, ns } from "./scripted-zone.ts";

/** What happens to a right answer on its way; undefined leaves it as it is. */
export type Fault = (question: ScriptedQuestion, right: Behaviour) => Behaviour | undefined;

/** A zone on two scripted servers behind a scripted resolver, all on loopback, that can misbehave. */
export interface ScriptedDelegation {
  readonly resolver: Resolver;
  /** What the zone holds besides its delegation. */
  set(...records: readonly Answer[]): void;
  /** What goes wrong at the zone's servers, and at the resolver. */
  break(fault: Fault | null, where?: "servers" | "resolver" | "everywhere"): void;
  readonly asked: () => number;
  stop(): Promise<void>;
}

export async function startDelegation(zone: string, net: string): Promise<ScriptedDelegation> {
  const port = await freePort();
  const [first, second, recursive] = [`${net}.1`, `${net}.2`, `${net}.3`];
  const hosts = [`ns1.${zone}`, `ns2.${zone}`] as const;
  const delegation = [
    ns(zone, hosts[0]),
    ns(zone, hosts[1]),
    a(hosts[0], first),
    a(hosts[1], second),
  ];
  let answer = answerFrom(delegation, { soa: zone });
  const faults: { servers: Fault | null; resolver: Fault | null } = {
    servers: null,
    resolver: null,
  };
  const behave = (place: keyof typeof faults) => (question: ScriptedQuestion) => {
    const right = answer(question);
    return faults[place]?.(question, right) ?? right;
  };
  const started: ScriptedDns[] = [];
  for (const address of [first, second, recursive]) {
    const place = address === recursive ? "resolver" : "servers";
    started.push(await startScriptedDns({ address, port, behave: behave(place) }));
  }
  const unlimited = { ratePerSecond: 100_000, burst: 100_000, maxInFlight: 256 };
  return {
    resolver: createNetworkResolver({
      resolvers: [`${recursive}:${port}`],
      authoritativePort: port,
      limits: { attemptTimeoutMs: 120, authoritative: unlimited, recursive: unlimited },
    }),
    set(...records) {
      answer = answerFrom([...delegation, ...records], { soa: zone });
    },
    break(fault, where = "servers") {
      faults.servers = where === "resolver" ? null : fault;
      faults.resolver = where === "servers" ? null : fault;
    },
    asked: () => started.reduce((sum, server) => sum + server.seen.length, 0),
    async stop() {
      await Promise.all(started.map((server) => server.stop()));
    },
  };
}
