import { isSpf, type QueryType, type Reply, type Resolver } from "@mooring/dns";
import type { Connection } from "../../../domain/connection.ts";
import type { EmailFacts } from "../../../domain/diagnosis/facts.ts";
import type { EmailSetup } from "../../../domain/email-setup.ts";
import { askZone } from "../../domains/ask-zone.ts";
import { orElse, withBudget } from "../../domains/budget.ts";
import type { LookRuntime } from "../../domains/recent-facts.ts";
import { countSpf } from "../../email/count-spf.ts";
import { policyAbove } from "../../email/see-mail.ts";
import { servedZone, valuesOf } from "./zone.ts";

/** As long as the look at the connection's own records may take. */
const BUDGET_MS = 8_000;

type Ask = (name: string, type: QueryType) => Promise<Reply | null>;

/** What the zone's servers say of the mail that was set up. Writes nothing. */
export async function gatherMail(
  runtime: LookRuntime,
  connection: Connection,
  setup: EmailSetup,
  signal: AbortSignal,
): Promise<EmailFacts | null> {
  if (connection.state === "archived") return null;
  const gathered = await withBudget(BUDGET_MS, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(connection.environment, setup.domain);
    const ask = await asker(resolver, setup.domain, inner);
    const [mx, spf, dmarc, dkim, above] = await Promise.all([
      ask(setup.domain, "MX"),
      ask(setup.domain, "TXT"),
      ask(`_dmarc.${setup.domain}`, "TXT"),
      dkimOf(setup, ask),
      policyAbove(runtime, connection, inner),
    ]);
    const cost = await costOf(resolver, setup, spf, inner);
    return { setup, mx, spf, cost, dkim, dmarc, hasPolicyAbove: above.length > 0 };
  });
  signal.throwIfAborted();
  return gathered;
}

/** Null for what cannot be asked, or not in time. */
async function asker(resolver: Resolver, domain: string, signal: AbortSignal): Promise<Ask> {
  const at = servedZone(await orElse(signal, resolver.findZone(domain, signal), null));
  return async (name, type) =>
    at === null
      ? null
      : orElse<Reply | null>(signal, askZone(resolver, at.servers, { name, type }, signal), null);
}

async function dkimOf({ records }: EmailSetup, ask: Ask): Promise<EmailFacts["dkim"]> {
  const wanted = records.flatMap(({ role, record }) => (role === "dkim" ? [record] : []));
  const seen = await Promise.all(
    wanted.map(async (record) => ({ record, reply: await ask(record.name, "TXT") })),
  );
  return seen.flatMap(({ record, reply }) => (reply === null ? [] : [{ record, reply }]));
}

async function costOf(
  resolver: Resolver,
  { domain }: EmailSetup,
  spf: Reply | null,
  signal: AbortSignal,
): Promise<EmailFacts["cost"]> {
  const [record, ...others] = spf === null ? [] : valuesOf(spf).filter(isSpf);
  if (record === undefined || others.length > 0) return null;
  return countSpf(resolver, record, domain, signal);
}
