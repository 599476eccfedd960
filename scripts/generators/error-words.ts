import type { ConnectionError } from "../../packages/control/src/domain/connection.ts";
import type { ErrorCode } from "../../packages/control/src/domain/errors.ts";

export interface CodeWords {
  readonly meaning: string;
  readonly mend: string;
}

/** Codes in `error.code` of an answer; one without words does not compile. */
export const errorWords: Readonly<Record<ErrorCode, CodeWords>> = {
  unauthorized: {
    meaning: "No key or token was sent, or it is unknown, revoked or expired.",
    mend: "Send `Authorization: Bearer` with a key. A widget gets a fresh token by `getToken`.",
  },
  forbidden: {
    meaning:
      "The key or token is good, but lacks the scope, the origin is not allowed, or the token is bound to another domain.",
    mend: "Give the key the scope that the reference names; put the page's origin into `allowed_origins` of the application.",
  },
  not_found: {
    meaning:
      "There is no such object for this key. Objects of another tenant or environment look the same.",
    mend: "Check the id, and whether the key is a test or a live one.",
  },
  invalid: {
    meaning: "The request does not have the form that is wanted.",
    mend: "`details.issues` names each field and what is wrong with it.",
  },
  HostnameConflict: {
    meaning: "Another connection holds this hostname.",
    mend: "If it is your own, `details.connection_id` names it: use or archive that one. Otherwise whoever holds it has to give it up.",
  },
  ownership_not_found: {
    meaning: "A verify did not find the ownership record on the zone's own servers.",
    mend: "`details` says what was looked for and what was seen. Ask for the [diagnosis](#findings-of-a-diagnosis); the service checks again by itself.",
  },
  QuotaExceeded: {
    meaning: "The tenant's plan does not allow more of this in the current month.",
    mend: "`upgrade_url` is where to get more. Operators: `mooring tenants set-plan`.",
  },
  billing_unavailable: {
    meaning: "This installation has no billing.",
    mend: "Operators: set `STRIPE_SECRET_KEY`, or give plans by `mooring tenants set-plan`.",
  },
  conflict: {
    meaning:
      "The object is not in a state that allows this: archived, switched off, being written by somebody else, or not ready.",
    mend: "`message` says which. With `Retry-After`, try again then.",
  },
  rate_limited: {
    meaning: "Too many requests of this kind.",
    mend: "Wait for `Retry-After` seconds. Operators: `RATE_LIMITS`.",
  },
  payload_too_large: {
    meaning: "The body has more than 65,536 bytes.",
    mend: "Send less at a time.",
  },
  unsupported_media_type: {
    meaning: "The body is not said to be JSON.",
    mend: "Send `Content-Type: application/json`.",
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    mend: "The header `Allow` names those that do.",
  },
  idempotency_mismatch: {
    meaning: "This `Idempotency-Key` was used with another request.",
    mend: "Use a new key for a new request.",
  },
  idempotency_in_progress: {
    meaning: "The first request with this `Idempotency-Key` is still being worked on.",
    mend: "Try again shortly, with the same key.",
  },
  provider_error: {
    meaning: "A DNS provider, or the billing provider, refused or did not answer.",
    mend: "`details.provider` and `details.kind` say who and why. Test the credential; wait if the kind is `unavailable` or `rate_limited`.",
  },
  unavailable: {
    meaning: "The service cannot answer now: its database is away, or it has too much to do.",
    mend: "Try again after `Retry-After` seconds. Operators: [database outage](operations.md#the-database-is-away).",
  },
  internal: {
    meaning: "Something went wrong on the service's side.",
    mend: "`details.ref` is also in the service's log: give it to the operator.",
  },
};

/** `error_code` of a connection; one without words does not compile. */
export const connectionWords: Readonly<Record<ConnectionError, CodeWords>> = {
  txt_not_found: {
    meaning: "No server of the zone has the ownership record.",
    mend: "Publish the TXT record of `ownership_challenge`, name and value exactly as given.",
  },
  txt_mismatch: {
    meaning: "There is a TXT record at the name, but not with this connection's value.",
    mend: "Set the value again, without quotes or spaces. An old value of another connection does not count.",
  },
  hostname_conflict: {
    meaning: "Ownership is proven, but another connection holds the hostname.",
    mend: "Archive the other connection, then verify again.",
  },
  ownership_timeout: {
    meaning: "The ownership record did not come in time (`GIVE_UP_AFTER`).",
    mend: "Publish it, then verify again: the record stays the same.",
  },
  dns_timeout: {
    meaning: "The zone's servers did not answer.",
    mend: "Nothing is concluded from it and the service asks again. If it lasts, ask the DNS provider.",
  },
  dns_servfail: {
    meaning: "The zone's servers answered with an error.",
    mend: "As above; often the zone was removed at the provider.",
  },
  dnssec_bogus: {
    meaning: "The zone's signatures do not fit its DS record.",
    mend: "At the registrar, correct or remove the DS record.",
  },
  not_registered: {
    meaning: "The domain is not known to DNS.",
    mend: "Check its spelling; register or renew it.",
  },
  record_missing: {
    meaning: "A wanted record is not there.",
    mend: "Add the records of `desired_records`.",
  },
  record_mismatch: {
    meaning: "The name leads somewhere else.",
    mend: "Replace what stands there by the records of `desired_records`.",
  },
  record_conflict: {
    meaning:
      "Other records stand where the wanted one must stand alone, such as MX beside a CNAME.",
    mend: "Move or remove them if nothing depends on them, or connect another name.",
  },
  proxied: {
    meaning: "A proxy, such as Cloudflare's, hides the record.",
    mend: "Switch the proxy off for this record (“DNS only”).",
  },
  provider_auth: {
    meaning: "The DNS provider refused the stored credential.",
    mend: "Store a new one with the permissions that [the provider's section](providers.md#credentials) names.",
  },
  provider_rate_limited: {
    meaning: "The DNS provider asks to wait.",
    mend: "Writing is tried again by itself.",
  },
  provider_unavailable: {
    meaning: "The DNS provider does not answer.",
    mend: "Writing is tried again by itself; in a hurry, add the records by hand.",
  },
  provider_unsupported: {
    meaning: "The zone is not in that account, or the provider cannot hold these records.",
    mend: "Add the records by hand.",
  },
  propagation_timeout: {
    meaning: "The records did not come in time (`GIVE_UP_AFTER`).",
    mend: "Set them, then verify again.",
  },
  caa_forbidden: {
    meaning: "CAA records do not allow the certificate authority.",
    mend: "Add a CAA record for it beside the others; the diagnosis gives it ready to copy.",
  },
  ca_rate_limited: {
    meaning: "The certificate authority's limit, or the service's [own budget](edge.md#limits).",
    mend: "The order is repeated by itself. Connecting again costs another order and does not help.",
  },
  certificate_failed: {
    meaning:
      "The certificate authority refused or could not be reached, or the name leads elsewhere.",
    mend: "Ask for the diagnosis. Operators: the edge's log says what the authority said.",
  },
  certificate_timeout: {
    meaning: "No certificate could be obtained in time (`GIVE_UP_AFTER`).",
    mend: "Mend what the diagnosis names, then verify again.",
  },
  origin_unreachable: {
    meaning: "The edge cannot reach the application.",
    mend: "Check that it runs, that `origin_url` is right, and that it lets the edge in.",
  },
};
