/** English messages of the mail step. */
export const mailEn = {
  mail_dkim_value: "DKIM value (TXT)",
  mail_dkim_value_hint: "It begins with v=DKIM1 and is shown in the console of your mail provider.",
  mail_dkim_selector: "DKIM selector",
  mail_dkim_selector_hint: "The name that you chose for the key, for example {example}.",
  mail_mx_host: "MX host",
  mail_mx_host_hint: "Shown in the Microsoft 365 admin center under Settings, Domains.",
  mail_dkim_target1: "Target of selector1",
  mail_dkim_target2: "Target of selector2",
  mail_dkim_target_hint:
    "Shown in the Microsoft Defender portal under Email authentication settings.",
  mail_data_centre: "Region of your account",
  mail_data_centre_hint: "As in the address of your webmail: mail.zoho.eu is eu.",
  mail_show: "Show the records",
  mail_preview_title: "These mail records will be added",
  mail_preview_lede: "Nothing has been changed yet.",
  mail_preview_apply: "Add them for me",
  mail_preview_written: "Will be added for you",
  mail_later: "You can leave a field empty if you do not have the value yet.",
  mail_wrong: "This does not have the expected form. Copy the whole value again.",
  mail_spf_replace: "Replace the SPF record",
  mail_spf_replace_lede:
    "A domain has only one SPF record. Change the present one; do not add a second.",
  mail_spf_now: "Now",
  mail_spf_then: "Change it to",
  mail_spf_add: "Add the SPF record",
  mail_spf_keep: "The SPF record is right as it is.",
  mail_spf_decide: "The SPF record cannot be changed safely from here",
  mail_spf_decide_lede:
    "Ask your mail provider what it should be. There must never be two SPF records at once.",
  mail_problem_access:
    "{provider} no longer accepts the access that you gave. Add the records by hand.",
  sending_title: "A service that only sends mail",
  sending_lede: "For newsletters and the mail of your shop. Your mailboxes stay where they are.",
  sending_hint: "Shown in the console of {provider} for this domain.",
  sending_target: "DKIM target {n}",
  sending_return_path: "Return path (name before the domain)",
  sending_account_host: "Target of the first record",
  sending_code: "Brevo code",
  sending_region: "Region",
  sending_waiting: "{provider} does not find all records yet. We keep checking.",
  sending_ready: "All records are there. {provider} accepts {domain} when it checks next.",
  sending_accepted: "{provider} sends mail from {domain}.",
  sending_broken: "One of the records that {provider} needs is gone or was changed.",
} as const;

export type MailMessages = Readonly<Record<keyof typeof mailEn, string>>;
