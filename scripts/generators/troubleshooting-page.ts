import { httpStatuses } from "../../packages/control/src/api/http/error-reply.ts";
import {
  type ConnectionError,
  connectionErrors,
} from "../../packages/control/src/domain/connections/connection.ts";
import {
  type FindingCode,
  findingCodes,
} from "../../packages/control/src/domain/diagnosis/finding-codes.ts";
import { type ErrorCode, errorCodes } from "../../packages/control/src/domain/errors.ts";
import { sharedCausesSection } from "./shared-causes.ts";

const introduction = `# Troubleshooting

Three kinds of code say what is wrong. All are stable: branch on the code, and show people the sentence.
\`npm run generate\` writes this page from the lists in the code.

1. A request failed: [\`error.code\`](#answers-of-the-api) of the answer.
2. A connection makes no progress: its [\`error_code\`](#error-codes-of-a-connection).
3. Why, in detail: the [diagnosis](#findings-of-a-diagnosis), which asks DNS when it is called and says who
   must do what, with the real names and values.

<!-- run by test/world/start/documents.test.ts -->
\`\`\`sh
curl "$MOORING_URL/v1/connections/$ID/diagnosis" -H "Authorization: Bearer $MOORING_API_KEY"
\`\`\`

Domain Connect has [its own reasons](domain-connect.md#when-it-cannot-be-started). \`mooring doctor\` checks the
set-up of the service itself; what to do about an alert is in
[operations](operations.md#alerts).`;

/**
 * Every code of the API, of a connection and of a diagnosis, in the order of the lists in the code.
 */
export function troubleshootingPage(): string {
  return [
    introduction,
    "",
    ...sharedCausesSection(),
    "",
    "## Answers of the API",
    "",
    'An error is `{ "error": { "code", "message", "details" } }`, with a matching status.',
    "",
    "| Code | Status | Meaning | What to do |",
    "|---|---|---|---|",
    ...errorCodes.map((code) => {
      const { meaning, fix } = errorDescriptions[code];
      return `| \`${code}\` | ${httpStatuses[code]} | ${meaning} | ${fix} |`;
    }),
    "",
    "## Error codes of a connection",
    "",
    "`error_code` is null while nothing is known to be wrong. It becomes null again once the cause is fixed.",
    "",
    "| Code | Meaning | What to do |",
    "|---|---|---|",
    ...connectionErrors.map((code) => {
      const { meaning, fix } = connectionErrorDescriptions[code];
      return `| \`${code}\` | ${meaning} | ${fix} |`;
    }),
    "",
    "## Findings of a diagnosis",
    "",
    "In the order in which a diagnosis lists them: a finding that makes the later ones meaningless comes first.",
    "",
    "| Code | Meaning | What to do |",
    "|---|---|---|",
    ...findingCodes.map(
      ({ code, sentence }) => `| \`${code}\` | ${sentence} | ${findingFixes[code]} |`,
    ),
    "",
  ].join("\n");
}

interface CodeDescription {
  readonly meaning: string;
  readonly fix: string;
}

/** Codes in `error.code` of an answer; a code without a description does not compile. */
const errorDescriptions: Readonly<Record<ErrorCode, CodeDescription>> = {
  unauthorized: {
    meaning: "No key or token was sent, or it is unknown, revoked or expired.",
    fix: "Send `Authorization: Bearer` with a key. A widget gets a new token from `getToken`.",
  },
  forbidden: {
    meaning:
      "The key or token is valid, but lacks the scope, the origin is not allowed, or the token is bound to another domain.",
    fix: "Give the key the scope that the reference names; put the page's origin into `allowed_origins` of the application (`add_allowed_origins`).",
  },
  tenant_suspended: {
    meaning:
      "The operator of the installation has suspended the tenant. It can be read, and not changed; its names are served by a maintenance page.",
    fix: "Ask the operator. Operators: `mooring tenants resume`.",
  },
  not_found: {
    meaning:
      "There is no such object for this key. Objects of another tenant or environment get the same answer.",
    fix: "Check the id, and whether the key is a test or a live one.",
  },
  invalid: {
    meaning: "The request does not match the schema.",
    fix: "`details.issues` names each field and what is wrong with it.",
  },
  HostnameConflict: {
    meaning: "Another connection holds this hostname.",
    fix: "If it is your own, `details.connection_id` names it: use or archive that one. Otherwise its holder has to archive it.",
  },
  ownership_not_found: {
    meaning: "A verify did not find the ownership record on the zone's own servers.",
    fix: "`details` has what was expected and what was found. Read the [diagnosis](#findings-of-a-diagnosis); the service checks again automatically.",
  },
  QuotaExceeded: {
    meaning: "The tenant's plan does not allow more of this in the current month.",
    fix: "`upgrade_url` is where to get more. Operators: `mooring tenants set-plan`.",
  },
  billing_unavailable: {
    meaning: "This installation has no billing.",
    fix: "Operators: set `STRIPE_SECRET_KEY`, or set plans with `mooring tenants set-plan`.",
  },
  conflict: {
    meaning:
      "The object is not in a state that allows this: archived, switched off, being written by another request, or not ready.",
    fix: "`message` says which. With `Retry-After`, retry then.",
  },
  rate_limited: {
    meaning: "Too many requests of this kind.",
    fix: "Wait for `Retry-After` seconds. Operators: `RATE_LIMITS`.",
  },
  payload_too_large: {
    meaning: "The body has more than 65,536 bytes.",
    fix: "Send less at a time.",
  },
  unsupported_media_type: {
    meaning: "The `Content-Type` is not JSON.",
    fix: "Send `Content-Type: application/json`.",
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    fix: "The header `Allow` lists the methods that it has.",
  },
  idempotency_mismatch: {
    meaning: "This `Idempotency-Key` was used with another request.",
    fix: "Use a new key for a new request.",
  },
  idempotency_in_progress: {
    meaning: "The first request with this `Idempotency-Key` is still in progress.",
    fix: "Retry shortly, with the same key.",
  },
  provider_error: {
    meaning: "A DNS provider, or the billing provider, refused or did not answer.",
    fix: "`details.provider` and `details.kind` say who and why. Test the credential; wait if the kind is `unavailable` or `rate_limited`.",
  },
  unavailable: {
    meaning: "The service cannot answer now: its database is unavailable, or it is overloaded.",
    fix: "Retry after `Retry-After` seconds. Operators: [database outage](operations.md#the-database-is-unavailable).",
  },
  internal: {
    meaning: "The service failed.",
    fix: "`details.ref` is also in the service's log; send it to the operator.",
  },
};

/** `error_code` of a connection; a code without a description does not compile. */
const connectionErrorDescriptions: Readonly<Record<ConnectionError, CodeDescription>> = {
  txt_not_found: {
    meaning: "No server of the zone has the ownership record.",
    fix: "Publish the TXT record of `ownership_challenge`, with exactly this name and value.",
  },
  txt_mismatch: {
    meaning: "There is a TXT record at the name, but not with this connection's value.",
    fix: "Set the value again, without quotes or spaces. The value of another or older connection does not count.",
  },
  hostname_conflict: {
    meaning: "Ownership is proven, but another connection holds the hostname.",
    fix: "Leave the record in place: `contest.deadline` says when the name passes, unless its holder proves it again. If the other connection is yours, archive it and verify again. See [contests](contests.md).",
  },
  ownership_timeout: {
    meaning: "The ownership record was not published in time (`GIVE_UP_AFTER`).",
    fix: "Publish it, then verify again; the record is the same.",
  },
  dns_timeout: {
    meaning: "The zone's servers did not answer.",
    fix: "The state does not change and the service asks again. If it lasts, ask the DNS provider.",
  },
  dns_servfail: {
    meaning: "The zone's servers answered with an error.",
    fix: "As for `dns_timeout`; often the zone was removed at the provider.",
  },
  dnssec_bogus: {
    meaning: "The zone's signatures do not match its DS record.",
    fix: "At the registrar, correct or remove the DS record.",
  },
  not_registered: {
    meaning: "The domain does not exist in DNS.",
    fix: "Check its spelling; register or renew it.",
  },
  record_missing: {
    meaning: "A desired record is missing.",
    fix: "Add the records of `desired_records`.",
  },
  record_mismatch: {
    meaning: "The name points somewhere else.",
    fix: "Replace the existing records with those of `desired_records`.",
  },
  record_conflict: {
    meaning:
      "Other records exist at a name where the desired record must be the only one, such as MX beside a CNAME.",
    fix: "Move or remove them if nothing needs them, or connect another name.",
  },
  proxied: {
    meaning:
      "A proxy, such as Cloudflare's, hides the record, and the application has `proxied: refuse`.",
    fix: "Switch the proxy off for this record (“DNS only”), or [accept names behind a CDN](edge.md#behind-a-cdn).",
  },
  provider_auth: {
    meaning:
      "The DNS provider refused the stored credential, or lets it see the zone but not its name servers; `last_error` of the credential names the permission.",
    fix: "Store a new one with the permissions that [the provider's section](providers.md#credentials) names.",
  },
  provider_rate_limited: {
    meaning: "The DNS provider asks to wait.",
    fix: "The write is retried automatically.",
  },
  provider_unavailable: {
    meaning: "The DNS provider does not answer.",
    fix: "The write is retried automatically. To save time, add the records by hand.",
  },
  provider_not_delegated: {
    meaning:
      "The zone that the stored credential sees is not the one that the domain is delegated to, so that nothing was written.",
    fix: "Store a credential of the provider whose name servers answer for the domain, or change the name servers at the registrar; then apply the records again.",
  },
  provider_unsupported: {
    meaning: "The zone is not in that account, or the provider does not support these records.",
    fix: "Add the records by hand.",
  },
  propagation_timeout: {
    meaning: "The records were not published in time (`GIVE_UP_AFTER`).",
    fix: "Set them, then verify again.",
  },
  caa_forbidden: {
    meaning: "CAA records do not allow the certificate authority.",
    fix: "Add a CAA record for it beside the others; the diagnosis has the record to copy.",
  },
  ca_rate_limited: {
    meaning: "The certificate authority's limit, or the service's [own budget](edge.md#limits).",
    fix: "The order is retried automatically, at `certificate.next_attempt_at`. Connecting again makes another order and does not help.",
  },
  ca_unavailable: {
    meaning:
      "The certificate authority does not answer, or is not set up as its operator wants it.",
    fix: "The order is retried automatically, at `certificate.next_attempt_at`. Operators: run `mooring doctor`.",
  },
  certificate_failed: {
    meaning: "The certificate authority refused, or the name points elsewhere.",
    fix: "Read the diagnosis and `certificate.last_error`, which has the words of the authority.",
  },
  certificate_timeout: {
    meaning: "No certificate could be obtained in time (`GIVE_UP_AFTER`).",
    fix: "Fix what the diagnosis names, then verify again.",
  },
  certificate_at_risk: {
    meaning:
      "The certificate of a live connection may not be renewed in time: its renewal failed and less than a third of its life is left, CAA forbids it now, or a wildcard has lost its CNAME for validation.",
    fix: "Read the diagnosis. The certificate is still served, and the renewal is retried automatically.",
  },
  certificate_expired: {
    meaning: "The certificate has expired or was revoked, and there is no new one.",
    fix: "Read the diagnosis and `certificate.last_error`, which has the words of the authority.",
  },
  origin_unreachable: {
    meaning:
      "The edge cannot reach the application, or it answers 502, 503 or 504: five requests in a row, or for a minute.",
    fix: "Check that it runs, that `origin_url` is right, and that it accepts requests of the edge.",
  },
  records_changed: {
    meaning:
      "The application's template or the edge's addresses have changed. The domain is served with the old records.",
    fix: "Publish `pending_records` instead of the old ones. With a stored credential the service does it.",
  },
  quota_exceeded: {
    meaning:
      "The name is proven and waits in `verified`: as many names are in use as the plan allows (`active_domain`). Its claim is safe meanwhile.",
    fix: "Choose a larger plan, or archive a name that is not used. Names that wait continue by themselves, the first that was proven first.",
  },
  check_failed: {
    meaning: "Every check fails by a fault of the service, which has stopped trying.",
    fix: "Verify again. Operators: `mooring parked list` shows the cause, `mooring parked wake` has it tried again.",
  },
};

/** What to do about each finding, without the names and values of a real one. */
const findingFixes: Readonly<Record<FindingCode, string>> = {
  registration_on_hold:
    "At the registrar, ask why the domain is on hold, or have it restored before it is deleted.",
  not_registered: "Register or renew the domain, or check its spelling.",
  dnssec_ds_stale: "At the registrar, remove the DS record (switch DNSSEC off).",
  dnssec_broken: "At the registrar, make the DS record match the provider's keys, or remove it.",
  ns_unreachable:
    "At the registrar, remove nameservers that no longer exist; otherwise ask the DNS provider about an outage.",
  ns_servfail: "Ask the DNS provider; often the zone was removed there, or never set up.",
  ns_lame: "At the registrar, set exactly the nameservers that the DNS provider names.",
  ns_disagree: "Make the registrar's list and the NS records in the zone the same.",
  ns_mixed_operators:
    "Add the records at every provider, or use the nameservers of one provider only.",
  dns_moved: "Add the records at the new DNS provider.",
  zone_delegated: "Add the records in that zone, not in the one above.",
  hostname_conflict:
    "Prove the name and keep the record until the contest is decided, or archive the connection that holds it.",
  hostname_proven_by_both:
    "Delete the record of the other connection, by its value, if the name is to pass; else the own one.",
  hostname_contested: "Publish the ownership record again before the deadline.",
  ownership_unanswered: "Wait; after an hour ask the provider whether its servers answer over TCP.",
  ownership_cname: "Remove the CNAME (or wildcard CNAME) at that name, then add the TXT record.",
  ownership_wildcard:
    "Add the record at the exact name and remove it from the wildcard; instead of a CNAME the TXT record will do.",
  ownership_partial: "Wait: the others usually follow within minutes.",
  ownership_altered: "Set the value again exactly as given, without quotes or spaces.",
  ownership_doubled_name: "Enter the short name in the provider's form, without the domain.",
  ownership_wrong_name: "Move the record to the exact name.",
  ownership_other_token: "Add this connection's value, beside or instead of the other.",
  ownership_mismatch: "Add a record with this connection's value.",
  ownership_missing: "Add the TXT record.",
  wrong_dns_provider:
    "Check where the record was added: only the provider that runs the domain's DNS counts.",
  ownership_seen: "Wait a few seconds. If the connection has failed, verify again.",
  domain_connect_cancelled: "Go to the provider again and agree, or add the records by hand.",
  domain_connect_refused: "Try again with the account that holds the zone, or add them by hand.",
  provider_auth: "Store a new credential and apply the records again, or add them by hand.",
  credential_failing: "Store a new credential for the domain, or test the stored one.",
  provider_unsupported: "Add the records by hand.",
  provider_not_delegated:
    "Add the records where the domain is delegated to, or change its name servers first.",
  provider_busy: "Wait: the write is retried automatically.",
  provider_write_failed: "Test the credential and apply the records again, or add them by hand.",
  record_loop: "Replace the CNAME at the name with the desired record.",
  record_proxied: "Switch the proxy off for this record (“DNS only”, the grey cloud).",
  cdn_not_forwarding:
    "At the CDN, set the target of the name to the desired record; the proxy may stay on. See that no rule redirects, blocks or answers requests below `/.well-known/`.",
  cdn_tls_flexible: "At the CDN, set the encryption mode to “Full (strict)”.",
  cdn_hides_challenge:
    "At the CDN, let requests below `/.well-known/acme-challenge/` pass, or add the CNAME of `validation`.",
  cdn_caches_probe:
    "At the CDN, exclude `/.well-known/` from rules that cache everything, and obey Cache-Control.",
  behind_cdn: "Nothing. Keep the encryption mode “Full (strict)”.",
  proxy_to_proxy:
    "Operators: add the name as a custom hostname at the proxy company. Or set the record to “DNS only” and remove the proxy in front of the edge.",
  record_flattened: "Replace the addresses with the CNAME, or switch CNAME flattening off for it.",
  aaaa_leftover: "Remove the old AAAA record.",
  https_leftover: "Remove the old HTTPS record.",
  a_leftover: "Remove the other server's A record.",
  policy_duplicate: "Merge the desired value into the existing policy.",
  record_conflict: "Move or remove the other records if nothing needs them, or use another name.",
  record_target_doubled: "Enter the target with a trailing dot.",
  record_doubled_name: "Enter the short name in the provider's form, without the domain.",
  private_address: "Replace the address with the desired record.",
  apex_needs_alias:
    "Use an ALIAS, ANAME or flattened CNAME, or the edge's addresses; or connect `www` instead.",
  record_of_another:
    "Replace the record with the desired one: each connection has a target of its own.",
  record_mismatch: "Replace the existing record with the desired record.",
  record_missing: "Add the record.",
  servers_disagree: "Wait: the others usually follow within minutes.",
  records_unanswered: "Wait; after an hour ask the DNS provider.",
  resolvers_failing: "Usually temporary; otherwise check DNSSEC and the list of nameservers.",
  wildcard_answers: "Add the ownership record and the desired records together.",
  caa_forbidden: "Add a CAA record that allows the authority, beside the others.",
  caa_unanswered:
    "Usually temporary; otherwise ask the DNS provider why its servers do not answer CAA queries.",
  certificate_revoked:
    "A new one is ordered automatically; if it does not arrive, read the edge's log.",
  certificate_at_risk:
    "Fix the other findings; if there are none, the evidence has what the authority said.",
  certificate_expired: "Fix the other findings; if there are none, read the edge's log.",
  ca_rate_limited: "Wait: the order is retried automatically.",
  ca_unavailable: "Wait: the order is retried automatically. Operators: run `mooring doctor`.",
  certificate_cached: "Wait: the finding has the time when the old answer has run out everywhere.",
  certificate_failed: "Fix the other findings; if there are none, read the edge's log.",
  certificate_foreign:
    "Nothing, if the customer uses the name elsewhere too. Otherwise see [certificates by others](transparency.md).",
  origin_unreachable:
    "Check that the application runs and that `origin_url` is right. `refused_address` in the evidence: the name resolves to a private address, see [private origins](edge.md#forbidden-origins).",
  origin_missing: "Set `origin_url` of the application.",
  registration_expiring: "Renew the domain at its registrar, or check that it renews by itself.",
  quota_exceeded: "Choose a larger plan, or archive a name that is not used.",
  check_failed:
    "Verify again. Operators: `mooring parked list` shows the cause, `mooring parked wake` has it tried again.",
  gave_up: "Fix the other findings, then verify again.",
  archived_still_points_here:
    "Remove the records: a name that points to an unused service can be misused.",
  cutover_preparing:
    "Leave the records that visitors follow as they are, and add only those that are asked for.",
  cutover_ready: "Switch when you like; until then the old site serves.",
  records_changed:
    "Replace the old records with the new ones. Operators: serve the old address until then.",
  records_cached: "Wait: the finding has the time when caches expire.",
  slow_to_change: "Lower the TTL of the old records before a later change.",
  certificate_pending: "Wait: it usually takes less than a minute.",
  apex_by_address: "Nothing now; these records must change if the service's addresses do.",
  www_not_connected: "Connect the other form too, or redirect it.",
  email_mx_missing: "Add the MX records of the mailbox provider.",
  email_mx_elsewhere: "Replace the whole set of MX records if the mailboxes have moved.",
  email_spf_multiple: "Merge them into one SPF record with all senders.",
  email_spf_missing: "Put the provider's mechanism into the SPF record.",
  email_spf_broken: "Remove unused senders from the SPF record.",
  email_dkim_missing: "Add the DKIM records.",
  email_dmarc_missing: "Add a DMARC policy, or remove all but one.",
  check_incomplete: "Run the diagnosis again in a few seconds.",
};
