/**
 * The texts of the share page. English defines the keys: a language without one does not compile.
 */
export const en = {
  title: "DNS records for {domain}",
  heading: "Connect {domain} to {brand}",
  why: "You got this link because you manage the DNS of {domain}. {brand} asks for the records below, so that visitors of {domain} reach it.",
  pair: "Visitors of {other} are sent on to {domain}.",
  why_safe:
    "You add them where the DNS is managed. Nobody needs your password for that, and nothing can be changed from this page.",
  prepare:
    "Only prepare: {domain} stays where it is now. Leave its present records as they are, and add only those below.",
  status: "Status",
  add: "Records still to add: {n} of {all}",
  add_hint:
    "DNS is checked again and again. Each record is ticked off here as soon as it is found.",
  fix: "Something needs to be put right",
  fix_hint: "Below is what was found and what to do about it.",
  replace: "{domain} works, but needs other records from now on",
  replace_hint:
    "Set the records below in place of the old ones. The domain stays connected meanwhile.",
  switch: "{domain} is ready to be switched",
  switch_hint:
    "Replace the old records by those below whenever you like. Until then the present site stays up.",
  placed: "All records are in place",
  placed_hint: "The next check takes them up, within minutes. Nothing is left for you to do.",
  securing: "All records are in place",
  securing_hint:
    "The secure connection of {domain} is being set up. Nothing is left for you to do.",
  spreading: "The records are on their way",
  spreading_hint: "Some name servers have them already. The others usually follow within minutes.",
  sender: "Your part is done",
  sender_hint: "The next step is {brand}'s. Nothing is left for you to do.",
  done: "{domain} is connected",
  done_hint: "All records are right. Nothing is left to do.",
  ended: "The setup has stopped waiting",
  ended_hint:
    "Put the records right as shown below, then tell the sender: the setup can be continued.",
  unknown: "DNS could not be checked just now",
  unknown_hint: "It is tried again without you. What to add is listed below.",
  records: "Records",
  records_at:
    "Add what is listed below in the DNS settings of {zone} at {provider}, exactly as it is written here.",
  records_anywhere:
    "Add what is listed below where the DNS of {zone} is managed, exactly as it is written here.",
  records_names:
    "Most DNS panels add {zone} to a name by themselves; there the short name is right. If yours wants whole names, take the full one.",
  guide_open: "Open {provider}",
  guide_go: "Go to {path}.",
  guide_add: "Press “{label}” for each record below, and choose its type.",
  guide_add_one: "Press “{label}” and choose the type {type}.",
  guide_add_section: "Press “{label}” for each record below, in the section of its type.",
  guide_add_section_one: "Press “{label}” in the section of the type {type}.",
  guide_add_plain: "Add each record below, with its type.",
  guide_add_plain_one: "Add a record of the type {type}.",
  guide_fill:
    "Copy “{host}” and “{value}” as shown here; {provider} adds {zone} to the name by itself.",
  guide_fill_full: "Copy “{host}” and “{value}” as shown here; the name is entered in full.",
  guide_proxy_off:
    "Switch the orange cloud to grey (“DNS only”) for these records, or they cannot be seen.",
  guide_quotes: "Put the value of a TXT record in quotation marks.",
  guide_addresses_apart: "A and AAAA records have a section of their own.",
  guide_no_apex_alias:
    "{provider} takes no ALIAS or CNAME record for {zone} itself. Use a name such as {www} instead.",
  guide_no_wildcard: "{provider} takes no name with an asterisk (*).",
  guide_save: "Press “{label}” to save.",
  early: "Prove it before you switch",
  early_hint:
    "Optional. {domain} is in use now: this record proves that it is yours and changes nothing for visitors. Then replace the old record when it suits you.",
  purpose_ownership: "Proves that the domain is yours",
  purpose_traffic: "Leads visitors to {brand}",
  purpose_validation: "Lets {brand} prepare the certificate; leads no visitor anywhere",
  purpose_both: "Leads visitors to {brand} and proves that the domain is yours",
  purpose_moving: "Takes the place of the old record",
  type: "Type",
  name: "Name",
  full_name: "Full name",
  value: "Value",
  priority: "Priority",
  ttl: "TTL",
  leave_empty: "leave it empty",
  found: "Found",
  proven: "Proven",
  partly: "On some servers",
  not_yet: "Not there yet",
  expected: "Expected",
  missing: "Not found yet",
  other: "Other value",
  unchecked: "Could not check",
  there_now: "There is now:",
  remove: "Remove or change these first:",
  findings: "What was found",
  evidence: "What was seen",
  actor_end_customer: "For you to do",
  actor_wait: "Just wait",
  checked: "Checked: {time}",
  valid: "Anyone who has its address can read this page until {time}.",
  support: "Questions? Contact {brand}",
  download: "Download zone file",
  print: "Print",
  copy: "Copy",
  copied: "Copied",
  copy_what: "Copy {what}",
  language: "Language",
  expired: "This link is no longer valid",
  expired_hint:
    "It may have expired, or the domain is no longer being connected. Ask the sender for a new one.",
  busy: "Too many requests",
  busy_hint: "Wait a minute, then load this page again.",
  trouble: "Something went wrong",
  trouble_hint: "The service does not answer now. Load this page again in a minute.",
} as const;

export type ShareTexts = Readonly<Record<keyof typeof en, string>>;
