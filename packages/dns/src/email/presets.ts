/**
 * The DNS records that a mailbox provider needs, as data. Names are relative to the mail domain.
 */

import type { MailNoteCode } from "./notes.ts";

export const mailboxKeys = [
  "google_workspace",
  "microsoft_365",
  "zoho",
  "fastmail",
  "proton",
  "icloud",
] as const;
export type MailboxKey = (typeof mailboxKeys)[number];

/** Something that only the provider's console, or the domain's owner, knows. */
interface MailInput {
  readonly key: string;
  /** What it is and where it is found. */
  readonly help: string;
  /** What a given value must match after trimming; `null` for a DKIM key, which has a parser. */
  readonly pattern: RegExp | null;
}

/** Where the DKIM records come from. */
type DkimPreset =
  /** CNAMEs whose targets follow from the domain; `{selector}` and `{domain}` are filled in. */
  | { readonly form: "derived"; readonly selectors: readonly string[]; readonly target: string }
  /** CNAMEs with a different target for each selector, each given as an input. */
  | {
      readonly form: "given";
      readonly selectors: readonly { readonly selector: string; readonly input: string }[];
      readonly missing: MailNoteCode;
    }
  /** CNAMEs that share one token, taken from the one target that is given. */
  | {
      readonly form: "shared";
      readonly selectors: readonly string[];
      readonly input: string;
      readonly target: string;
      readonly missing: MailNoteCode;
    }
  /** A TXT record with the key itself: the inputs `dkim_selector` and `dkim_value`. */
  | { readonly form: "key"; readonly selector: string; readonly missing: MailNoteCode };

interface DiscoveryPreset {
  readonly label: string;
  readonly type: "CNAME" | "SRV";
  readonly value: string;
  readonly priority: number | null;
}

export interface MailboxPreset {
  readonly key: MailboxKey;
  readonly aliases: readonly string[];
  readonly name: string;
  /**
   * Preference and host, `{dc}` for the data centre's domain; null where only the console knows.
   */
  readonly mx: readonly (readonly [number, string])[] | null;
  /** Hosts of an older set that does the same. */
  readonly legacyMx: readonly string[];
  /** The mechanism for the domain's SPF record. */
  readonly spf: string;
  readonly dkim: DkimPreset;
  readonly discovery: readonly DiscoveryPreset[];
  /** The domain of each data centre, the usual one first; empty where there is only one. */
  readonly dataCentres: Readonly<Record<string, string>>;
  readonly inputs: readonly MailInput[];
  readonly notes: readonly MailNoteCode[];
}

function verification(pattern: RegExp, example: string): MailInput {
  return {
    key: "verification",
    help: `The TXT value with which the provider verifies the domain, like ${example}.`,
    pattern,
  };
}

const reportTo: MailInput = {
  key: "dmarc_report_to",
  help: "A mailbox for DMARC reports, like dmarc@example.com; it must exist.",
  pattern: /^[a-z0-9][a-z0-9._+-]{0,63}@(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+$/i,
};

const dkimSelector: MailInput = {
  key: "dkim_selector",
  help: "The DKIM selector chosen in the provider's console.",
  pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
};

const dkimValue: MailInput = {
  key: "dkim_value",
  help: "The DKIM TXT value shown in the provider's console, beginning with v=DKIM1.",
  pattern: null,
};

const microsoftDkim =
  /^selector[12]-[a-z0-9-]+\._domainkey\.[a-z0-9-]+\.(?:onmicrosoft\.com|[a-z0-9]+-v1\.dkim\.mail\.microsoft)\.?$/i;

const google: MailboxPreset = {
  key: "google_workspace",
  aliases: ["google"],
  name: "Google Workspace",
  mx: [[1, "smtp.google.com"]],
  legacyMx: [
    "aspmx.l.google.com",
    "alt1.aspmx.l.google.com",
    "alt2.aspmx.l.google.com",
    "alt3.aspmx.l.google.com",
    "alt4.aspmx.l.google.com",
  ],
  spf: "include:_spf.google.com",
  dkim: {
    form: "key",
    selector: "google",
    missing: "dkim_google",
  },
  discovery: [],
  dataCentres: {},
  inputs: [
    dkimSelector,
    dkimValue,
    verification(/^google-site-verification=[\w-]{10,100}$/, "google-site-verification=…"),
    reportTo,
  ],
  notes: ["first_google"],
};

const microsoft: MailboxPreset = {
  key: "microsoft_365",
  aliases: ["microsoft365"],
  name: "Microsoft 365",
  mx: null,
  legacyMx: [],
  spf: "include:spf.protection.outlook.com",
  dkim: {
    form: "given",
    selectors: [
      { selector: "selector1", input: "dkim_target1" },
      { selector: "selector2", input: "dkim_target2" },
    ],
    missing: "dkim_microsoft",
  },
  discovery: [
    { label: "autodiscover", type: "CNAME", value: "autodiscover.outlook.com", priority: null },
  ],
  dataCentres: {},
  inputs: [
    {
      key: "mx_host",
      help: "The MX host that the Microsoft 365 admin center shows for the domain.",
      pattern: /^[a-z0-9-]+\.(?:mail\.protection\.outlook\.com|[a-z0-9]+-v1\.mx\.microsoft)\.?$/i,
    },
    { key: "dkim_target1", help: "The target of selector1._domainkey.", pattern: microsoftDkim },
    { key: "dkim_target2", help: "The target of selector2._domainkey.", pattern: microsoftDkim },
    verification(/^MS=ms\d{4,12}$/i, "MS=ms12345678"),
    reportTo,
  ],
  notes: ["first_microsoft"],
};

const zoho: MailboxPreset = {
  key: "zoho",
  aliases: [],
  name: "Zoho Mail",
  mx: [
    [10, "mx.{dc}"],
    [20, "mx2.{dc}"],
    [50, "mx3.{dc}"],
  ],
  legacyMx: [],
  spf: "include:zohomail.com",
  dkim: {
    form: "key",
    selector: "zmail",
    missing: "dkim_zoho",
  },
  discovery: [],
  dataCentres: {
    us: "zoho.com",
    eu: "zoho.eu",
    in: "zoho.in",
    au: "zoho.com.au",
    jp: "zoho.jp",
    cn: "zoho.com.cn",
    sa: "zoho.sa",
    ca: "zohocloud.ca",
  },
  inputs: [
    {
      key: "data_centre",
      help: "Where the account is: us, eu, in, au, jp, cn, sa or ca, as in the webmail's address.",
      pattern: /^(?:us|eu|in|au|jp|cn|sa|ca)$/i,
    },
    {
      key: "spf_include",
      help: "The domain that Zoho's console shows after include: in its SPF record.",
      pattern: /^(?:[a-z0-9_](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i,
    },
    dkimSelector,
    dkimValue,
    verification(
      /^zoho-verification=zb\d+\.zmverify\.[a-z0-9.]+$/i,
      "zoho-verification=zb12345678.zmverify.zoho.com",
    ),
    reportTo,
  ],
  notes: ["first_zoho"],
};

const fastmail: MailboxPreset = {
  key: "fastmail",
  aliases: [],
  name: "Fastmail",
  mx: [
    [10, "in1-smtp.messagingengine.com"],
    [20, "in2-smtp.messagingengine.com"],
  ],
  legacyMx: [],
  spf: "include:spf.messagingengine.com",
  dkim: {
    form: "derived",
    selectors: ["fm1", "fm2", "fm3"],
    target: "{selector}.{domain}.dkim.fmhosted.com",
  },
  discovery: [
    service("_submissions._tcp", 0, "1 465 smtp.fastmail.com"),
    service("_imaps._tcp", 0, "1 993 imap.fastmail.com"),
    service("_jmap._tcp", 0, "1 443 api.fastmail.com"),
    service("_carddavs._tcp", 0, "1 443 carddav.fastmail.com"),
    service("_caldavs._tcp", 0, "1 443 caldav.fastmail.com"),
    service("_autodiscover._tcp", 0, "1 443 autodiscover.fastmail.com"),
  ],
  dataCentres: {},
  inputs: [reportTo],
  notes: ["first_fastmail"],
};

function service(label: string, priority: number, value: string) {
  return { label, type: "SRV", value, priority } as const;
}

const proton: MailboxPreset = {
  key: "proton",
  aliases: [],
  name: "Proton Mail",
  mx: [
    [10, "mail.protonmail.ch"],
    [20, "mailsec.protonmail.ch"],
  ],
  legacyMx: [],
  spf: "include:_spf.protonmail.ch",
  dkim: {
    form: "shared",
    selectors: ["protonmail", "protonmail2", "protonmail3"],
    input: "dkim_target",
    target: "{selector}.domainkey.{token}.domains.proton.ch",
    missing: "dkim_proton",
  },
  discovery: [],
  dataCentres: {},
  inputs: [
    {
      key: "dkim_target",
      help: "One of the three DKIM targets that Proton shows for the domain.",
      pattern: /^protonmail[23]?\.domainkey\.([a-z0-9]+)\.domains\.proton\.ch\.?$/i,
    },
    verification(/^protonmail-verification=[a-z0-9]+$/i, "protonmail-verification=…"),
    reportTo,
  ],
  notes: ["first_proton"],
};

const icloud: MailboxPreset = {
  key: "icloud",
  aliases: [],
  name: "iCloud Mail",
  mx: [
    [10, "mx01.mail.icloud.com"],
    [10, "mx02.mail.icloud.com"],
  ],
  legacyMx: [],
  spf: "include:icloud.com",
  dkim: {
    form: "derived",
    selectors: ["sig1"],
    target: "{selector}.dkim.{domain}.at.icloudmailadmin.com",
  },
  discovery: [],
  dataCentres: {},
  inputs: [verification(/^apple-domain=[\w-]{4,100}$/, "apple-domain=…"), reportTo],
  notes: ["first_icloud"],
};

const presets = { google, microsoft, zoho, fastmail, proton, icloud };

/** In the order in which they are offered. */
export const mailboxProviders: readonly MailboxPreset[] = mailboxKeys.flatMap(
  (key) => Object.values(presets).find((preset) => preset.key === key) ?? [],
);

/** By its key or an alias. */
export function findMailboxProvider(name: string): MailboxPreset | null {
  const found = mailboxProviders.find(({ key, aliases }) => key === name || aliases.includes(name));
  return found ?? null;
}

/** Every name by which a provider can be asked for. */
export const mailboxNames: readonly string[] = mailboxProviders.flatMap(({ key, aliases }) => [
  key,
  ...aliases,
]);
