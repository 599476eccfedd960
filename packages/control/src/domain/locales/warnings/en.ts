/** What a customer should know before connecting a domain, by the code of the warning. */
export const en = {
  not_registered: "{zone} is not registered yet. Register it first, or check its spelling.",
  ending_unknown: "{domain} has an ending that does not exist. Did you mean {meant}?",
  mixed_script:
    "Check that {domain} is the name you mean: “{label}” mixes letters of several alphabets.",
  latin_lookalike:
    "Check that {domain} is the name you mean: letters in “{label}” can be mistaken for Latin ones.",
  dnssec_broken:
    "DNSSEC of {zone} is broken, so that many visitors cannot reach it. Where you bought {zone}, switch DNSSEC off or set it up again.",
  ns_failing:
    "The name servers of {zone} do not answer for it. Check them where you bought {zone}.",
  ns_mixed_operators:
    "The DNS of {zone} is spread over several providers. The records are needed at each of them.",
  provider_ambiguous:
    "The name servers of {zone} belong to several brands ({providers}). Make sure where your DNS is managed.",
  domain_connect_stale:
    "{provider} offers to set the records, but {zone} uses other name servers. Make sure that your DNS is still managed there.",
  zone_delegated: "{zone} has its own DNS settings: the records belong there.",
  caa_unanswered:
    "The name servers of {zone} do not answer every question. Without an answer no certificate can be issued.",
  caa_forbidden:
    "A CAA record of {name} forbids the certificate. It has to be changed before {domain} can go live.",
  record_proxied:
    "{name} is behind a proxy. Switch the proxy off for this record (“DNS only”, the grey cloud).",
  behind_cdn:
    "{name} is behind {cdn}, which is fine: there, set its target to the record that is shown, with the encryption mode “Full (strict)”.",
  aaaa_leftover:
    "Delete the AAAA record {observed} of {name}: a part of your visitors would go there instead.",
  https_leftover: "Delete the HTTPS record of {name}: some browsers would go elsewhere.",
  slow_to_change: "It can take up to {hours} hours until every visitor sees the change.",
  apex_needs_alias:
    "{name} needs a record of type ALIAS or ANAME, or fixed addresses: a CNAME is not possible there.",
  apex_by_address: "{name} leads here by address. If the address changes one day, you are told.",
  wildcard_answers: "A wildcard record (*) answers for {name} now. Add all records together.",
  check_incomplete: "Some name servers did not answer in time. Check again shortly.",
} as const;

export type WarningCode = keyof typeof en;

export type WarningTexts = Readonly<Record<WarningCode, string>>;
