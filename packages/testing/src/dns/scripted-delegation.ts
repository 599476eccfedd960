import type { Answer } from "dns-packet";
import { createNetworkResolver, type Resolver } from "../../../dns/src/index.ts";
import { freePort } from "../processes/free-port.ts";
import {
  type Behaviour,
  REFUSED,
  type ScriptedDns,
  type ScriptedQuestion,
  SERVFAIL,
  SILENCE,
  startScriptedDns,
} from "./scripted-dns.ts";
import { a, answerFrom, cname, ns } from "./scripted-zone.ts";

/** Replaces a correct answer by a faulty one; undefined leaves it unchanged. */
export type Fault = (question: ScriptedQuestion, right: Behaviour) => Behaviour | undefined;

/**
 * A zone on two scripted servers and a scripted recursive resolver, all on loopback, with faults on
 * demand.
 */
export interface ScriptedDelegation {
  readonly resolver: Resolver;
  /** Sets the records of the zone besides its delegation. */
  set(...records: readonly Answer[]): void;
  /** Sets the fault of the zone's servers, of the resolver, or of both; null removes it. */
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
  const behave = (role: keyof typeof faults) => (question: ScriptedQuestion) => {
    const right = answer(question);
    return faults[role]?.(question, right) ?? right;
  };
  const started: ScriptedDns[] = [];
  for (const address of [first, second, recursive]) {
    const role = address === recursive ? "resolver" : "servers";
    started.push(await startScriptedDns({ address, port, behave: behave(role) }));
  }
  const unlimited = { ratePerSecond: 100_000, burst: 100_000, maxInFlight: 256 };
  const waiting = (attemptTimeoutMs: number): Resolver =>
    createNetworkResolver({
      resolvers: [`${recursive}:${port}`],
      authoritativePort: port,
      limits: { attemptTimeoutMs, authoritative: unlimited, recursive: unlimited },
    });
  // Right answers come late on a busy machine, and must not count as silence; for faults nobody has
  // to wait.
  const [patient, quick] = [waiting(4_000), waiting(120)];
  const chosen = (): Resolver =>
    faults.servers === null && faults.resolver === null ? patient : quick;
  return {
    resolver: {
      findZone: (...args) => chosen().findZone(...args),
      askServer: (...args) => chosen().askServer(...args),
      resolve: (...args) => chosen().resolve(...args),
      resolveEach: async (...args) => (await chosen().resolveEach?.(...args)) ?? [],
      validate: async (...args) =>
        (await chosen().validate?.(...args)) ?? { outcome: "indeterminate" },
      get reuse() {
        return chosen().reuse;
      },
    },
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

/** Faults of DNS that are not a changed record. */
export const dnsFaults: Readonly<Record<string, Fault>> = {
  SERVFAIL: () => SERVFAIL,
  REFUSED: () => REFUSED,
  silence: () => SILENCE,
  "truncation that TCP does not cure": (_question, right) => ({
    ...right,
    truncated: true,
    answers: [],
  }),
  "a lame delegation": ({ name }) => ({
    authoritative: false,
    authorities: [ns(name, "elsewhere.example")],
  }),
  // The loop starts at the target: one in the CNAME of the name would be a changed record.
  "a CNAME loop": ({ name, type }, right) => {
    if (type !== "CNAME") return { answers: loop(name) };
    const answers = right.answers ?? [];
    return { ...right, answers: [...answers, ...answers.flatMap(readTarget).flatMap(loop)] };
  },
  "a forged answer with another id": (_question, right) => ({ ...right, mangle: "id" }),
  "a forged answer to another question": (_question, right) => ({
    ...right,
    mangle: "question_name",
  }),
  "a forged answer of another owner": (_question, right) => ({
    ...right,
    rcode: 0,
    answers: [cname("evil.example", "elsewhere.example")],
  }),
  "a query sent back": (_question, right) => ({ ...right, mangle: "not_a_response" }),
  garbage: (_question, right) => ({ ...right, mangle: "garbage" }),
  "an answer cut short": (_question, right) => ({ ...right, mangle: "cut_short" }),
};

/** Spoils about this share of the answers, each with a randomly chosen fault. */
export function sometimes(share: number, random: () => number = Math.random): Fault {
  const faults = Object.values(dnsFaults);
  return (question, right) => {
    if (random() >= share) return undefined;
    return faults[Math.floor(random() * faults.length)]?.(question, right);
  };
}

function loop(name: string): Answer[] {
  return [cname(name, `loop.${name}`), cname(`loop.${name}`, name)];
}

function readTarget(answer: Answer): string[] {
  return answer.type === "CNAME" && "data" in answer ? [String(answer.data)] : [];
}
