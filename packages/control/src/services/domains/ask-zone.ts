import { setTimeout as wait } from "node:timers/promises";
import type { NameServer, QueryType, Reply, Resolver } from "@mooring/dns";

const MAX_SERVERS = 3;
/** After this the next server is asked as well: a good one has answered long before. */
const PATIENCE_MS = 400;

const noAnswer = new Error("the server gave no answer");

/**
 * One answer of a zone's own servers: the first is asked, then the next when it fails or takes its
 * time, three at most. For a look that a person waits for; what all of them say is another question.
 */
export async function askZone(
  resolver: Resolver,
  servers: readonly NameServer[],
  question: { readonly name: string; readonly type: QueryType },
  signal: AbortSignal,
): Promise<Reply> {
  const done = new AbortController();
  const inner = AbortSignal.any([signal, done.signal]);
  const attempts: Promise<Reply>[] = [];
  const reachable = servers.filter(({ addresses }) => addresses.length > 0);
  for (const server of reachable.slice(0, MAX_SERVERS)) {
    const turn = turnAfter(attempts, inner);
    attempts.push(turn.then(() => askOne(resolver, server, question, inner)));
  }
  try {
    return await Promise.any(attempts);
  } catch (error) {
    signal.throwIfAborted();
    const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    const fault = causes.find((cause) => cause !== noAnswer);
    if (fault !== undefined) throw fault;
    return { outcome: "failed", reason: "timeout" };
  } finally {
    done.abort();
  }
}

/** Resolves when the server before has failed, or has had its time since the start. */
function turnAfter(attempts: readonly Promise<Reply>[], signal: AbortSignal): Promise<void> {
  const before = attempts.at(-1);
  if (before === undefined) return Promise.resolve();
  const failed = before.then(
    () => new Promise<void>(() => undefined),
    () => undefined,
  );
  return Promise.race([failed, wait(attempts.length * PATIENCE_MS, undefined, { signal })]);
}

async function askOne(
  resolver: Resolver,
  server: NameServer,
  { name, type }: { readonly name: string; readonly type: QueryType },
  signal: AbortSignal,
): Promise<Reply> {
  const reply = await resolver.askServer(server, name, type, { signal, transport: "udp" });
  if (reply.outcome === "failed") throw noAnswer;
  return reply;
}
