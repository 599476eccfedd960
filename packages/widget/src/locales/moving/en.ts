/** English messages about wildcards, and about moving a domain that serves visitors elsewhere. */
export const movingEn = {
  moving_title: "{domain} already shows a site",
  moving_lede: "Choose how it moves to {brand}.",
  moving_prepare: "Prepare first, then switch: your site stays up",
  moving_prepare_lede:
    "We get everything ready and check it while visitors still see the old site. You decide when it switches.",
  moving_direct: "Switch right away",
  moving_direct_lede: "Visitors may see an error until everything is ready.",
  moving_change: "{domain} leads to {brand} only when you say so",
  moving_records_lede:
    "These records lead no visitor anywhere: your site stays as it is. Add them at {provider}.",
  moving_validation: "Lets us get the certificate in advance",
  prepare_title: "Your site stays up while we prepare",
  prepare_lede:
    "Visitors of {domain} still see the old site. We tell you when everything is ready.",
  ready_title: "Ready to switch",
  ready_lede:
    "Everything is prepared and checked. Visitors of {domain} still see the old site until you switch.",
  ready_switch: "Switch now",
  ready_by_hand: "Change the records myself",
  ready_later: "You can close this window and switch another day. Nothing changes until then.",
  switch_records_lede: "Change these records at {provider}, and visitors come to {brand}.",
  switch_records: "Change these records",
  switching_title: "Switching to {brand}",
  switching_lede:
    "The records are changing. Some visitors still see the old site for a while: keep it running.",
  old_server: "Keep the old server running until {time}. From then on it may be switched off.",
  check_ownership: "The domain is yours",
  check_validation: "We may get its certificate",
  check_certificate: "The certificate is there",
  check_edge: "Our servers are ready for it",
  check_origin: "{brand} answers like the old site",
  check_caa_dnssec: "The certificate can be renewed later",
  check_mail: "Your mail is not touched",
  check_mail_stops: "Mail records are in the way",
  check_not_compared: "Not compared with the old site",
  not_compared_unreachable:
    "The old site could not be reached. Compare it with the new one yourself before you switch.",
  not_compared_no_address: "The domain has no address at the old site now.",
  check_open: "not yet",
  differs_title: "The new site answers differently",
  differs_lede:
    "The start page of the old site and that of {brand} do not answer alike. Compare them before you switch.",
  differs_accept: "Switch in spite of that",
  mail_blocks:
    "The switch would take mail records away. Move them to another name first, or ask {brand}.",
  wildcard_title: "Every name below {domain}",
  wildcard_lede:
    "All names directly below it lead to {brand}, such as one.{domain} and two.{domain}. A name with a record of its own stays where it is.",
  wildcard_offer: "Connect every name below it instead",
  wildcard_single: "Connect only {domain} instead",
  wildcard_change: "Every name below {domain} leads to {brand}",
  wildcard_certificate: "A CNAME record lets us get one certificate for all of them",
} as const;

export type MovingMessages = Readonly<Record<keyof typeof movingEn, string>>;
