import type { AnswerRecord, Message } from "../wire/message.ts";
import type { QueryType } from "../wire/rdata.ts";
import type { FailureReason, Reply } from "./resolver.ts";

/** Longer chains than this are faults in practice; resolvers give up at similar depths. */
export const maxCnameDepth = 8;

const failureByRcode: ReadonlyMap<number, FailureReason> = new Map([
  [1, "malformed"],
  [2, "servfail"],
  [4, "servfail"],
  [5, "refused"],
  [9, "lame"],
]);

/**
 * What a response says about the question. Only records on the owner-name chain that starts at
 * `name` count; other records in the message are ignored. With `needsAuthority` an answer
 * without the AA bit is lame: a referral, or an answer from a cache.
 */
export function interpret(
  message: Message,
  question: { readonly name: string; readonly type: QueryType },
  transport: "udp" | "tcp",
  needsAuthority: boolean,
): Reply {
  const { rcode, authoritative } = message;
  if (rcode !== 0 && rcode !== 3) {
    return { outcome: "failed", reason: failureByRcode.get(rcode) ?? "servfail" };
  }
  if (needsAuthority && !authoritative) return { outcome: "failed", reason: "lame" };
  const walked = walkChain(message.answers, question.name, question.type);
  if (typeof walked === "string") return { outcome: "failed", reason: walked };
  const { records, chain } = walked;
  // RFC 2308 §2.2: a negative answer has an empty answer section. Records of other names alone are
  // no answer and do not show that the name is empty.
  if (message.answers.length > 0 && message.answers.every(({ name }) => name !== question.name)) {
    return { outcome: "failed", reason: "malformed" };
  }
  // RFC 6604 §3: the code is that of the chain's last name, which cannot exist and be absent.
  if (records.length > 0 && rcode === 3) return { outcome: "failed", reason: "malformed" };
  if (records.length > 0) return { outcome: "records", records, chain, authoritative, transport };
  return {
    outcome: "absent",
    rcode: rcode === 3 ? "NXDOMAIN" : "NOERROR",
    chain,
    negativeTtlSeconds: negativeTtl(message.authorities),
    authoritative,
  };
}

interface Walked {
  readonly records: readonly AnswerRecord[];
  readonly chain: readonly string[];
}

function walkChain(
  answers: readonly AnswerRecord[],
  name: string,
  type: QueryType,
): Walked | "cname_loop" | "malformed" {
  const chain: string[] = [];
  for (let owner = name; ; ) {
    const records = answers.filter((record) => record.name === owner && record.type === type);
    if (records.length > 0) return { records: unique(records), chain };
    const targets = new Set(
      answers
        .filter((record) => record.name === owner && record.type === "CNAME")
        .map((record) => record.value),
    );
    const [target] = targets;
    if (target === undefined) return { records: [], chain };
    // RFC 2181 §10.1: a name has at most one CNAME.
    if (targets.size > 1) return "malformed";
    if (target === name || chain.includes(target) || chain.length === maxCnameDepth) {
      return "cname_loop";
    }
    chain.push(target);
    owner = target;
  }
}

function unique(records: readonly AnswerRecord[]): readonly AnswerRecord[] {
  if (records.length === 1) return records;
  const byData = new Map(records.map((record) => [`${record.priority} ${record.value}`, record]));
  return [...byData.values()];
}

/** RFC 2308 §5: the lesser of the SOA's own TTL and its minimum field. */
function negativeTtl(authorities: readonly AnswerRecord[]): number | null {
  const soa = authorities.find((record) => record.type === "SOA");
  if (soa === undefined) return null;
  const minimum = Number(soa.value.slice(soa.value.lastIndexOf(" ") + 1));
  return Math.min(soa.ttl, minimum);
}
