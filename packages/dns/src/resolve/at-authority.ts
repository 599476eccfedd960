import { askInOrder } from "../client/ask-in-order.ts";
import { isAtOrBelow, registryDomain } from "../name.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import { maxCnameDepth } from "./interpret.ts";
import type { Failed, NameServer, Reply, Resolver } from "./resolver.ts";

/** What one of the servers that own a name has for it. */
export interface AuthorityAnswer {
  /** The server of the last zone; null for a name that was resolved as usual. */
  readonly server: string | null;
  /** Empty: the server says that there are none. */
  readonly records: readonly AnswerRecord[];
  /** The CNAME targets on the way. */
  readonly chain: readonly string[];
  /** How long a cache that has this answer may still give it. */
  readonly cacheSeconds: number;
}

export type AuthorityAnswers =
  | { readonly outcome: "answered"; readonly answers: readonly AuthorityAnswer[] }
  | Failed;

interface AuthorityQuestion {
  readonly types: readonly QueryType[];
  /** Whether every server of a zone is asked, or the first that answers counts. */
  readonly servers: "every" | "first";
  /** Names that the recursive resolvers may answer for, such as the edge's own. */
  readonly isResolvedAsUsual: (name: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * What the servers that own a name answer, without any cache in between. CNAMEs are followed from
 * zone to zone, each at its own servers. Servers that do not answer are left out while another one
 * does. Names that belong to registries are resolved as usual.
 */
export function askAuthority(
  resolver: Resolver,
  name: string,
  question: AuthorityQuestion,
): Promise<AuthorityAnswers> {
  return follow(resolver, name, question, []);
}

async function follow(
  resolver: Resolver,
  name: string,
  question: AuthorityQuestion,
  chain: readonly string[],
): Promise<AuthorityAnswers> {
  if (chain.length > maxCnameDepth) return { outcome: "failed", reason: "cname_loop" };
  if (registryDomain(name) === null || question.isResolvedAsUsual(name)) {
    return resolveAsUsual(resolver, name, question, chain);
  }
  const found = await resolver.findZone(name, question.signal);
  if (found.outcome === "failed") {
    // The owner of a CNAME's target may be hard to find; the resolvers still lead there.
    return chain.length > 0 ? resolveAsUsual(resolver, name, question, chain) : found;
  }
  if (found.outcome === "unregistered") {
    return answered([{ server: null, records: [], chain, cacheSeconds: 0 }]);
  }
  const asked = await askServers(resolver, found.servers, name, question);
  const read = asked.map((one) => readServer(one, found.zone, chain));
  const target = read.map(({ leadsTo }) => leadsTo).find((one) => one !== null);
  if (target === undefined) return merge(read.map(({ result }) => result));
  // One target is followed: servers that name another one do not agree yet, and have no answer.
  const followed = await follow(resolver, target, question, [...chain, target]);
  return merge(read.map(({ leadsTo, result }) => (leadsTo === target ? followed : result)));
}

interface ServerReading {
  /** The CNAME target that other servers own. */
  readonly leadsTo: string | null;
  readonly result: AuthorityAnswers;
}

function readServer(
  { server, replies }: Asked,
  zone: string,
  chain: readonly string[],
): ServerReading {
  const failed = replies.find((reply) => reply.outcome === "failed");
  if (failed?.outcome === "failed") return { leadsTo: null, result: failed };
  const target = replies.map((reply) => targetOutside(reply, zone)).find((one) => one !== null);
  if (target === undefined) {
    return { leadsTo: null, result: answered([makeAnswer(server.host, replies, chain)]) };
  }
  const nothing = { server: server.host, records: [], chain, cacheSeconds: 0 };
  return { leadsTo: target, result: answered([nothing]) };
}

interface Asked {
  readonly server: NameServer;
  readonly replies: readonly Reply[];
}

async function askServers(
  resolver: Resolver,
  servers: readonly NameServer[],
  name: string,
  { types, servers: which, signal }: AuthorityQuestion,
): Promise<readonly Asked[]> {
  const ask = async (server: NameServer, inner: AbortSignal): Promise<Asked> => {
    const asked = types.map((type) =>
      resolver.askServer(server, name, type, { signal: inner, transport: "udp" }),
    );
    return { server, replies: await Promise.all(asked) };
  };
  if (which === "every") return Promise.all(servers.map((server) => ask(server, signal)));
  const failed: Asked[] = [];
  const askOne = async (server: NameServer, inner: AbortSignal): Promise<Asked | null> => {
    const asked = await ask(server, inner);
    if (asked.replies.every((reply) => reply.outcome !== "failed")) return asked;
    failed.push(asked);
    return null;
  };
  const first = await askInOrder(servers, askOne, { signal });
  return first === null ? failed : [first];
}

/**
 * The CNAME target that this zone's servers cannot answer for; what they say about it does not
 * count.
 */
function targetOutside(reply: Reply, zone: string): string | null {
  if (reply.outcome === "failed") return null;
  const outside = reply.chain.find((target) => !isAtOrBelow(target, zone));
  if (outside !== undefined) return outside;
  // A NOERROR that ends at a CNAME without an SOA says nothing yet about the target.
  const isOpenEnded = reply.outcome === "absent" && reply.negativeTtlSeconds === null;
  return isOpenEnded && reply.rcode === "NOERROR" ? (reply.chain.at(-1) ?? null) : null;
}

async function resolveAsUsual(
  resolver: Resolver,
  name: string,
  { types, signal }: AuthorityQuestion,
  chain: readonly string[],
): Promise<AuthorityAnswers> {
  const replies = await Promise.all(types.map((type) => resolver.resolve(name, type, signal)));
  const failed = replies.find((reply) => reply.outcome === "failed");
  return failed?.outcome === "failed" ? failed : answered([makeAnswer(null, replies, chain)]);
}

function makeAnswer(
  server: string | null,
  replies: readonly Reply[],
  chain: readonly string[],
): AuthorityAnswer {
  const inZone = replies.flatMap((reply) => (reply.outcome === "failed" ? [] : reply.chain));
  return {
    server,
    records: replies.flatMap((reply) => (reply.outcome === "records" ? reply.records : [])),
    chain: [...chain, ...new Set(inZone)],
    cacheSeconds: Math.max(0, ...replies.map(cacheSeconds)),
  };
}

/** How long a cache may give this answer: the TTL of its records, or that of their absence. */
export function cacheSeconds(reply: Reply): number {
  if (reply.outcome === "failed") return 0;
  if (reply.outcome === "absent") return reply.negativeTtlSeconds ?? 0;
  return Math.max(0, ...reply.records.map(({ ttl }) => ttl));
}

function answered(answers: readonly AuthorityAnswer[]): AuthorityAnswers {
  return { outcome: "answered", answers };
}

function merge(results: readonly AuthorityAnswers[]): AuthorityAnswers {
  const each = [...new Set(results)];
  const answers = each.flatMap((result) => (result.outcome === "failed" ? [] : result.answers));
  if (answers.length > 0) return answered(answers);
  const failed = results.find((result) => result.outcome === "failed");
  return failed ?? { outcome: "failed", reason: "unreachable" };
}

/**
 * The same resolver, whose `resolve` asks a server that owns the name instead of the recursive
 * resolvers: their caches are neither believed nor made to remember that a name does not exist yet.
 */
export function withoutCaches(
  resolver: Resolver,
  isResolvedAsUsual: (name: string) => boolean = () => false,
): Resolver {
  return {
    findZone: resolver.findZone,
    askServer: resolver.askServer,
    resolve: async (name, type, signal) => {
      const question = { types: [type], servers: "first", isResolvedAsUsual, signal } as const;
      const asked = await askAuthority(resolver, name, question);
      return asked.outcome === "failed" ? asked : makeReply(asked.answers);
    },
  };
}

function makeReply(answers: readonly AuthorityAnswer[]): Reply {
  const records = answers.flatMap((answer) => answer.records);
  const chain = answers[0]?.chain ?? [];
  if (records.length > 0) {
    return { outcome: "records", records, chain, authoritative: true, transport: "udp" };
  }
  const negativeTtlSeconds = Math.max(0, ...answers.map(({ cacheSeconds }) => cacheSeconds));
  return { outcome: "absent", rcode: "NOERROR", chain, negativeTtlSeconds, authoritative: true };
}
