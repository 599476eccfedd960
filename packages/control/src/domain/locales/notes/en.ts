import type { MailNoteCode } from "@mooring/dns";

export type NoteTexts = Readonly<Record<MailNoteCode, string>>;

/** What a customer who sets mail up should know, by the code of the note. */
export const en: NoteTexts = {
  mx_host_needed:
    "Microsoft 365 has a mail server of its own for each domain. You find it in the admin center under “Settings”, “Domains”; go back one step and enter it as the MX host.",
  mx_host_older:
    "For a domain that you added at Microsoft 365 before July 2026 it is probably {host}. Compare it with the admin center.",
  mx_host_unknown:
    "We could not check whether the mail server {host} exists. Compare it with the Microsoft 365 admin center.",
  mx_host_missing:
    "There is no mail server called {host}. Compare it with the Microsoft 365 admin center.",
  mx_host_derived:
    "The mail server of your domain is probably {host}. The Microsoft 365 admin center shows it for certain.",
  mx_hidden: "We cannot change the MX records of {domain}, so they stay as they are.",
  mx_older_set: "Your MX records are older ones of the same provider. They work just as well.",
  mx_other_own:
    "{domain} has other MX records of the same provider ({hosts}). They stay as they are: compare them with what your mail provider shows.",
  mx_filtered:
    "Mail for {domain} passes through a mail filter, so its MX records stay as they are. Set the new mailboxes up in the filter instead.",
  mx_null:
    "{domain} is marked as not receiving mail. Delete that MX record when you add the new ones.",
  mx_elsewhere:
    "Mail for {domain} goes to {holder} now, so its MX records stay as they are. When you move your mailboxes, replace all of them at once; with both, you lose mail.",
  mx_forwarded:
    "Mail for {domain} goes through a forwarding service now, so its MX records stay as they are. When you move your mailboxes, replace all of them at once; with both, you lose mail.",
  mx_hosting:
    "Mail for {domain} goes to the mailboxes of your hosting company now, so its MX records stay as they are. When you move your mailboxes, replace all of them at once; with both, you lose mail.",
  mx_parked:
    "The MX records of {domain} lead to a parking service. They stay as they are; replace all of them at once when your mailboxes are ready.",
  mx_strict_transport:
    "{domain} lists the mail servers that it allows (MTA-STS). Add the new ones to that list before you add the MX records.",
  mx_own_server:
    "A mail server of your own seems to receive the mail for {domain}. Add the MX records when you no longer need it.",
  mx_wildcard:
    "A wildcard MX record (*) receives the mail for names below {domain}. It stays as it is.",
  mx_no_mail:
    "{domain} is marked as not sending mail. If that has changed, add the MX records by hand.",
  cname_no_mail:
    "{domain} is an alias (CNAME), and such a name cannot receive mail. Set mail up for another name, for example without www.",
  cname_no_text:
    "{name} is an alias (CNAME), so no TXT record can be added there. Send from a name of its own, such as {example}.",
  name_taken:
    "There is already another record at {name} ({types}). It stays as it is; replace it if you no longer need it.",
  name_occupied:
    "There is already something at {name}. It stays as it is; replace it if you no longer need it.",
  dkim_google:
    "For DKIM, generate a key in the Google Admin console (“Apps”, “Google Workspace”, “Gmail”, “Authenticate email”), then go back one step and enter it. Start authentication there once the record is found.",
  dkim_microsoft:
    "For DKIM, the Microsoft Defender portal shows two targets under “Email authentication settings”. Go back one step and enter both.",
  dkim_zoho:
    "For DKIM, add a selector in the Zoho Mail admin console (“Domains”, “Email configuration”, “DKIM”), then go back one step and enter its name and value.",
  dkim_proton:
    "For DKIM, Proton shows three targets under “Domain names”, “DKIM”. Go back one step and enter any one of them.",
  dkim_brevo:
    "If Brevo shows you one DKIM value instead of two targets, go back one step and enter that value.",
  first_google: "Create your mailboxes at Google before you direct mail there.",
  first_microsoft: "You can switch DKIM on at Microsoft as soon as both DKIM records are found.",
  first_zoho: "Choose the region of your Zoho account. Mail does not arrive with another one.",
  first_fastmail: "Add your domain at Fastmail first. DKIM works only then.",
  first_proton: "Leave Proton's verification record in place: Proton checks it again later.",
  first_icloud: "Add your domain in iCloud's settings first (“Custom Email Domain”).",
  first_mailgun:
    "We leave Mailgun's MX records out: they are only for receiving mail, and your mail goes on as it is.",
  dmarc_reports:
    "You want DMARC reports to go to another domain. That domain must agree, with a TXT record at {name}.",
  dmarc_several:
    "There are {count} DMARC records at {name}, so none of them counts. Leave only one.",
  dmarc_present: "{name} already has a DMARC record. Leave it as it is, and add no second one.",
  dmarc_occupied:
    "There is already something else at {name}, perhaps of a DMARC service. It stays as it is.",
  dmarc_above: "The DMARC record at {name} counts for {domain} too. You need no other.",
  spf_once:
    "A domain has only one SPF record. If you have one, change it instead of adding a second one.",
  spf_right: "The SPF record is right as it is.",
  spf_add: "Please add the SPF record yourself; we never write it.",
  spf_replace: "Please replace the SPF record yourself; we never write it.",
  spf_term: "Add “{term}” to the SPF record that you keep.",
  spf_unreadable: "Your SPF record contains a mistake. Ask whoever made it to correct it.",
  spf_unreadable_at: "The SPF record of {name} contains a mistake, so yours does not work.",
  spf_several:
    "There are {count} SPF records, so none of them counts. Decide which senders you need, and leave only one record.",
  spf_opposed: "Your SPF record blocks this sender with “{term}”. Decide whether that part can go.",
  spf_long:
    "With the addition your SPF record is very long ({bytes} of {limit} characters). Take out senders that you no longer use.",
  spf_no_mail: "So far your SPF record says that this domain never sends mail.",
  spf_allows_all:
    "Your SPF record ends with “+all”: it allows everybody to send in the name of your domain.",
  spf_term_dead: "“{term}” comes after “all” in your SPF record and has no effect there.",
  spf_terms_dead: "What comes after “all” in your SPF record has no effect.",
  spf_ptr: "Your SPF record uses “ptr”, which many receivers ignore.",
  spf_circle: "“{term}” in your SPF record leads back to itself.",
  spf_include_empty: "“{term}” in your SPF record names a domain that has no SPF record.",
  spf_include_several: "“{term}” in your SPF record names a domain that has several SPF records.",
  spf_lookups: "The SPF record needs {count} of {limit} allowed look-ups.",
  spf_lookups_least: "The SPF record needs at least {count} of {limit} allowed look-ups.",
  spf_lookups_over:
    "The SPF record needs {count} look-ups, and only {limit} are allowed: mail may be refused. Take out senders that you no longer use.",
  spf_lookups_void:
    "{count} entries of the SPF record lead nowhere, and more than {limit} can make it invalid. Take them out.",
  dns_incomplete:
    "Not all name servers answered. Before you add anything, check what is already there for {domain}.",
  nothing_written: "We have written nothing. Please add the records yourself.",
  not_proven: "We have written nothing yet, because it is not proven that {domain} is yours.",
  credential_refused:
    "Your DNS provider no longer accepts our access, so we have written nothing. Please add the records yourself.",
  zone_not_reached:
    "We have no access to the DNS of {domain}, so we have written nothing. Please add the records yourself.",
  provider_cannot:
    "Your DNS provider did not accept all records automatically. Please add the ones below yourself.",
};
