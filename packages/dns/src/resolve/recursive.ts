import { type AskResult, ask, type DnsClient } from "../client/ask.ts";
import type { ServerPolicy } from "../client/limiter.ts";
import type { Endpoint } from "../client/udp.ts";
import { normalizeName } from "../name.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import { answerSeconds } from "./answer-memory.ts";
import { interpret, maxCnameDepth } from "./interpret.ts";
import type { Failed, Reply } from "./resolver.ts";

export interface RecursiveOptions {
  readonly client: DnsClient;
  /** Which resolvers to ask for a name, in this order. */
  readonly resolversFor: (name: string) => readonly Endpoint[];
  /** Reports whether a resolver gave an answer. */
  readonly onAsked?: (resolver: Endpoint, hasAnswered: boolean) => void;
  readonly policy: ServerPolicy;
}

export interface RecursiveAnswer {
  readonly reply: Reply;
  readonly additionals: readonly AnswerRecord[];
  /** How long the answer may be reused; 0 for a failure. */
  readonly ttlSeconds: number;
}

/**
 * Asks the resolvers in order until one answers; follows CNAMEs that the answer did not resolve.
 */
export async function askRecursive(
  options: RecursiveOptions,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  const chain: string[] = [];
  let ttlSeconds = Number.POSITIVE_INFINITY;
  for (let asked = name; ; ) {
    const answer = await askAny(options, asked, type, signal);
    const { reply, additionals } = answer;
    if (reply.outcome === "failed") return answer;
    ttlSeconds = Math.min(ttlSeconds, answer.ttlSeconds);
    const whole = { ...reply, chain: [...chain, ...reply.chain] };
    const target = reply.chain.at(-1);
    if (!isOpenEnded(reply) || target === undefined) {
      return { reply: whole, additionals, ttlSeconds };
    }
    if (whole.chain.length > maxCnameDepth || target === name || chain.includes(target)) {
      return failedAnswer("cname_loop");
    }
    chain.push(...reply.chain);
    asked = target;
  }
}

/**
 * One question with checking disabled; CNAMEs count only as far as the answer itself follows them.
 */
export async function askUnchecked(
  options: RecursiveOptions,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  let last = failedAnswer("unreachable");
  if (name !== "." && normalizeName(name) !== name) return failedAnswer("malformed");
  for (const to of options.resolversFor(name)) {
    last = await send(options, to, { name, type }, { signal, checkingDisabled: true });
    if (last.reply.outcome !== "failed") return last;
  }
  return last;
}

/** A NOERROR that ends at a CNAME without an SOA says nothing yet about the target. */
function isOpenEnded(reply: Reply): boolean {
  return (
    reply.outcome === "absent" && reply.rcode === "NOERROR" && reply.negativeTtlSeconds === null
  );
}

function failedAnswer(reason: Failed["reason"]): RecursiveAnswer {
  return { reply: { outcome: "failed", reason }, additionals: [], ttlSeconds: 0 };
}

async function askAny(
  options: RecursiveOptions,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  let last = failedAnswer("unreachable");
  // A CNAME target from the network may be a name that no query can carry.
  if (normalizeName(name) !== name) return failedAnswer("malformed");
  for (const resolver of options.resolversFor(name)) {
    last = await askOne(options, resolver, { name, type }, signal);
    const { reply } = last;
    if (reply.outcome !== "failed" || reply.reason === "bogus" || reply.reason === "cname_loop") {
      return last;
    }
  }
  return last;
}

/** RFC 4035 §3.2.2: with CD set a validating resolver returns data that failed validation. */
async function askOne(
  options: RecursiveOptions,
  to: Endpoint,
  question: { readonly name: string; readonly type: QueryType },
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  const checked = await send(options, to, question, { signal, checkingDisabled: false });
  if (checked.reply.outcome !== "failed" || checked.reply.reason !== "servfail") return checked;
  const unchecked = await send(options, to, question, { signal, checkingDisabled: true });
  return unchecked.reply.outcome === "failed" ? checked : failedAnswer("bogus");
}

async function send(
  { client, policy, onAsked }: RecursiveOptions,
  to: Endpoint,
  question: { readonly name: string; readonly type: QueryType },
  options: { readonly signal: AbortSignal; readonly checkingDisabled: boolean },
): Promise<RecursiveAnswer> {
  const query = { to, policy, ...question, ...options, recursionDesired: true };
  const asked = await ask(client, { ...query, transport: "udp" });
  onAsked?.(to, asked.kind === "message");
  return read(asked, question);
}

function read(
  asked: AskResult,
  question: { readonly name: string; readonly type: QueryType },
): RecursiveAnswer {
  if (asked.kind === "failed") return failedAnswer(asked.reason);
  const reply = interpret(asked.message, question, asked.transport, false);
  const ttlSeconds = reply.outcome === "failed" ? 0 : answerSeconds(asked.message);
  return { reply, additionals: asked.message.additionals, ttlSeconds };
}
