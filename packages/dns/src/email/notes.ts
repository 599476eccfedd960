/**
 * What a person who sets mail up has to know, in English for those who know mail and DNS. The code
 * and its parameters allow the same to be said in other words and languages.
 */
const texts = {
  mx_host_needed:
    "MX: the Microsoft 365 admin center shows the host for this domain (Settings, Domains); give it as mx_host.",
  mx_host_older:
    "Domains that were added at Microsoft 365 before July 2026 have {host}; use it only if it resolves.",
  mx_host_unknown: "The MX host {host} could not be looked up; compare it with the admin center.",
  mx_host_missing: "The MX host {host} does not exist in DNS; compare it with the admin center.",
  mx_host_derived:
    "The MX host {host} exists and probably is the domain's own; the admin center shows it for certain.",
  mx_hidden:
    "{domain} has MX records that cannot be changed from here; they were left as they are.",
  mx_older_set: "The MX records are an older set of the same provider, which does the same.",
  mx_other_own:
    "{domain} has other MX records of the same provider ({hosts}); they were left as they are. Compare them with the provider's console.",
  mx_filtered:
    "Mail of {domain} passes through a mail filter. Its MX records were left as they are. Set the new destination in the filter instead.",
  mx_null:
    "{domain} says that it takes no mail (null MX, RFC 7505). Its MX records were left as they are. Remove that record when the new ones are added.",
  mx_elsewhere:
    "Mail of {domain} goes to {holder} now. Its MX records were left as they are. When the mailboxes are moved, replace the whole set at once: with both, half of the mail is lost.",
  mx_forwarded:
    "Mail of {domain} goes to a forwarding service now. Its MX records were left as they are. When the mailboxes are moved, replace the whole set at once: with both, half of the mail is lost.",
  mx_hosting:
    "Mail of {domain} goes to the mailboxes of a hosting company now. Its MX records were left as they are. When the mailboxes are moved, replace the whole set at once: with both, half of the mail is lost.",
  mx_parked:
    "Mail of {domain} goes to a parking service now. Its MX records were left as they are. When the mailboxes are moved, replace the whole set at once: with both, half of the mail is lost.",
  mx_strict_transport:
    "{domain} has an MTA-STS policy (RFC 8461), which may refuse the new hosts. List them in the policy before adding the MX records.",
  mx_own_server:
    "{domain} has no MX record, but its SPF record speaks of a mail server at its own address, which gets the mail now. Add the MX records when that server is no longer needed.",
  mx_wildcard: "A wildcard MX takes the mail of names below {domain}; it was left as it is.",
  mx_no_mail:
    "{domain} is declared not to send mail. Add the MX records by hand if that has changed.",
  cname_no_mail:
    "{domain} is an alias (CNAME), and a name that is one cannot take mail: lead it to the service by addresses, or set mail up at another name.",
  cname_no_text:
    "{name} is an alias (CNAME), so that a TXT record cannot stand beside it: send from a name of its own, such as {example}.",
  name_taken:
    "{name} already has another record ({types}), which was left as it is; replace it by hand if nothing needs it any more.",
  name_occupied:
    "{name} already has something, which was left as it is; replace it by hand if nothing needs it any more.",
  dkim_google:
    "DKIM: generate a key in the Google Admin console (Apps, Google Workspace, Gmail, Authenticate email) and enter it as the DKIM value; switch signing on there once the record is visible.",
  dkim_microsoft:
    "DKIM: the targets of selector1 and selector2 are shown in the Microsoft Defender portal (Email authentication settings); give them as dkim_target1 and dkim_target2.",
  dkim_zoho:
    "DKIM: add a selector in the Zoho Mail admin console (Domains, Email configuration, DKIM) and give it as dkim_selector and dkim_value.",
  dkim_proton:
    "DKIM: Proton shows three CNAME targets in its settings (Domain names, DKIM); give any one of them as dkim_target.",
  dkim_brevo: "If Brevo shows a DKIM value instead of two targets, enter it as the DKIM value.",
  first_google: "Create the mailboxes at Google before you direct mail there.",
  first_microsoft: "Both DKIM names must be visible before DKIM can be switched on at Microsoft.",
  first_zoho: "A data centre that is not the account's neither verifies nor delivers.",
  first_fastmail: "Add the domain at Fastmail first: its DKIM names answer only then.",
  first_proton: "Leave Proton's verification record in place: it is checked again later.",
  first_icloud: "Add the domain in iCloud's settings (Custom Email Domain) first.",
  first_mailgun:
    "Mailgun's MX records are only for mail that it receives; they are left out, so that mail which works today goes on.",
  dmarc_reports: "DMARC reports go to another domain, which must allow it: TXT v=DMARC1 at {name}.",
  dmarc_several:
    "{name} has {count} DMARC policies, and receivers then ignore all of them; leave one.",
  dmarc_present: "{name} already has a DMARC policy; leave it as it is, and add no second one.",
  dmarc_occupied:
    "Something else is at {name}, perhaps an alias to a DMARC service; it was left as it is.",
  dmarc_above: "The DMARC policy at {name} covers {domain} too; it needs no other.",
  spf_once:
    "A domain has one SPF record: if there is one already, put the mechanism into it instead of adding a second record.",
  spf_right: "The SPF record is right as it is.",
  spf_add: "The SPF record is never written automatically: add it by hand.",
  spf_replace:
    "The SPF record is never written automatically: replace the existing one by this value.",
  spf_term: "Add “{term}” to the record that stays.",
  spf_unreadable: "The SPF record cannot be read: {reason}.",
  spf_unreadable_at: "The SPF record of {name} cannot be read: {reason}.",
  spf_several:
    "There are {count} SPF records, {records}; receivers then ignore all of them (RFC 7208 §4.5). Decide which senders are right and leave one record.",
  spf_opposed:
    "The SPF record has “{term}”, which does not let this sender pass; its author must decide.",
  spf_long:
    "The merged SPF record has {bytes} bytes; above {limit} the answer may not fit a DNS packet.",
  spf_no_mail: "The existing SPF record says that this domain never sends mail.",
  spf_allows_all: "The SPF record ends with “+all”, which lets anybody send in this domain's name.",
  spf_term_dead: "“{term}” is behind “all” in the SPF record, where it has no effect.",
  spf_terms_dead: "Terms behind “all” in the SPF record have no effect.",
  spf_ptr: "The SPF record uses “ptr”, which many receivers ignore.",
  spf_circle: "“{term}” leads in a circle.",
  spf_include_empty: "“{term}” names a domain without an SPF record.",
  spf_include_several: "“{term}” names a domain with several SPF records.",
  spf_lookups: "The SPF record costs {count} of {limit} lookups.",
  spf_lookups_least: "The SPF record costs at least {count} of {limit} lookups.",
  spf_lookups_over:
    "The SPF record costs {count} of {limit} lookups, and receivers refuse it as a whole (RFC 7208 §4.6.4): take out senders that are no longer used before publishing it.",
  spf_lookups_void:
    "{count} of the lookups find nothing; above {limit}, receivers may refuse the record.",
  dns_incomplete:
    "Not all of DNS answered in time: check yourself what is at {domain} before adding anything.",
  nothing_written: "Nothing was written: no stored credential may be used here.",
  not_proven: "Nothing was written: it is not proven yet that {domain} is yours.",
  credential_refused: "Nothing was written: the DNS provider refuses the stored credential.",
  zone_not_reached: "Nothing was written: no stored credential sees the zone of {domain}.",
  provider_cannot: "{reason}",
} as const;

export type MailNoteCode = keyof typeof texts;

export const mailNoteCodes = Object.keys(texts) as readonly MailNoteCode[];

export interface MailNote {
  readonly code: MailNoteCode;
  readonly params: Readonly<Record<string, string>>;
}

export function mailNote(
  code: MailNoteCode,
  params: Readonly<Record<string, string | number>> = {},
): MailNote {
  const written = Object.entries(params).map(([name, value]) => [name, String(value)]);
  return { code, params: Object.fromEntries(written) };
}

/** Each note once, in the order of its first mention. */
export function distinctNotes(notes: readonly MailNote[]): readonly MailNote[] {
  return [...new Map(notes.map((note) => [mailNoteText(note), note])).values()];
}

export function mailNoteText({ code, params }: MailNote): string {
  return texts[code].replaceAll(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
}
