/** English messages about the customer's own domains, pairs and taken names. */
export const domainsEn = {
  domains_title: "Your domains",
  domains_lede: "The domains that lead to {brand}, and those on their way.",
  domains_add: "Add another domain",
  domains_show: "Your domains",
  domains_live: "Live",
  domains_progress: "In progress",
  domains_attention: "Needs attention",
  domains_partner: "{domain} leads to it",
  domains_visit: "Visit",
  domains_continue: "Continue",
  domains_fix: "Put it right",
  domains_remove: "Disconnect",
  remove_title: "Disconnect {domain}?",
  remove_lede:
    "Visitors of {domain} no longer reach {brand}, and the certificate is no longer renewed. You can connect it again at any time.",
  remove_dns: "Your DNS records stay as they are. Remove them yourself if you no longer need them.",
  remove_keep: "Keep it",
  remove_confirm: "Disconnect",
  remove_problem: "It could not be disconnected. Try again shortly.",
  domains_removed: "Disconnected.",
  pair_title: "Connect {domain} too?",
  pair_lede:
    "Many people type www., many do not. Both lead to you, and one address stays in the browser.",
  pair_both: "Both, and visitors stay on {domain}",
  pair_single: "Only {domain}",
  pair_in_use: "{domain} shows something else at present. With both, that is replaced.",
  pair_next: "{done} is approved. Now approve {domain} in the same way.",
  pair_one_by_one:
    "Your provider approves one name at a time: {domain} now, {other} right after it.",
  pair_change_leads: "{domain} and {other} will lead to {brand}",
  taken_title: "{domain} is already connected",
  taken_lede:
    "It belongs to another account, perhaps an older one of yours. If it is yours, prove it: add one DNS record, and the other account must prove it too or lose it.",
  taken_drifted:
    "Another account had it, but it no longer leads there. Prove that it is yours with one DNS record, and it passes to you.",
  taken_support: "Not sure?",
  taken_contact: "Ask {brand}",
} as const;

export type DomainMessages = Readonly<Record<keyof typeof domainsEn, string>>;
