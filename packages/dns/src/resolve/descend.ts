import { askInOrder } from "../client/ask-in-order.ts";
import { isAtOrBelow, isSubdomainOf } from "../name.ts";
import type { AnswerRecord, Message } from "../wire/message.ts";
import type { NameServer } from "./resolver.ts";

/** Asks one authoritative server for the NS records of a name; null when it did not answer. */
export type AskDelegation = (
  server: NameServer,
  name: string,
  signal: AbortSignal,
) => Promise<Message | null>;

/**
 * What the answer to an NS question at a zone's server says about where the name lies:
 * - `here`: in this zone
 * - `cut`: in a zone below, with these servers
 * - `below`: in a zone below that the same server holds; its servers are to be asked for
 * - `alias`: the name is a CNAME, so that the question has to be put for the name above it
 */
export type Step =
  | { readonly kind: "here" | "alias" }
  | { readonly kind: "below"; readonly zone: string }
  | {
      readonly kind: "cut";
      readonly zone: string;
      readonly hosts: readonly string[];
      readonly glue: readonly AnswerRecord[];
    };

/** Null for an answer that says nothing: an error, an upward referral, a denial by another zone. */
export function readStep(message: Message, zone: string, name: string): Step | null {
  const { rcode, authoritative, answers, authorities, additionals } = message;
  if (rcode !== 0 && rcode !== 3) return null;
  const isBetween = (owner: string): boolean =>
    isSubdomainOf(owner, zone) && isAtOrBelow(name, owner);
  if (!authoritative) {
    const referral = authorities.filter(
      ({ type, name: owner }) => type === "NS" && isBetween(owner),
    );
    return referral[0] === undefined ? null : cutAt(referral[0].name, referral, additionals);
  }
  if (answers.some((record) => record.name === name && record.type === "CNAME")) {
    return { kind: "alias" };
  }
  const own = answers.filter((record) => record.name === name && record.type === "NS");
  if (own.length > 0) return cutAt(name, own, additionals);
  const denial = authorities.find(({ type }) => type === "SOA")?.name;
  if (denial === zone) return { kind: "here" };
  return denial !== undefined && isBetween(denial) ? { kind: "below", zone: denial } : null;
}

function cutAt(
  zone: string,
  records: readonly AnswerRecord[],
  additionals: readonly AnswerRecord[],
): Step {
  const hosts = records.filter(({ name }) => name === zone).map(({ value }) => value);
  return { kind: "cut", zone, hosts, glue: additionals };
}

/** More servers of one zone are not asked: they would say the same. */
const maxAsked = 4;
/** Silent servers are the business of the check that follows; the search must leave it its time. */
const limitMs = 1_500;

/** What the first of the zone's servers says that says something; null when none does in time. */
export function nextStep(
  askDelegation: AskDelegation,
  servers: readonly NameServer[],
  at: { readonly zone: string; readonly name: string },
  signal: AbortSignal,
): Promise<Step | null> {
  const ask = async (server: NameServer, inner: AbortSignal): Promise<Step | null> => {
    const message = await askDelegation(server, at.name, inner);
    return message === null ? null : readStep(message, at.zone, at.name);
  };
  return askInOrder(servers.slice(0, maxAsked), ask, { signal, limitMs });
}
