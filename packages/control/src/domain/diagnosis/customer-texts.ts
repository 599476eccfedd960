import { fillFinding } from "../locales/findings/fill.ts";
import type { FindingActor, FindingText } from "./finding.ts";
import type { FindingCode } from "./finding-codes.ts";

/** A text in the customer's words, and other words where another than usual must act. */
export interface CustomerText extends FindingText {
  readonly byActor?: Readonly<Partial<Record<FindingActor, FindingText>>>;
}

const notYours = "There is nothing for you to do. If it stays so, please contact support.";
const byItself = "There is nothing to do: we check again by ourselves.";
const addBelow = "At {provider}, add the record that is shown here, exactly as it is.";

const onItsWay: FindingText = {
  title: "The records of {domain} are being set",
  fix: "There is nothing to do: this usually takes a few minutes.",
};

/**
 * What the person reads who connects a domain: no name of a setting, no path, no standard's number,
 * and no advice that only others can follow. `{name}` is a parameter of the finding; the widget
 * translates the same codes and parameters.
 */
export const customerTexts: Readonly<Record<FindingCode, CustomerText>> = {
  registration_on_hold: {
    title: "{zone} is on hold, or its registration has lapsed",
    fix: "Ask the company where you registered {zone} what it needs from you, and renew it if it has lapsed. Until then visitors cannot reach it. Status: {status}.",
  },
  not_registered: {
    title: "{zone} is not registered, or has expired",
    fix: "Register or renew {zone} where you buy domains, or check its spelling. After a renewal it can take a few hours.",
  },
  dnssec_ds_stale: {
    title: "DNSSEC of {zone} is left over from an earlier DNS provider",
    fix: "Where you bought {zone}, switch DNSSEC off (remove the DS record). Until then many visitors cannot reach it.",
    byActor: {
      operator: { title: "DNSSEC is broken at a name that {domain} leads to", fix: notYours },
      wait: { title: "DNSSEC is broken above {zone}", fix: byItself },
    },
  },
  dnssec_broken: {
    title: "DNSSEC of {zone} is broken",
    fix: "Where you bought {zone}, switch DNSSEC off (remove the DS record), or set it up again with your DNS provider. Until then many visitors cannot reach it.",
    byActor: {
      operator: { title: "DNSSEC is broken at a name that {domain} leads to", fix: notYours },
      wait: { title: "DNSSEC is broken above {zone}", fix: byItself },
    },
  },
  ns_unreachable: {
    title: "Name servers of {zone} do not answer",
    fix: "Where you bought {zone}, check its list of name servers. If it is right, ask your DNS provider about an outage.",
  },
  ns_servfail: {
    title: "Name servers of {zone} answer with an error",
    fix: "Ask your DNS provider why the name servers of {zone} fail. Often the domain was never set up there.",
  },
  ns_lame: {
    title: "Name servers of {zone} do not know it",
    fix: "Where you bought {zone}, set exactly the name servers that your DNS provider names.",
  },
  ns_disagree: {
    title: "The name servers of {zone} do not agree with each other",
    fix: "Where you bought {zone}, set exactly the name servers that your DNS provider names. Until then a part of your visitors may not see a change.",
  },
  ns_mixed_operators: {
    title: "The DNS of {zone} is spread over several providers",
    fix: "Add the records at every one of them, or use the name servers of only one provider.",
  },
  dns_moved: {
    title: "The DNS of {zone} has moved to {provider}",
    fix: "Add the records at {provider}. Changes at the earlier provider no longer have an effect.",
  },
  zone_delegated: {
    title: "{zone} has its own DNS settings",
    fix: "Add the records in the settings of {zone}, not in those of the domain above it.",
  },
  hostname_conflict: {
    title: "{domain} is connected already",
    fix: "If it is yours, prove it: add the record that is shown here. The other account must then prove it too, or loses it.",
    byActor: {
      tenant: {
        title: "{domain} stays with another account for now",
        fix: "That account has proven it again. Your proof counts again from {time} on: leave your record in place until then.",
      },
      wait: {
        title: "You have proven that {domain} is yours",
        fix: "It passes to you at {time}, unless the other account proves it too. Leave the record in place until then.",
      },
    },
  },
  hostname_proven_by_both: {
    title: "Two accounts have proven {domain}, and the other one keeps it",
    fix: "That stays so while both records are there. If it is to be yours: at {provider}, delete the {type} record {name} with the value {observed}, and leave the other one. If you do that now, {domain} passes to you at {time}. If it is to stay with the other account, delete the record with the value {expected} instead.",
    byActor: {
      wait: {
        title: "Somebody else has proven {domain} too, and it stays yours",
        fix: "Your record is there: that decides it within minutes, before {time}. Keep the record with the value {expected} until then. At {provider}, delete the {type} record {name} with the value {observed}, unless {domain} is to pass to somebody else.",
      },
    },
  },
  hostname_contested: {
    title: "Somebody else has proven that {domain} is theirs",
    fix: "Add the record that is shown here before {time} to keep it.",
    byActor: {
      wait: {
        title: "Somebody else wants {domain}, and your record is there",
        fix: byItself,
      },
    },
  },
  ownership_unanswered: {
    title: "Too few name servers of {zone} answer",
    fix: "We ask again by ourselves. If it stays so for an hour, ask your DNS provider about an outage.",
  },
  ownership_cname: {
    title: "Another record is where the proof belongs",
    fix: "At {provider}, delete the CNAME record {name}, then add the record that is shown here.",
  },
  ownership_wildcard: {
    title: "The proof is in a wildcard record (*)",
    fix: "At {provider}, delete that record and add the one that is shown here, with its exact name.",
  },
  ownership_partial: { title: "The proof is on its way", fix: byItself },
  ownership_altered: {
    title: "The value of the proof was changed on its way",
    fix: "At {provider}, set the value again exactly as it is here, without quotation marks or spaces.",
  },
  ownership_doubled_name: {
    title: "The name of the proof has {zone} twice",
    fix: "{provider} adds {zone} by itself. Change the name so that it is as shown here.",
  },
  ownership_wrong_name: {
    title: "The proof is at the wrong name",
    fix: "The value is right, the name is not: it is at {observed}. Change the name so that it is as shown here.",
  },
  ownership_other_token: {
    title: "The proof is of an earlier setup",
    fix: "At {provider}, replace its value by the one that is shown here.",
  },
  ownership_mismatch: {
    title: "The value of the proof is another one",
    fix: addBelow,
  },
  ownership_missing: {
    title: "The proof is not there yet",
    fix: addBelow,
    byActor: { wait: onItsWay },
  },
  wrong_dns_provider: {
    title: "Only records at {provider} count for {zone}",
    fix: "If you added them already, check where: the shop where you bought {zone} may show DNS settings that have no effect.",
  },
  ownership_seen: {
    title: "The proof is there",
    fix: byItself,
    byActor: { tenant: { title: "The proof is there", fix: "Start again to go on." } },
  },
  domain_connect_cancelled: {
    title: "Nothing was confirmed at {provider}",
    fix: "Go to {provider} again and confirm there, signed in with the account that has {zone}, or add the records yourself.",
  },
  domain_connect_refused: {
    title: "{provider} did not set the records",
    fix: "Try again shortly, signed in with the account that has {zone}, or add the records yourself.",
  },
  provider_auth: {
    title: "{provider} refuses our access",
    fix: "Add the records yourself, as shown here. The access must be renewed by the site that you connect to.",
  },
  credential_failing: {
    title: "{provider} refuses our access",
    fix: "{domain} works as it is. The access must be renewed by the site that you connect to.",
  },
  provider_unsupported: {
    title: "We cannot write the records at {provider}",
    fix: "Add the records yourself, as shown here.",
  },
  provider_not_delegated: {
    title: "The DNS of {zone} is managed where we cannot write",
    fix: "Add the records at {provider}, as shown here.",
  },
  provider_busy: {
    title: "{provider} does not accept changes at present",
    fix: "We try again by ourselves. If you are in a hurry, add the records yourself.",
  },
  provider_write_failed: {
    title: "The records could not be written at {provider}",
    fix: "Try again, or add the records yourself.",
  },
  record_loop: {
    title: "{name} leads in a circle",
    fix: "At {provider}, replace the CNAME record {name} by what is shown here.",
  },
  record_proxied: {
    title: "{name} is behind a proxy",
    fix: 'At {provider}, edit the record {name} and switch the proxy off ("DNS only", the grey cloud). We cannot see the record behind it.',
  },
  cdn_not_forwarding: {
    title: "{cdn} does not bring visitors of {name} here yet",
    fix: "At {cdn}, set the target of {name} to what is shown here. The proxy may stay on. If the target is right, see that no rule there redirects or blocks requests.",
  },
  cdn_tls_flexible: {
    title: "{cdn} brings visitors of {domain} here without encryption",
    fix: 'At {cdn}, set the encryption mode to "Full (strict)". Until then visitors are sent in a circle.',
  },
  cdn_hides_challenge: {
    title: "{cdn} keeps us from getting the certificate of {domain}",
    fix: "At {cdn}, let requests to /.well-known/acme-challenge/ pass, without redirect or cache. Or add the record that is shown here, if there is one.",
  },
  cdn_caches_probe: {
    title: "{cdn} caches pages of {domain} that it must not cache",
    fix: "At {cdn}, switch off the rule that caches everything, or let it obey the settings of the pages.",
  },
  behind_cdn: {
    title: "{domain} is behind {cdn}, which is fine",
    fix: 'There is nothing to do. At {cdn}, keep the encryption mode "Full (strict)".',
  },
  proxy_to_proxy: {
    title: "{name} is behind a proxy that does not let us through",
    fix: 'Switch the proxy off for {name} ("DNS only", the grey cloud), or contact support.',
  },
  record_flattened: {
    title: "{name} leads here by address instead of by name",
    fix: "At {provider}, replace the address records by what is shown here.",
  },
  aaaa_leftover: {
    title: "An old address is still at {name}",
    fix: "At {provider}, delete the AAAA record {observed} of {name}: a part of your visitors goes there instead.",
  },
  a_leftover: {
    title: "Another address is still at {name}",
    fix: "At {provider}, delete {observed} at {name}: a part of your visitors goes there instead.",
  },
  https_leftover: {
    title: "An old HTTPS record is still at {name}",
    fix: "At {provider}, delete the record of type HTTPS at {name}: some browsers follow it to another place.",
  },
  policy_duplicate: {
    title: "There would be two mail policies at {name}",
    fix: "At {provider}, put the wanted value into the record that is there instead of adding a second one.",
  },
  record_conflict: {
    title: "Other records are in the way at {name}",
    fix: "At {provider}, delete or move what is listed here first, if nothing needs it. Records of type MX receive your mail: connect another name if you want to keep them.",
  },
  record_target_doubled: {
    title: "The target of {name} has {zone} at its end",
    fix: "{provider} took the target as a short name. Enter it with a dot at its end.",
  },
  record_doubled_name: {
    title: "The name of the record has {zone} twice",
    fix: "{provider} adds {zone} by itself. Change the name so that it is as shown here.",
  },
  private_address: {
    title: "{name} leads to an address that only your own network knows",
    fix: "At {provider}, replace what is at {name} by what is shown here.",
  },
  apex_needs_alias: {
    title: "{name} cannot follow another name at {provider}",
    fix: "Search for a record type ALIAS or ANAME there, or connect www.{name} instead and forward {name} to it.",
    byActor: {
      operator: {
        title: "{name} cannot follow another name at {provider}",
        fix: "Connect www.{name} instead, or contact support.",
      },
    },
  },
  record_of_another: {
    title: "{name} has the record of another connection",
    fix: "At {provider}, replace what is at {name} ({observed}) by what is shown here: every connection has a value of its own.",
  },
  record_mismatch: {
    title: "{name} leads somewhere else",
    fix: "At {provider}, replace what is at {name} ({observed}) by what is shown here.",
  },
  record_missing: {
    title: "The {type} record of {name} is not there yet",
    fix: addBelow,
    byActor: { wait: onItsWay },
  },
  servers_disagree: {
    title: "The change is on its way",
    fix: "Some name servers have it already and the others usually follow within minutes. We check again by ourselves.",
  },
  records_unanswered: {
    title: "The name servers of {zone} do not answer at present",
    fix: "We ask again by ourselves. If it stays so for an hour, ask your DNS provider about an outage.",
  },
  resolvers_failing: {
    title: "Parts of the internet cannot look up {zone} at present",
    fix: "Often it passes. If it stays, ask your DNS provider.",
  },
  wildcard_answers: {
    title: "A wildcard record (*) answers for {name}",
    fix: "At {provider}, add all records that are shown here together: the other one then no longer answers for {name}.",
  },
  caa_forbidden: {
    title: "A CAA record forbids the certificate of {domain}",
    fix: "At {provider}, add the record that is shown here. The other CAA records can stay.",
    byActor: { operator: { title: "The certificate of {domain} is forbidden", fix: notYours } },
  },
  caa_unanswered: {
    title: "The name servers of {zone} do not answer every question",
    fix: "Often it passes. If it stays, ask your DNS provider why its name servers do not answer questions about CAA records.",
  },
  certificate_revoked: { title: "The certificate of {domain} must be renewed", fix: notYours },
  certificate_expired: { title: "The certificate of {domain} has expired", fix: notYours },
  certificate_at_risk: {
    title: "The certificate of {domain} may not be renewed in time",
    fix: "Correct what is shown here; the renewal then goes on by itself.",
    byActor: {
      operator: {
        title: "The certificate of {domain} may not be renewed in time",
        fix: notYours,
      },
      tenant: { title: "The certificate of {domain} ends soon", fix: notYours },
    },
  },
  ca_rate_limited: {
    title: "The certificate has to wait its turn",
    fix: "There is nothing to do: it is ordered again as soon as that is allowed. Starting again does not make it faster.",
  },
  ca_unavailable: {
    title: "No certificates are issued at present",
    fix: "There is nothing to do: it is ordered again by itself.",
  },
  certificate_cached: {
    title: "The old records may still be seen until {time}",
    fix: "There is nothing to do: the certificate comes by {time} at the latest.",
  },
  certificate_failed: {
    title: "The certificate of {domain} could not be obtained",
    fix: "We try again by ourselves. There is nothing for you to do; if it stays so for an hour, please contact support.",
  },
  certificate_foreign: {
    title: "Somebody else obtained a certificate for {domain}",
    fix: "If you also use {domain} with a CDN or another host, or did until lately, there is nothing to do. Otherwise change the password where your DNS is managed, check who else may sign in there, and ask {issuer} to revoke the certificate.",
  },
  origin_unreachable: { title: "The site behind {domain} does not answer", fix: notYours },
  origin_missing: { title: "The site behind {domain} is not set up yet", fix: notYours },
  registration_expiring: {
    title: "The registration of {zone} is valid until {date}",
    fix: "Renew {zone} at the company where you registered it. If it renews by itself, there is nothing to do.",
  },
  quota_exceeded: {
    title: "{domain} waits for the owner of the service",
    fix: "There is nothing for you to do: it continues by itself. If it stays so, please contact support.",
  },
  check_failed: {
    title: "We cannot check {domain} at present",
    fix: "Check again here. If that does not help, please contact support.",
  },
  gave_up: {
    title: "We have stopped checking {domain}",
    fix: "Correct what is listed here, then start again. Your records stay valid.",
  },
  archived_still_points_here: {
    title: "{domain} is disconnected, but its records still lead here",
    fix: "At {provider}, delete the records that are listed here.",
  },
  cutover_preparing: {
    title: "{domain} stays where it is while the move is prepared",
    fix: "Leave the records that lead visitors to your present site as they are, and add only what is asked for here. When everything is ready, you are shown what to change.",
  },
  cutover_ready: {
    title: "{domain} is ready to be switched",
    fix: "Switch when you like: at {provider}, replace the old records by the new ones. Until then your present site stays up.",
  },
  records_changed: {
    title: "{domain} needs other records than before",
    fix: "At {provider}, replace the old records by what is shown here. Your domain works meanwhile.",
    byActor: { wait: onItsWay },
  },
  records_cached: {
    title: "Everything is right; parts of the internet still remember the old records",
    fix: "There is nothing to do: the change is visible everywhere soon.",
  },
  slow_to_change: {
    title: "Some visitors may see the old site for a while",
    fix: "The old records are remembered for up to {hours} hours after they are replaced.",
  },
  certificate_pending: {
    title: "The certificate of {domain} is being obtained",
    fix: "There is nothing to do: this usually takes less than a minute.",
  },
  apex_by_address: {
    title: "{domain} leads here by address",
    fix: "There is nothing to do now. If the address changes one day, you are notified.",
  },
  www_not_connected: {
    title: "{name} does not lead here",
    fix: "Visitors often type either form. Connect {name} too.",
  },
  email_mx_missing: {
    title: "{zone} receives no mail",
    fix: "At {provider}, add the MX records that are shown here or that your mail provider names.",
    byActor: { wait: onItsWay },
  },
  email_mx_elsewhere: {
    title: "Mail of {zone} goes to another provider",
    fix: "If your mailboxes have moved, replace all MX records; with both, a part of your mail is lost.",
  },
  email_spf_multiple: {
    title: "{zone} has several SPF records, and receivers ignore all of them",
    fix: "At {provider}, keep one with the senders of all of them, and delete the others.",
  },
  email_spf_missing: {
    title: "The SPF record of {zone} does not name your mail provider",
    fix: "At {provider}, set the SPF record as shown here.",
  },
  email_spf_broken: {
    title: "Receivers refuse the SPF record of {zone}",
    fix: "At {provider}, take senders that you no longer use out of it.",
  },
  email_dkim_missing: {
    title: "{zone} lacks a DKIM record, so that its mail is not trusted",
    fix: addBelow,
    byActor: { wait: onItsWay },
  },
  email_dmarc_missing: {
    title: "{zone} has no valid DMARC policy",
    fix: "At {provider}, make sure that exactly one is there.",
    byActor: { wait: onItsWay },
  },
  check_incomplete: {
    title: "Not everything could be checked in time",
    fix: "Check again shortly.",
  },
};

/** Stands for the provider when it is not known. */
export const customerProvider = "your DNS provider";

/** The words for the customer, with the finding's parameters. */
export function customerText(
  code: FindingCode,
  actor: FindingActor,
  params: Readonly<Record<string, string>>,
): FindingText {
  const text = customerTexts[code];
  return fillFinding(text.byActor?.[actor] ?? text, params, customerProvider, "en");
}
