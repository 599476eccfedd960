import { type AskResult, ask, type DnsClient } from "../client/ask.ts";
import type { ServerPolicy } from "../client/limiter.ts";
import type { Endpoint } from "../client/udp.ts";
import { normalizeName } from "../name.ts";
import type { AnswerRecord } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import { interpret, maxCnameDepth } from "./interpret.ts";
import type { Failed, Reply } from "./resolver.ts";

export interface RecursiveOptions {
  readonly client: DnsClient;
  readonly resolvers: readonly Endpoint[];
  readonly policy: ServerPolicy;
}

export interface RecursiveAnswer {
  readonly reply: Reply;
  readonly additionals: readonly AnswerRecord[];
}

/** Asks the resolvers in order until one answers; follows CNAMEs that the answer did not resolve. */
export async function askRecursive(
  options: RecursiveOptions,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  const chain: string[] = [];
  for (let asked = name; ; ) {
    const { reply, additionals } = await askAny(options, asked, type, signal);
    if (reply.outcome === "failed") return { reply, additionals };
    const whole = { ...reply, chain: [...chain, ...reply.chain] };
    const target = reply.chain.at(-1);
    if (!isOpenEnded(reply) || target === undefined) return { reply: whole, additionals };
    if (whole.chain.length > maxCnameDepth || target === name || chain.includes(target)) {
      return { reply: failure("cname_loop"), additionals: [] };
    }
    chain.push(...reply.chain);
    asked = target;
  }
}

/** One question with checking disabled; CNAMEs count only as far as the answer itself follows them. */
export async function askUnchecked(
  options: RecursiveOptions,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  let last: RecursiveAnswer = { reply: failure("unreachable"), additionals: [] };
  if (name !== "." && normalizeName(name) !== name) {
    return { reply: failure("malformed"), additionals: [] };
  }
  for (const to of options.resolvers) {
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

function failure(reason: Failed["reason"]): Failed {
  return { outcome: "failed", reason };
}

async function askAny(
  options: RecursiveOptions,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<RecursiveAnswer> {
  let last: Reply = failure("unreachable");
  // A CNAME target from the network may be a name that no query can carry.
  if (normalizeName(name) !== name) return { reply: failure("malformed"), additionals: [] };
  for (const resolver of options.resolvers) {
    const answer = await askOne(options, resolver, { name, type }, signal);
    last = answer.reply;
    if (last.outcome !== "failed" || last.reason === "bogus" || last.reason === "cname_loop") {
      return answer;
    }
  }
  return { reply: last, additionals: [] };
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
  return unchecked.reply.outcome === "failed"
    ? checked
    : { reply: failure("bogus"), additionals: [] };
}

async function send(
  { client, policy }: RecursiveOptions,
  to: Endpoint,
  question: { readonly name: string; readonly type: QueryType },
  options: { readonly signal: AbortSignal; readonly checkingDisabled: boolean },
): Promise<RecursiveAnswer> {
  const query = { to, policy, ...question, ...options, recursionDesired: true };
  return read(await ask(client, { ...query, transport: "udp" }), question);
}

function read(
  asked: AskResult,
  question: { readonly name: string; readonly type: QueryType },
): RecursiveAnswer {
  if (asked.kind === "failed") return { reply: failure(asked.reason), additionals: [] };
  return {
    reply: interpret(asked.message, question, asked.transport, false),
    additionals: asked.message.additionals,
  };
}
