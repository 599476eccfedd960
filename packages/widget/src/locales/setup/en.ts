/** English messages about trouble, checks, conflicts and refusals of the setup. */
export const setupEn = {
  your_provider: "your DNS provider",
  copied_what: "Copied: {what}",
  fix_title: "One thing to fix",
  fix_delay: "There is a delay",
  fix_lede: "{domain} continues as soon as this is done.",
  fix_check: "Check again",
  fix_remove: "Delete this first",
  fix_add: "This has to be there",
  fix_leave: "You can close this window and come back when it is done.",
  check_running: "Asking the name servers…",
  check_saw: "Checked at {time}: {found} of {all} records found.",
  check_saw_one: "Checked at {time}: the record is there.",
  check_saw_none: "Checked at {time}: the record is not there yet.",
  check_done: "Checked at {time}.",
  check_still: "Checked at {time}: nothing has changed.",
  check_next: "The next check is at {time} at the latest.",
  share_subject: "DNS records for {domain}",
  share_text:
    "Please add the DNS records on this page, so that {domain} can be used with {brand}. The page shows what is already there.",
  share_link: "Link",
  share_mail: "Send by e-mail",
  share_native: "Share…",
  share_ready: "The link is ready",
  manual_delete_first: "Delete these first",
  conflict_other_records: "There are other records at {name}.",
  conflict_delegated:
    "{name} is handed to other name servers, so that a record here would have no effect.",
  conflict_whole_zone:
    "{provider} replaces the whole zone with every change. Records that it does not list are lost.",
  conflict_managed: "{provider} has a record at {name} that cannot be changed from here.",
  conflict_not_writable: "{provider} cannot hold this record.",
  conflict_mail_warning:
    "The MX record receives the mail of {name}. Without it, mail to that name no longer arrives.",
  conflict_mail_consent: "Nobody receives mail at {name}; its MX record may be removed",
  plan_blocked: "This cannot be changed from here",
  plan_blocked_lede:
    "Nothing was changed. Change it at {provider} and preview again, or add the records yourself.",
  refused_auth:
    "{provider} does not accept what you entered: it is mistyped, has expired, or lacks a permission.",
  refused_not_found: "This access does not see {zone} at {provider}. Is it the right account?",
  refused_rate_limited: "{provider} asks us to wait. Try again in a minute.",
  refused_unavailable: "{provider} does not answer at present. Try again shortly.",
  refused_conflict: "{provider} refuses the change, because another record is in the way.",
  refused_unsupported: "{provider} does not accept such a record.",
  refused_invalid: "What you entered is not complete, or not of the right form.",
  refused_other: "The records could not be written.",
  refused_nothing: "Nothing was changed.",
  trouble_caa_forbidden: "A CAA record forbids the certificate of {domain}",
  trouble_caa_forbidden_fix:
    "Your domain says who may issue certificates for it, and our authority is not among them. Add one more CAA record at {provider}; the others can stay.",
  trouble_certificate_failed: "The certificate of {domain} could not be obtained",
  trouble_certificate_failed_fix:
    "There is nothing for you to do: we try again. If it stays so for an hour, please contact support.",
  trouble_check_failed: "We cannot check {domain} at present",
  trouble_check_failed_fix: "Check again here. If that does not help, please contact support.",
  trouble_dnssec_bogus: "DNSSEC of {zone} is broken",
  trouble_dnssec_bogus_fix:
    "Where you bought {zone}, switch DNSSEC off (remove the DS record), or set it up again. Until then many visitors cannot reach it.",
  trouble_hostname_conflict: "{domain} is connected with another account",
  trouble_hostname_conflict_fix:
    "Both accounts have proven it, and then the other one keeps it. We look up which records are there.",
  trouble_not_registered: "{zone} is not registered, or has expired",
  trouble_not_registered_fix:
    "Register or renew {zone} where you buy domains, or check its spelling. After a renewal it can take a few hours.",
  trouble_provider_auth: "{provider} did not let us write the records",
  trouble_provider_auth_fix: "Please add the records yourself, as shown here.",
  trouble_provider_not_delegated: "The DNS of {zone} is managed where we cannot write",
  trouble_provider_not_delegated_fix: "Please add the records yourself, as shown here.",
  trouble_provider_unsupported: "{provider} cannot take these records automatically",
  trouble_provider_unsupported_fix: "Please add the records yourself, as shown here.",
  cdn_fine: "Your domain is behind {cdn}, which is fine",
  cdn_set:
    "At {cdn}, set the target of {domain} to the record that is shown here. The proxy may stay on; set the encryption mode to “Full (strict)”.",
  cdn_keep: "There is nothing to change. At {cdn}, keep the encryption mode “Full (strict)”.",
  trouble_proxied: "{domain} is behind a proxy",
  trouble_proxied_fix:
    "At {provider}, edit the record of {domain} and switch the proxy off: “DNS only”, the grey cloud. We cannot see the record behind it.",
  trouble_quota_exceeded: "{domain} waits for the owner of the service",
  trouble_quota_exceeded_fix:
    "There is nothing for you to do: it continues by itself. If it stays so, please contact support.",
  trouble_record_conflict: "Other records are in the way at {domain}",
  trouble_record_conflict_fix:
    "Delete or move them at {provider}, if nothing needs them. If they are needed, connect another name.",
  trouble_record_mismatch: "{domain} leads somewhere else",
  trouble_record_mismatch_fix:
    "It leads to {observed} now. At {provider}, replace that with the record that is shown here.",
  trouble_txt_mismatch: "The proof has another value",
  trouble_txt_mismatch_fix:
    "At {provider}, set the value of the TXT record exactly as it is shown here.",
  analysis_guided: "Guided setup",
  way_minute: "About a minute",
  way_manual: "Step by step at {provider}",
  way_manual_unknown: "Step by step",
  way_manual_lede: "We show you what to enter where. It takes about five minutes.",
  way_api: "I manage DNS by API",
  way_api_lede:
    "For developers: with an access key of {provider}. It is never stored, and we ask before we use it again.",
  access_again: "Use the access to {provider} that you entered earlier",
  access_again_mail: "Without it we show you the records, and you add them yourself.",
  access_again_switch: "Otherwise you enter it once more.",
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
  guide_cloud:
    "Switch the orange cloud to grey (“DNS only”) for these records, or we cannot see them.",
  guide_quotes: "Put the value of a TXT record in quotation marks.",
  guide_addresses_apart: "A and AAAA records have a section of their own.",
  guide_no_apex_alias:
    "{provider} takes no ALIAS or CNAME record for {zone} itself. Use a name such as {www} instead.",
  guide_no_wildcard: "{provider} takes no name with an asterisk (*).",
  guide_save: "Press “{label}” to save.",
  token_open: "Open {provider}",
  token_which: "What do you have?",
  token_more: "More options",
  step_open: "Go to “{label}”.",
  step_press: "Press “{label}”.",
  step_choose: "Choose “{label}”.",
  step_permit: "Give it these permissions: {label}.",
  step_limit: "Limit it to {zone} (“{label}”).",
  step_addresses: "Enter our addresses under “{label}”: {addresses}.",
  step_addresses_unknown: "Ask {brand} for the addresses to enter under “{label}”.",
  step_copy: "Copy what is shown, and paste it below.",
  error_not_set_up: "This page is not set up yet",
  error_not_set_up_lede:
    "{brand} has to finish its setup before a domain can be connected here. Please get in touch with them.",
  oauth_sign_in: "Sign in at {provider}",
  oauth_sign_in_retained_lede:
    "Sign in at {provider} in a small window and allow the change. The permission stays, so that the records of this domain can be repaired later; it ends when you disconnect it.",
  oauth_sign_in_lede:
    "Sign in at {provider} in a small window and allow the change. The permission is used for this setup only.",
} as const;

export type SetupMessages = Readonly<Record<keyof typeof setupEn, string>>;
