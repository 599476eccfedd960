import { generateMail, type MailSet } from "@mooring/dns";
import { invalid } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { requireHostname } from "../domains/hostname.ts";
import type { ApplyEmail, GenerateEmail } from "./schemas.ts";

/** The records that a mailbox provider wants for a domain. Looks at nothing and writes nothing. */
export async function generateEmail(ctx: ServiceContext, input: GenerateEmail): Promise<MailSet> {
  const { config } = ctx.runtime;
  const set = mailSet(
    requireHostname(config, ctx.actor.environment, input.domain, "domain"),
    input,
  );
  const once =
    "A domain has one SPF record: if there is one already, put the mechanism into it instead of adding a second record.";
  return { ...set, notes: [once, ...set.notes] };
}

export function mailSet(domain: string, { provider, inputs }: ApplyEmail): MailSet {
  const generated = generateMail({ domain, provider, inputs: inputs ?? {} });
  if (!generated.ok) throw invalid(generated.issues);
  return generated.set;
}
