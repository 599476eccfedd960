import type { Answer } from "dns-packet";
import type { Fault } from "./scripted-delegation.ts";
import { REFUSED, SERVFAIL, SILENCE } from "./scripted-dns.ts";
import { cname, ns } from "./scripted-zone.ts";

/** Everything that goes wrong with DNS without anybody having changed a record. */
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
  // Behind the name: a loop in the name's own CNAME would be a changed record.
  "a CNAME loop": ({ name, type }, right) => {
    if (type !== "CNAME") return { answers: loop(name) };
    const answers = right.answers ?? [];
    return { ...right, answers: [...answers, ...answers.flatMap(targetOf).flatMap(loop)] };
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

/** Spoils about this share of the answers, each by a fault of its own. */
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

function targetOf(answer: Answer): string[] {
  return answer.type === "CNAME" && "data" in answer ? [String(answer.data)] : [];
}
