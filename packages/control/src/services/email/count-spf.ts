import {
  maxSpfLookups,
  maxSpfVoidLookups,
  type QueryType,
  type Resolver,
  type SpfCost,
  spfCost,
  spfQuestionKey,
} from "@mooring/dns";
import { orElse } from "../domains/budget.ts";

/** More than any record within the limits needs, and an end for one that is made to cost. */
const MOST_QUESTIONS = 60;

/** What an SPF record costs its receivers now: includes change without notice, so they are asked. */
export async function countSpf(
  resolver: Resolver,
  record: string,
  domain: string,
  signal: AbortSignal,
): Promise<SpfCost> {
  const answers = new Map<string, readonly string[] | null>();
  for (;;) {
    const cost = spfCost(record, domain, answers);
    const next = cost.open.slice(0, Math.max(0, MOST_QUESTIONS - answers.size));
    if (next.length === 0)
      return { ...cost, isUncertain: cost.isUncertain || cost.open.length > 0 };
    await Promise.all(
      next.map(async (question) => {
        const values = await ask(resolver, question.name, question.type, signal);
        answers.set(spfQuestionKey(question), values);
      }),
    );
  }
}

async function ask(
  resolver: Resolver,
  name: string,
  type: QueryType,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const reply = await orElse(signal, resolver.resolve(name, type, signal), null);
  if (reply === null || reply.outcome === "failed") return null;
  return reply.outcome === "absent" ? [] : reply.records.map(({ value }) => value);
}

/** The count in words, and what is the matter with it. */
export function spfNotes({ lookups, voids, errors, isUncertain }: SpfCost): readonly string[] {
  const count = `${isUncertain ? "at least " : ""}${lookups} of ${maxSpfLookups}`;
  return [
    lookups > maxSpfLookups
      ? `The SPF record costs ${count} lookups, and receivers refuse it as a whole (RFC 7208 §4.6.4): take out senders that are no longer used before publishing it.`
      : `The SPF record costs ${count} lookups.`,
    ...(voids > maxSpfVoidLookups
      ? [
          `${voids} of the lookups find nothing; above ${maxSpfVoidLookups}, receivers may refuse the record.`,
        ]
      : []),
    ...errors,
  ];
}
