/**
 * The DNS records that a service for sending mail needs, as data. Names are relative to the sending
 * domain.
 */

import type { MailNoteCode } from "../email/notes.ts";

export const sendingKeys = ["resend", "postmark", "ses", "mailgun", "sendgrid", "brevo"] as const;
export type SendingKey = (typeof sendingKeys)[number];

export type SendingRole = "dkim" | "return_path" | "spf" | "verification" | "dmarc";

/** Something that the service's console shows. */
export interface SendingInput {
  readonly key: string;
  readonly help: string;
  /** What a given value must match after trimming; `null` for a DKIM key, which has a parser. */
  readonly pattern: RegExp | null;
  /** What counts when nothing is given; null: the records that need it are left out. */
  readonly fallback: string | null;
  readonly isRequired: boolean;
}

/**
 * A row is part of the set when every placeholder has a value: `{input}`, `{input:1}` (the first
 * group of the input's pattern), `{domain}` and `{dashed}` (the domain with dashes for its dots).
 */
export interface SendingRow {
  readonly role: SendingRole;
  readonly type: "TXT" | "CNAME" | "MX";
  readonly label: string;
  readonly value: string;
  readonly priority: number | null;
  /** The row stands in for another form of the same and is left out when this input is given. */
  readonly unless?: string;
}

export interface SendingPreset {
  readonly key: SendingKey;
  readonly name: string;
  readonly inputs: readonly SendingInput[];
  readonly rows: readonly SendingRow[];
  /** The mechanism for the domain's own SPF record; null where the return path has its own. */
  readonly spf: string | null;
  /** At least one of these inputs, where the service has several forms of the same record. */
  readonly oneOf: readonly string[];
  /** What the service accepts only with a DMARC policy; to the others it is a recommendation. */
  readonly needsDmarc: boolean;
  /**
   * The fields of the access with which the values are read from the service; empty: they are
   * pasted.
   */
  readonly access: readonly string[];
  readonly notes: readonly MailNoteCode[];
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const region = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

function input(
  key: string,
  help: string,
  pattern: RegExp | null,
  rest: { readonly fallback?: string; readonly isRequired?: boolean } = {},
): SendingInput {
  return {
    key,
    help,
    pattern,
    fallback: rest.fallback ?? null,
    isRequired: rest.isRequired ?? false,
  };
}

function dkimValue(isRequired: boolean): SendingInput {
  const help = "The DKIM value (TXT) that the console shows; it contains p=.";
  return input("dkim_value", help, null, { isRequired });
}

function row(
  role: SendingRole,
  type: SendingRow["type"],
  name: string,
  value: string,
  rest: { readonly priority?: number; readonly unless?: string } = {},
): SendingRow {
  const { priority = null, unless } = rest;
  return { role, type, label: name, value, priority, ...(unless === undefined ? {} : { unless }) };
}

const dmarc = row("dmarc", "TXT", "_dmarc", "v=DMARC1; p=none");
const amazonSpf = "v=spf1 include:amazonses.com ~all";

const resend: SendingPreset = {
  key: "resend",
  name: "Resend",
  inputs: [
    dkimValue(true),
    input("region", "The domain's region, as in feedback-smtp.eu-west-1.amazonses.com.", region, {
      fallback: "us-east-1",
    }),
    input("return_path", "The name of the return path, before the domain.", label, {
      fallback: "send",
    }),
  ],
  rows: [
    row("dkim", "TXT", "resend._domainkey", "{dkim_value}"),
    row("return_path", "MX", "{return_path}", "feedback-smtp.{region}.amazonses.com", {
      priority: 10,
    }),
    row("return_path", "TXT", "{return_path}", amazonSpf),
    dmarc,
  ],
  spf: null,
  oneOf: [],
  needsDmarc: false,
  access: ["api_key"],
  notes: [],
};

const postmark: SendingPreset = {
  key: "postmark",
  name: "Postmark",
  inputs: [
    input(
      "dkim_selector",
      "What stands before ._domainkey in the DKIM record's name, like 20260101120000pm.",
      label,
      { isRequired: true },
    ),
    dkimValue(true),
    input("return_path", "The name of the return path, before the domain.", label, {
      fallback: "pm-bounces",
    }),
  ],
  rows: [
    row("dkim", "TXT", "{dkim_selector}._domainkey", "{dkim_value}"),
    row("return_path", "CNAME", "{return_path}", "pm.mtasv.net"),
    dmarc,
  ],
  spf: null,
  oneOf: [],
  needsDmarc: false,
  access: ["account_token"],
  notes: [],
};

/** Some regions have a zone of their own for the keys. */
const amazonKey = /^([a-z0-9]{16,64})\.dkim(?:\.[a-z0-9-]+)?\.amazonses\.com\.?$/i;

function amazonTarget(number: number): SendingInput {
  const help = "A DKIM target that the console shows, like abc….dkim.amazonses.com.";
  return input(`dkim_target${number}`, help, amazonKey, { isRequired: true });
}

const ses: SendingPreset = {
  key: "ses",
  name: "Amazon SES",
  inputs: [
    amazonTarget(1),
    amazonTarget(2),
    amazonTarget(3),
    input("region", "The region of the identity, like eu-west-1.", region, {
      fallback: "us-east-1",
    }),
    input("return_path", "The name of the custom MAIL FROM domain, before the domain.", label),
  ],
  rows: [
    row("dkim", "CNAME", "{dkim_target1:1}._domainkey", "{dkim_target1}"),
    row("dkim", "CNAME", "{dkim_target2:1}._domainkey", "{dkim_target2}"),
    row("dkim", "CNAME", "{dkim_target3:1}._domainkey", "{dkim_target3}"),
    row("return_path", "MX", "{return_path}", "feedback-smtp.{region}.amazonses.com", {
      priority: 10,
    }),
    row("return_path", "TXT", "{return_path}", amazonSpf),
    dmarc,
  ],
  spf: null,
  oneOf: [],
  needsDmarc: false,
  access: ["access_key_id", "secret_access_key", "region"],
  notes: [],
};

const mailgunKey = /^(pdk[12])\._domainkey\.[a-z0-9]+\.dkim\d*\.mailgun\.com\.?$/i;

const mailgun: SendingPreset = {
  key: "mailgun",
  name: "Mailgun",
  inputs: [
    input("dkim_selector", "What stands before ._domainkey in the DKIM record's name.", label, {
      fallback: "smtp",
    }),
    dkimValue(false),
    input("dkim_target1", "The target of pdk1._domainkey.", mailgunKey),
    input("dkim_target2", "The target of pdk2._domainkey.", mailgunKey),
    input(
      "spf_include",
      "What the console shows after include: in the SPF record.",
      /^(?:eu\.)?mailgun\.org$/i,
      { fallback: "mailgun.org" },
    ),
  ],
  rows: [
    row("dkim", "TXT", "{dkim_selector}._domainkey", "{dkim_value}"),
    row("dkim", "CNAME", "{dkim_target1:1}._domainkey", "{dkim_target1}"),
    row("dkim", "CNAME", "{dkim_target2:1}._domainkey", "{dkim_target2}"),
    row("spf", "TXT", "@", "v=spf1 include:{spf_include} ~all"),
    dmarc,
  ],
  spf: "include:{spf_include}",
  oneOf: ["dkim_value", "dkim_target1"],
  needsDmarc: false,
  access: [],
  notes: ["first_mailgun"],
};

const sendgrid: SendingPreset = {
  key: "sendgrid",
  name: "SendGrid",
  inputs: [
    input(
      "account_host",
      "The target of the first record, like u1234567.wl123.sendgrid.net.",
      /^u\d+\.wl\d*(?:\.eu)?\.sendgrid\.net\.?$/i,
      { isRequired: true },
    ),
    input("return_path", "The name of the first record, before the domain, like em1234.", label, {
      isRequired: true,
    }),
  ],
  rows: [
    row("return_path", "CNAME", "{return_path}", "{account_host}"),
    row("dkim", "CNAME", "s1._domainkey", "s1.domainkey.{account_host}"),
    row("dkim", "CNAME", "s2._domainkey", "s2.domainkey.{account_host}"),
    dmarc,
  ],
  spf: null,
  oneOf: [],
  needsDmarc: false,
  access: [],
  notes: [],
};

const brevo: SendingPreset = {
  key: "brevo",
  name: "Brevo",
  inputs: [
    input(
      "verification",
      "The Brevo code, like brevo-code:e760….",
      /^brevo-code:[a-z0-9]{16,64}$/i,
      { isRequired: true },
    ),
    dkimValue(false),
  ],
  rows: [
    row("verification", "TXT", "@", "{verification}"),
    row("dkim", "TXT", "mail._domainkey", "{dkim_value}"),
    row("dkim", "CNAME", "brevo1._domainkey", "b1.{dashed}.dkim.brevo.com", {
      unless: "dkim_value",
    }),
    row("dkim", "CNAME", "brevo2._domainkey", "b2.{dashed}.dkim.brevo.com", {
      unless: "dkim_value",
    }),
    row("dmarc", "TXT", "_dmarc", "v=DMARC1; p=none; rua=mailto:rua@dmarc.brevo.com"),
  ],
  spf: null,
  oneOf: [],
  needsDmarc: true,
  access: [],
  notes: ["dkim_brevo"],
};

/** In the order in which they are offered. */
export const sendingProviders: readonly SendingPreset[] = [
  resend,
  postmark,
  ses,
  mailgun,
  sendgrid,
  brevo,
];

export function findSendingProvider(key: string): SendingPreset | null {
  return sendingProviders.find((preset) => preset.key === key) ?? null;
}
