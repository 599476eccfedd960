/** Findings about mail; only for a connection for which mail was set up. */
export const emailCodes = [
  {
    code: "email_mx_missing",
    sentence: "Mail was set up, but the domain has no MX record.",
  },
  {
    code: "email_mx_elsewhere",
    sentence: "Mail was set up, but the domain's mail goes to somebody else too, or only.",
  },
  {
    code: "email_spf_multiple",
    sentence: "The domain has several SPF records, which receivers ignore as a whole.",
  },
  {
    code: "email_spf_missing",
    sentence: "The domain's SPF record is missing, or does not name the mailbox provider.",
  },
  {
    code: "email_spf_broken",
    sentence:
      "Receivers refuse the domain's SPF record: it costs more than ten lookups, or cannot be evaluated.",
  },
  {
    code: "email_dkim_missing",
    sentence: "A DKIM record of the mailbox provider is missing.",
  },
  {
    code: "email_dmarc_missing",
    sentence: "The domain has no DMARC policy, or several.",
  },
] as const;
