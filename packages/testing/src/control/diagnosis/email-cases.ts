import { generateMail, mailNote, type SpfCost } from "@mooring/dns";
import type { EmailFacts } from "../../../../control/src/domain/diagnosis/facts.ts";
import { absentReply, answer, type Case, healthy, hostname, later } from "./facts.ts";

const spf = "v=spf1 include:icloud.com -all";
const circle = mailNote("spf_circle", { term: "include:x.example" });
const cheap: SpfCost = { lookups: 3, voids: 0, errors: [], open: [], isUncertain: false };

function setup(): EmailFacts["setup"] {
  const generated = generateMail({ domain: hostname, provider: "icloud" });
  if (!generated.ok) throw new Error("icloud takes every short name");
  const { provider, domain, spfTerm } = generated.set;
  const records = generated.set.records.map((one) => ({ ...one, isWritten: one.role !== "spf" }));
  const at = { connectionId: "c", applied: true, updatedAt: later(-3_600_000) };
  return { provider, domain, records, spfTerm, ...at };
}

/** An email setup that was written an hour ago and is complete, with the changes of a test. */
export function withEmail(bend: Partial<EmailFacts> = {}) {
  const own = setup();
  const email: EmailFacts = {
    setup: own,
    mx: answer("MX", "mx01.mail.icloud.com", "mx02.mail.icloud.com"),
    spf: answer("TXT", "hello", spf),
    cost: cheap,
    dkim: own.records.flatMap(({ role, record }) =>
      role === "dkim" ? [{ record, reply: answer("TXT", "v=DKIM1; p=abc") }] : [],
    ),
    dmarc: answer("TXT", "v=DMARC1; p=none"),
    hasPolicyAbove: false,
    ...bend,
  };
  return healthy({ email });
}

const [dkim] = withEmail().email?.dkim ?? [];
if (dkim === undefined) throw new Error("icloud has a DKIM record");

export const emailCases = {
  email_mx_missing: {
    facts: withEmail({ mx: absentReply() }),
    severity: "warning",
    actor: "end_customer",
    title: `${hostname} has no MX record, so that mail does not reach iCloud Mail`,
    evidence: [`${hostname}: no MX record`],
    fix: /^At Cloudflare, add Type: MX, Name: shop, Content: mx01\.mail\.icloud\.com, Priority: 10.*; and Type: MX/,
  },
  email_mx_elsewhere: {
    facts: withEmail({ mx: answer("MX", "mx01.mail.icloud.com", "mail.old.example") }),
    severity: "warning",
    actor: "end_customer",
    title: `Mail of ${hostname} goes to mail.old.example`,
    evidence: [`${hostname}: MX mx01.mail.icloud.com, mail.old.example`],
    fix: /^If the mailboxes are at iCloud Mail now, replace the whole set of MX records at Cloudflare/,
  },
  email_spf_multiple: {
    facts: withEmail({ spf: answer("TXT", spf, "v=spf1 mx -all"), cost: null }),
    severity: "warning",
    actor: "end_customer",
    title: `${hostname} has 2 SPF records, and receivers ignore all of them`,
    evidence: [`${hostname}: TXT "${spf}"`, `${hostname}: TXT "v=spf1 mx -all"`],
    fix: /^At Cloudflare, keep one SPF record .* “include:icloud\.com”/,
  },
  email_spf_missing: {
    facts: withEmail({ spf: answer("TXT", "v=spf1 mx -all") }),
    severity: "warning",
    actor: "end_customer",
    title: `The SPF record of ${hostname} does not name iCloud Mail`,
    evidence: [`${hostname}: TXT "v=spf1 mx -all"`],
    fix: /^At Cloudflare, replace the SPF record by Type: TXT, Name: shop, Content: v=spf1 mx include:icloud\.com -all/,
  },
  email_spf_broken: {
    facts: withEmail({
      cost: { ...cheap, lookups: 12, voids: 3, errors: [circle] },
    }),
    severity: "warning",
    actor: "end_customer",
    title: `Receivers refuse the SPF record of ${hostname}`,
    evidence: [
      "The SPF record costs 12 lookups, of 10 that are allowed",
      "3 of its lookups find nothing, of 2 that are allowed",
      "“include:x.example” leads in a circle.",
    ],
    fix: /^At Cloudflare, take senders that are no longer used out/,
  },
  email_dkim_missing: {
    facts: withEmail({ dkim: [{ ...dkim, reply: absentReply() }] }),
    severity: "warning",
    actor: "end_customer",
    title: `${hostname} lacks a DKIM record, so that its mail is not trusted as its own`,
    evidence: [`sig1._domainkey.${hostname}: no CNAME record`],
    fix: /^At Cloudflare, add Type: CNAME, Name: sig1\._domainkey\.shop, /,
  },
  email_dmarc_missing: {
    facts: withEmail({ dmarc: answer("TXT", "hello") }),
    severity: "warning",
    actor: "end_customer",
    title: `${hostname} has no DMARC policy`,
    evidence: [`_dmarc.${hostname}: no DMARC policy`],
    fix: /^At Cloudflare, add Type: TXT, Name: _dmarc\.shop, Content: v=DMARC1; p=none/,
  },
} as const satisfies Readonly<Record<string, Case>>;
