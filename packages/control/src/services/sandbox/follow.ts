import type { AnswerRecord, Reply } from "@mooring/dns";

/** What is known at one owner name. */
export type Step =
  | { readonly kind: "records"; readonly records: readonly AnswerRecord[] }
  | { readonly kind: "cname"; readonly target: string }
  | {
      readonly kind: "absent";
      readonly rcode: "NXDOMAIN" | "NOERROR";
      readonly negativeTtlSeconds: number | null;
    }
  /** Somebody else's answer, which ends the chain. */
  | { readonly kind: "reply"; readonly reply: Reply };

interface Manner {
  readonly authoritative: boolean;
  readonly transport: "udp" | "tcp";
}

/** More CNAMEs in a row are taken for a fault, as the network's resolver does. */
const maxChain = 8;

/** Goes from CNAME to CNAME until a step ends the chain; the last one's rcode is the answer's (RFC 6604 §3). */
export async function follow(
  name: string,
  manner: Manner,
  look: (owner: string) => Promise<Step>,
): Promise<Reply> {
  const chain: string[] = [];
  for (let owner = name; ; ) {
    const step = await look(owner);
    if (step.kind !== "cname") return finish(step, chain, manner);
    const { target } = step;
    if (target === name || chain.includes(target) || chain.length === maxChain) {
      return { outcome: "failed", reason: "cname_loop" };
    }
    chain.push(target);
    owner = target;
  }
}

function finish(
  step: Exclude<Step, { readonly kind: "cname" }>,
  chain: readonly string[],
  manner: Manner,
): Reply {
  if (step.kind === "records")
    return { outcome: "records", records: step.records, chain, ...manner };
  if (step.kind === "absent") {
    const { rcode, negativeTtlSeconds } = step;
    return {
      outcome: "absent",
      rcode,
      chain,
      negativeTtlSeconds,
      authoritative: manner.authoritative,
    };
  }
  const { reply } = step;
  return reply.outcome === "failed" ? reply : { ...reply, chain: [...chain, ...reply.chain] };
}
