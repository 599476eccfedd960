/**
 * Every finding of a diagnosis, in the order in which findings are listed: a cause comes before
 * what it makes irrelevant. Codes are stable; the sentences are their documentation.
 */
export const findingCodes = [
  {
    code: "registration_on_hold",
    sentence:
      "The registry has taken the domain out of DNS: it is on hold, or its registration has lapsed.",
  },
  {
    code: "not_registered",
    sentence: "DNS does not know the domain: it was never registered, has expired, or is on hold.",
  },
  {
    code: "dnssec_ds_stale",
    sentence:
      "The registrar announces DNSSEC keys (DS) for the domain, but its nameservers do not sign.",
  },
  {
    code: "dnssec_broken",
    sentence: "The domain's answers fail DNSSEC validation, so that resolvers refuse them.",
  },
  {
    code: "ns_unreachable",
    sentence: "Some or all nameservers of the domain do not answer.",
  },
  {
    code: "ns_servfail",
    sentence: "Some or all nameservers of the domain answer with an error.",
  },
  {
    code: "ns_lame",
    sentence: "A nameserver that the domain is delegated to does not serve it.",
  },
  {
    code: "ns_disagree",
    sentence: "The nameservers name different sets of nameservers for the domain.",
  },
  {
    code: "ns_mixed_operators",
    sentence: "The nameservers belong to different DNS providers, which all need the same records.",
  },
  {
    code: "dns_moved",
    sentence: "The domain's DNS is at another provider than when the connection was made.",
  },
  {
    code: "zone_delegated",
    sentence:
      "The name lies in a zone of its own, so that records in the zone above have no effect.",
  },
  {
    code: "hostname_conflict",
    sentence: "Another connection holds the hostname.",
  },
  {
    code: "hostname_proven_by_both",
    sentence:
      "Records of two connections prove the hostname; its holder stays while both are there.",
  },
  {
    code: "hostname_contested",
    sentence: "Somebody else has proven ownership of the hostname that the connection holds.",
  },
  {
    code: "quota_exceeded",
    sentence: "The name is proven, and the plan allows no more names: it waits.",
  },
  {
    code: "ownership_unanswered",
    sentence: "Too few nameservers answered to prove the ownership record.",
  },
  {
    code: "ownership_cname",
    sentence: "There is a CNAME at the name of the ownership record.",
  },
  {
    code: "ownership_wildcard",
    sentence: "The ownership value comes from a wildcard record, which proves nothing.",
  },
  {
    code: "ownership_partial",
    sentence: "Some nameservers have the ownership record and others do not yet.",
  },
  {
    code: "ownership_altered",
    sentence:
      "The ownership record is at the right name, but its value was changed on the way: quotes, spaces, letter case, or a part is missing.",
  },
  {
    code: "ownership_doubled_name",
    sentence:
      "The ownership record is at a name with the domain twice: the provider added the domain to a full name.",
  },
  {
    code: "ownership_wrong_name",
    sentence: "The ownership record has the right value, but is at another name.",
  },
  {
    code: "ownership_other_token",
    sentence: "The ownership record has the value of another, for example an earlier, connection.",
  },
  {
    code: "ownership_mismatch",
    sentence: "There are other TXT values at the name of the ownership record.",
  },
  {
    code: "ownership_missing",
    sentence: "No nameserver has the ownership record.",
  },
  {
    code: "wrong_dns_provider",
    sentence:
      "Nothing has arrived for a while: the records were perhaps added where the domain's DNS is not managed.",
  },
  {
    code: "ownership_seen",
    sentence: "All nameservers have the ownership record; the next check takes it up.",
  },
  {
    code: "domain_connect_cancelled",
    sentence: "The customer was at their DNS provider to have the records set, and cancelled.",
  },
  {
    code: "domain_connect_refused",
    sentence:
      "The DNS provider sent the customer back with an error instead of setting the records.",
  },
  {
    code: "provider_auth",
    sentence: "The DNS provider refused the stored credential.",
  },
  {
    code: "credential_failing",
    sentence: "A stored credential for the domain stopped working.",
  },
  {
    code: "provider_unsupported",
    sentence: "The records cannot be written through the DNS provider's interface.",
  },
  {
    code: "provider_not_delegated",
    sentence:
      "The zone that can be written at a DNS provider is not the one that the domain is delegated to.",
  },
  {
    code: "provider_busy",
    sentence: "The DNS provider is away or asks to wait; writing is tried again.",
  },
  {
    code: "provider_write_failed",
    sentence: "The last attempt to write records at the DNS provider failed.",
  },
  {
    code: "record_loop",
    sentence: "The name is an alias that leads in a circle, or through too many aliases.",
  },
  {
    code: "record_proxied",
    sentence: "The name answers with addresses of a proxy, which hides the record behind it.",
  },
  {
    code: "cdn_not_forwarding",
    sentence:
      "The name is behind a CDN, which may stay, but requests for it do not arrive at the edge.",
  },
  {
    code: "cdn_tls_flexible",
    sentence:
      "The CDN in front of the name reaches the edge without TLS: visitors are redirected in a circle.",
  },
  {
    code: "cdn_hides_challenge",
    sentence:
      "The CDN in front of the name answers the certificate authority's validation itself, and DNS does not validate.",
  },
  {
    code: "cdn_caches_probe",
    sentence: "The CDN in front of the name caches an answer that must not be cached.",
  },
  {
    code: "proxy_to_proxy",
    sentence:
      "The name and the service are behind the same proxy company in different accounts, which it refuses to join.",
  },
  {
    code: "record_flattened",
    sentence:
      "The name leads to the service, but by addresses where a CNAME is wanted: they will not follow when the service moves.",
  },
  {
    code: "aaaa_leftover",
    sentence:
      "An IPv6 address of another server is beside the service's: visitors and the certificate authority go there.",
  },
  {
    code: "a_leftover",
    sentence: "An IPv4 address of another server is beside the service's.",
  },
  {
    code: "https_leftover",
    sentence:
      "An HTTPS record (type 65) sends browsers that read it to another server, or announces a key that the service does not have.",
  },
  {
    code: "policy_duplicate",
    sentence:
      "A second SPF or DMARC policy would be at a name that may have only one; they must be merged.",
  },
  {
    code: "record_conflict",
    sentence: "There are other records at a name where the wanted one must be alone.",
  },
  {
    code: "record_target_doubled",
    sentence:
      "The record's target has the customer's domain appended: the provider took it as a short name.",
  },
  {
    code: "record_doubled_name",
    sentence: "The record is at a name with the domain twice.",
  },
  {
    code: "private_address",
    sentence: "The name leads to an address that only a private network can reach.",
  },
  {
    code: "apex_needs_alias",
    sentence:
      "The top of a domain is asked to follow another name, which this DNS provider is not known to offer.",
  },
  {
    code: "record_of_another",
    sentence: "The name has the record that was made for another connection.",
  },
  {
    code: "record_mismatch",
    sentence: "The name leads somewhere else.",
  },
  {
    code: "record_missing",
    sentence: "A wanted record is not there.",
  },
  {
    code: "servers_disagree",
    sentence: "Some nameservers have the wanted record and others do not yet.",
  },
  {
    code: "records_unanswered",
    sentence: "No nameserver could be asked for the wanted record.",
  },
  {
    code: "resolvers_failing",
    sentence: "The nameservers have the record, but resolvers fail to resolve it.",
  },
  {
    code: "wildcard_answers",
    sentence: "A wildcard answers for the name until it has a record of its own.",
  },
  {
    code: "caa_forbidden",
    sentence: "CAA records forbid the certificate authority to issue for the name.",
  },
  {
    code: "caa_unanswered",
    sentence: "Whether CAA allows a certificate cannot be found out; an authority then refuses.",
  },
  {
    code: "certificate_revoked",
    sentence: "The certificate was revoked.",
  },
  {
    code: "certificate_expired",
    sentence: "The certificate has expired.",
  },
  {
    code: "certificate_at_risk",
    sentence: "The certificate may not be renewed in time.",
  },
  {
    code: "ca_rate_limited",
    sentence: "The certificate authority asks to wait.",
  },
  {
    code: "ca_unavailable",
    sentence: "The certificate authority does not take orders at present.",
  },
  {
    code: "certificate_cached",
    sentence:
      "The records are right, but the certificate authority's resolvers may still remember what was there before.",
  },
  {
    code: "certificate_failed",
    sentence: "The certificate could not be obtained.",
  },
  {
    code: "certificate_foreign",
    sentence:
      "Somebody else obtained a certificate for the hostname, as a certificate transparency log shows.",
  },
  {
    code: "origin_unreachable",
    sentence:
      "The edge cannot reach the application's origin, or it answers 502 to 504, or its name resolves to an address that is refused.",
  },
  {
    code: "origin_missing",
    sentence: "The application has no origin, so that there is nothing to show to visitors.",
  },
  {
    code: "registration_expiring",
    sentence: "The registration of the domain ends within 30 days, or has ended.",
  },
  {
    code: "check_failed",
    sentence:
      "Every check fails by a fault of the service, and the connection is no longer checked.",
  },
  {
    code: "gave_up",
    sentence: "A phase took too long, and the connection is no longer checked by itself.",
  },
  {
    code: "archived_still_points_here",
    sentence: "The connection is archived, but its records still lead to the service.",
  },
  {
    code: "cutover_preparing",
    sentence: "The name serves visitors elsewhere while its move is prepared.",
  },
  {
    code: "cutover_ready",
    sentence: "Everything is prepared, and the name can be switched.",
  },
  {
    code: "records_changed",
    sentence: "The service needs other records than those that are there, which still work.",
  },
  {
    code: "records_cached",
    sentence:
      "Everything is right at the nameservers; resolvers still remember what was there before.",
  },
  {
    code: "slow_to_change",
    sentence: "The present records may be cached for over an hour after they are corrected.",
  },
  {
    code: "certificate_pending",
    sentence: "The certificate is being obtained.",
  },
  {
    code: "behind_cdn",
    sentence: "The name is behind a CDN, and requests for it arrive at the edge: that is fine.",
  },
  {
    code: "apex_by_address",
    sentence: "The name holds the service's addresses, which it will not follow when they change.",
  },
  {
    code: "www_not_connected",
    sentence: "The name's twin with or without www does not lead to the service.",
  },
  // Only for a connection with an email setup.
  {
    code: "email_mx_missing",
    sentence: "Mail was set up, but the domain has no MX record.",
  },
  {
    code: "email_mx_elsewhere",
    sentence: "Mail was set up, but the domain's mail goes to another provider too, or only there.",
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
  {
    code: "check_incomplete",
    sentence: "Not everything could be checked in time.",
  },
] as const satisfies readonly { readonly code: string; readonly sentence: string }[];

export type FindingCode = (typeof findingCodes)[number]["code"];
