import type { TestContext } from "node:test";
import { createNetworkResolver, type Resolver } from "@mooring/dns";
import type { Answer } from "dns-packet";
import type { Connection } from "../../../../control/src/domain/connections/connection.ts";
import { type Diagnosis, diagnose } from "../../../../control/src/domain/diagnosis/diagnose.ts";
import type { DiagnosisFacts } from "../../../../control/src/domain/diagnosis/facts.ts";
import { gatherDns } from "../../../../control/src/services/connections/diagnosis/gather-dns.ts";
import { type Behaviour, type ScriptedQuestion, startScriptedDns } from "../../dns/scripted-dns.ts";
import { a, answerFrom, ns } from "../../dns/scripted-zone.ts";
import { freePort } from "../../processes/free-port.ts";
import { testConnection } from "../connection.ts";
import { domainChecks } from "../domain-check.ts";
import { ada, bob, desired, edgeName, token } from "./facts.ts";

/** The records of a server, or how it misbehaves. */
type Holding = readonly Answer[] | Behaviour;

export interface ScriptedWorld {
  readonly zone?: string;
  /** The nameservers of the zone, each on its own socket; by default two that have `records`. */
  readonly servers?: Readonly<Record<string, Holding>>;
  readonly records?: readonly Answer[];
  /** The recursive resolver's answer instead of the first server's records. */
  readonly recursive?: (question: ScriptedQuestion) => Behaviour | null;
  readonly connection?: Partial<Connection>;
  readonly facts?: Partial<DiagnosisFacts>;
  readonly budgetMs?: number;
  /** How long one query waits for its answer. */
  readonly queryTimeoutMs?: number;
}

/** A diagnosis with real servers on loopback and a real resolver. */
export async function diagnoseScripted(
  context: TestContext,
  world: ScriptedWorld,
): Promise<Diagnosis> {
  return diagnoseWith(await resolverFor(context, world), world);
}

/** The same with the given resolver. */
export async function diagnoseWith(
  resolver: Resolver,
  world: Omit<ScriptedWorld, "servers" | "records" | "recursive">,
): Promise<Diagnosis> {
  const { runtime, clock } = domainChecks(resolver);
  const connection = testConnection({
    provider: "cloudflare",
    challenge: token,
    desiredRecords: [desired("CNAME", edgeName)],
    phaseStartedAt: clock.now(),
    ...world.connection,
  });
  const { signal } = new AbortController();
  const gathered = await gatherDns(runtime, connection, signal, world.budgetMs);
  return diagnose({
    connection,
    now: clock.now(),
    application: {
      originUrl: "https://app.example",
      recordTemplate: [],
      proofs: ["txt"],
      proxied: "refuse",
    },
    certificate: null,
    fault: null,
    cachedUntil: null,
    renewal: null,
    originRefusal: null,
    troubles: [],
    failingCredentials: [],
    foreignCertificates: [],
    claim: "free",
    mayContestAt: null,
    contestAfterMs: 72 * 3_600_000,
    lastWrite: null,
    consent: null,
    email: null,
    issuers: ["letsencrypt.org"],
    ...gathered,
    ...world.facts,
  });
}

export function codesOf({ findings }: Diagnosis): readonly string[] {
  return findings.map(({ code }) => code);
}

/** Enough for a busy machine; a test with an unresponsive server waits this long. */
const queryTimeoutMs = 4_000;

async function resolverFor(context: TestContext, world: ScriptedWorld) {
  const zone = world.zone ?? "acme.example";
  const records = world.records ?? [];
  const servers = Object.entries(world.servers ?? { [ada]: records, [bob]: records });
  const port = await freePort();
  const delegation = servers.map(([host]) => ns(zone, host));
  const start = async (address: string, behave: (question: ScriptedQuestion) => Behaviour) => {
    const server = await startScriptedDns({ address, port, behave });
    context.after(() => server.stop());
  };
  const holdings = servers.map(([, holding]) => (isHolding(holding) ? holding : []));
  for (const [index, [, holding]] of servers.entries()) {
    const answers = isHolding(holding)
      ? answerFrom([...delegation, ...holding], { soa: zone })
      : null;
    await start(`127.0.0.${index + 2}`, (asked) => answers?.(asked) ?? toBehaviour(holding));
  }
  const glue = servers.map(([host], index) => a(host, `127.0.0.${index + 2}`));
  const known = [...delegation, ...glue, a(edgeName, "192.0.2.10"), ...(holdings[0] ?? [])];
  const usual = answerFrom(known, { soa: zone, authoritative: false });
  await start("127.0.0.1", (asked) => world.recursive?.(asked) ?? usual(asked));
  const attemptTimeoutMs = world.queryTimeoutMs ?? queryTimeoutMs;
  return createNetworkResolver({
    resolvers: [`127.0.0.1:${port}`],
    authoritativePort: port,
    limits: { attemptTimeoutMs, udpAttempts: 1 },
  });
}

function isHolding(holding: Holding): holding is readonly Answer[] {
  return Array.isArray(holding);
}

function toBehaviour(holding: Holding): Behaviour {
  return isHolding(holding) ? {} : holding;
}
