// Generated from openapi.json by `npm run generate`; changes belong in the API's schemas.

/** Who acted */
export interface Actor {
  readonly kind: "member" | "key" | "token" | "operator" | "system";
  readonly id: string | null;
  readonly name: string | null;
}

export interface ApiKey {
  readonly id: string;
  readonly application_id: string;
  readonly name: string;
  readonly last4: string;
  readonly environment: "test" | "live";
  readonly scopes: readonly (
    | "connections:read"
    | "connections:write"
    | "apps:admin"
    | "webhooks:write"
    | "usage:read")[];
  readonly created_at: string;
  /** Null where it is not known */
  readonly created_by: Actor | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly environment: "test" | "live";
  readonly allowed_origins: readonly string[];
  readonly record_template: readonly DnsRecord[];
  readonly origin_url: string | null;
  readonly origins: readonly Origin[];
  readonly origin_host_header: "preserve" | "origin";
  readonly origin_tls: OriginTls;
  readonly edge: EdgeSettings;
  readonly brand: Brand | null;
  readonly wildcards: boolean;
  readonly proxied: "accept" | "refuse";
  readonly keep_oauth: boolean;
  readonly proofs: readonly ("txt" | "cname" | "delegation")[];
  readonly created_at: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  /** `noun.verb`, such as `api_key.create` */
  readonly action: string;
  /** The kind of thing that was acted on */
  readonly object: string;
  readonly object_id: string;
  /** As people call it, such as the hostname; null where it has no name or is gone */
  readonly object_name: string | null;
  /** Null: the tenant as a whole */
  readonly environment: "test" | "live" | null;
  readonly request_id: string | null;
  /** The client's IP address */
  readonly address: string | null;
  readonly details: { readonly [key: string]: unknown };
}

export interface Brand {
  readonly name: string | null;
  readonly logo_url: string | null;
  readonly color: string | null;
  readonly support_url: string | null;
}

export interface CaBudget {
  /** New certificates */
  readonly orders: {
    readonly left: number;
    readonly limit: number;
    /** As many as `limit` again in so many seconds */
    readonly per_s: number;
  } | null;
  /** Renewals, by our own pace */
  readonly renewals: {
    readonly left: number;
    readonly limit: number;
    /** As many as `limit` again in so many seconds */
    readonly per_s: number;
  } | null;
  /** Until then the CA takes no orders */
  readonly held_until: string | null;
  readonly held_for: "ca_rate_limited" | "ca_unavailable" | null;
}

export interface Capabilities {
  readonly cname_flattening: boolean;
  readonly wildcard: boolean;
  readonly caa: boolean;
  readonly multi_txt: boolean;
  readonly ns_delegation: boolean;
}

export interface CertificateAtRiskEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "certificate.at_risk";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly certificate: {
      readonly not_after: string | null;
      readonly reason:
        | "expired"
        | "revoked"
        | "renewal_failed"
        | "caa_forbidden"
        | "validation_missing"
        | "own_certificate_ends" | null;
      /** When the renewal is tried next */
      readonly next_attempt_at: string | null;
    };
  };
}

export interface CertificateExpiredEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "certificate.expired";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly certificate: {
      readonly not_after: string | null;
      readonly reason:
        | "expired"
        | "revoked"
        | "renewal_failed"
        | "caa_forbidden"
        | "validation_missing"
        | "own_certificate_ends" | null;
      /** When the renewal is tried next */
      readonly next_attempt_at: string | null;
    };
  };
}

export interface CertificateForeignEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "certificate.foreign";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** The authority that issued it, such as `CN=R11, O=Let's Encrypt, C=US` */
    readonly issuer: string;
    /** Its serial number in hexadecimal; with the issuer it names it */
    readonly serial: string;
    /** From when on it is valid */
    readonly not_before: string;
    /** Its DNS names, at most 100, first those of the connection */
    readonly names: readonly string[];
    /** The log in which it was seen first, by its description */
    readonly log: string;
  };
}

export interface CertificateRecoveredEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "certificate.recovered";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly certificate: {
      readonly not_after: string | null;
      readonly reason:
        | "expired"
        | "revoked"
        | "renewal_failed"
        | "caa_forbidden"
        | "validation_missing"
        | "own_certificate_ends" | null;
      /** When the renewal is tried next */
      readonly next_attempt_at: string | null;
    };
  };
}

export interface Checkout {
  /** The checkout's id at the billing provider */
  readonly id: string;
  readonly status: "incomplete";
  readonly plan: string;
  readonly checkout_url: string;
}

export interface Connection {
  readonly id: string;
  readonly application_id: string;
  readonly hostname: string;
  readonly kind: "apex" | "subdomain";
  readonly setup_type:
    | "automatic"
    | "manual"
    | "semiautomatic"
    | "shared_login"
    | "async"
    | "api";
  readonly state:
    | "created"
    | "pending_ownership"
    | "verifying"
    | "verified"
    | "dns_writing"
    | "propagating"
    | "stalled"
    | "issuing_cert"
    | "live"
    | "drifted"
    | "failed"
    | "archived";
  /** The detected DNS provider's slug */
  readonly provider: string | null;
  readonly batch_id: string | null;
  readonly error_code:
    | "txt_not_found"
    | "txt_mismatch"
    | "hostname_conflict"
    | "ownership_timeout"
    | "dns_timeout"
    | "dns_servfail"
    | "dnssec_bogus"
    | "not_registered"
    | "record_missing"
    | "record_mismatch"
    | "record_conflict"
    | "proxied"
    | "provider_auth"
    | "provider_rate_limited"
    | "provider_unavailable"
    | "provider_unsupported"
    | "provider_not_delegated"
    | "propagation_timeout"
    | "caa_forbidden"
    | "ca_rate_limited"
    | "ca_unavailable"
    | "certificate_failed"
    | "certificate_timeout"
    | "certificate_at_risk"
    | "certificate_expired"
    | "origin_unreachable"
    | "records_changed"
    | "check_failed"
    | "quota_exceeded" | null;
  /** Whether it covers every name one label below its parent */
  readonly wildcard: boolean;
  /** Somebody else has proven ownership of a hostname that is held; prover and holder see the same */
  readonly contest: {
    readonly since: string;
    readonly deadline: string;
  } | null;
  /** The hostname that the edge sends visitors to, with 308, while that is served */
  readonly redirect_to: string | null;
  /** Where the edge proxies this hostname to; null: to the application's origins. Always null for widget tokens */
  readonly origin_url: string | null;
  /** Host header sent to the origin; null: as the application has it */
  readonly origin_host_header: "preserve" | "origin" | null;
  /** Your own id of the customer whose domain it is */
  readonly customer_ref: string | null;
  /** Null for a name that was not in use */
  readonly cutover: Cutover | null;
  readonly created_at: string;
}

export interface ConnectionBatch {
  readonly batch_id: string;
  readonly results: readonly {
    readonly hostname: string;
    readonly status: "created" | "resumed" | "failed";
    readonly connection: NewConnection | null;
    readonly error: {
      readonly code: string;
      readonly message: string;
    } | null;
  }[];
}

export interface ConnectionDetail {
  readonly id: string;
  readonly application_id: string;
  readonly hostname: string;
  readonly kind: "apex" | "subdomain";
  readonly setup_type:
    | "automatic"
    | "manual"
    | "semiautomatic"
    | "shared_login"
    | "async"
    | "api";
  readonly state:
    | "created"
    | "pending_ownership"
    | "verifying"
    | "verified"
    | "dns_writing"
    | "propagating"
    | "stalled"
    | "issuing_cert"
    | "live"
    | "drifted"
    | "failed"
    | "archived";
  /** The detected DNS provider's slug */
  readonly provider: string | null;
  readonly batch_id: string | null;
  readonly error_code:
    | "txt_not_found"
    | "txt_mismatch"
    | "hostname_conflict"
    | "ownership_timeout"
    | "dns_timeout"
    | "dns_servfail"
    | "dnssec_bogus"
    | "not_registered"
    | "record_missing"
    | "record_mismatch"
    | "record_conflict"
    | "proxied"
    | "provider_auth"
    | "provider_rate_limited"
    | "provider_unavailable"
    | "provider_unsupported"
    | "provider_not_delegated"
    | "propagation_timeout"
    | "caa_forbidden"
    | "ca_rate_limited"
    | "ca_unavailable"
    | "certificate_failed"
    | "certificate_timeout"
    | "certificate_at_risk"
    | "certificate_expired"
    | "origin_unreachable"
    | "records_changed"
    | "check_failed"
    | "quota_exceeded" | null;
  /** Whether it covers every name one label below its parent */
  readonly wildcard: boolean;
  /** Somebody else has proven ownership of a hostname that is held; prover and holder see the same */
  readonly contest: {
    readonly since: string;
    readonly deadline: string;
  } | null;
  /** The hostname that the edge sends visitors to, with 308, while that is served */
  readonly redirect_to: string | null;
  /** Where the edge proxies this hostname to; null: to the application's origins. Always null for widget tokens */
  readonly origin_url: string | null;
  /** Host header sent to the origin; null: as the application has it */
  readonly origin_host_header: "preserve" | "origin" | null;
  /** Your own id of the customer whose domain it is */
  readonly customer_ref: string | null;
  /** Null for a name that was not in use */
  readonly cutover: Cutover | null;
  readonly created_at: string;
  readonly edge: ConnectionEdge | null;
  readonly ownership_challenge: OwnershipChallenge;
  /** How the holder of the hostname has proven it: by its TXT record, a CNAME to `target`, or the CNAME for validation. `trust_dns`: an operator's import took DNS that leads here as proof; `import`: that, with the name's certificate and key. null until then */
  readonly ownership: {
    readonly method: "txt" | "cname" | "delegation" | "import" | "trust_dns";
    readonly proven_at: string;
  } | null;
  /** What the hostname's CNAME points to: a name of this connection's own, or with EDGE_TARGETS=shared the edge's */
  readonly target: string;
  /** What to ask the customer for: the desired or pending records, and the TXT record only where none of them proves ownership. While a cut-over is prepared none that visitors follow */
  readonly needed_records: readonly NeededRecord[];
  /** The records to publish; of a live connection those that were last seen in DNS. While a cut-over is prepared without those that visitors follow */
  readonly desired_records: readonly DnsRecord[];
  /** The records that replace `desired_records`, because the template or the edge has changed; null otherwise */
  readonly pending_records: readonly DnsRecord[] | null;
  /** At most 32 values of a name and type, each of at most 512 characters */
  readonly observed_records: readonly ObservedRecord[];
  /** More was there than `observed_records` shows */
  readonly observed_truncated: boolean;
  /** How many values were there that are not listed */
  readonly observed_omitted: number;
  /** Null where validation is not delegated */
  readonly validation: Validation | null;
  /** The CDN through which requests for the name arrive; null where there is none */
  readonly proxied: {
    /** `cloudflare`, `fastly` or another name, `unknown` where none was recognised */
    readonly by: string;
    readonly since: string;
  } | null;
  /** What the domain's registry says of it, asked once a day; null without a recent answer */
  readonly registration: Registration | null;
  /** The connection is archived, and its name still resolves to the service: ask the customer to remove the record. Looked up once a day for 90 days; false once it is gone, or the name is connected again */
  readonly dangling: boolean;
  /** The other connection of a pair: the one that redirects to this one, or that it redirects to */
  readonly partner_id: string | null;
  readonly certificate: {
    readonly status:
      | "none"
      | "pending"
      | "issued"
      | "renewing"
      | "failed"
      | "expired"
      | "revoked";
    readonly not_after: string | null;
    /** Its issuer */
    readonly ca: string | null;
    /** `own`: brought by the tenant; `external`: of an edge that is not ours */
    readonly source: "automatic" | "own" | "external" | null;
    /** SHA-256 of the certificate, in hexadecimal; null where it is not known */
    readonly fingerprint: string | null;
    readonly next_attempt_at: string | null;
    /** Why the last attempt failed, also after `certificate_timeout`; null while nothing has failed */
    readonly last_error: {
      /** Of the CA's problem document (RFC 8555); null for what the service found itself */
      readonly type: string | null;
      /** In the CA's own words; text of somebody else */
      readonly detail: string;
    } | null;
  };
}

/** Rules of its own. Null: as the application has it; `off`: not the application's. Always null for widget tokens */
export interface ConnectionEdge {
  readonly rate_limit: {
    readonly requests: number;
    readonly per_s: number;
    readonly by: "visitor" | "host";
  } | "off" | null;
  readonly allow: readonly string[] | "off" | null;
  readonly deny: readonly string[] | "off" | null;
  readonly maintenance: {
    readonly until: string | null;
    readonly page: string | null;
  } | "off" | null;
  readonly basic_auth: {
    readonly username: string;
  } | "off" | null;
}

export interface ConnectionPair {
  readonly batch_id: string;
  /** The domain, then its www */
  readonly connections: readonly NewConnection[];
}

export interface ConnectionSummary {
  readonly by_state: { readonly [key: string]: number };
  /** Of connections that are not archived */
  readonly by_error_code: { readonly [key: string]: number };
  /** Whose move it is, of connections that are not archived */
  readonly by_actor: { readonly [key: string]: number };
  /** In their state for longer than is usual for it */
  readonly stuck: number;
  /** From create to live for the first time, in seconds */
  readonly time_to_live: {
    /** Null when none went live in these days */
    readonly median_s: number | null;
    /** Null when none went live in these days */
    readonly p95_s: number | null;
  };
  /** Within 14 days */
  readonly certificates_expiring: number;
  /** The last 30 days in UTC, oldest first */
  readonly series: readonly {
    readonly date: string;
    readonly created: number;
    readonly live: number;
    readonly failed: number;
    readonly drifted: number;
  }[];
}

export interface ConnectionTraffic {
  /** False where the operator has turned counting off */
  readonly enabled: boolean;
  readonly from: string;
  readonly to: string;
  readonly step: "hour" | "day";
  /** Whether all is counted: the time is over and every minute of every edge has arrived. Otherwise the numbers are at least these. */
  readonly complete: boolean;
  /** Null where no edge has reported in all this time */
  readonly totals: TrafficNumbers | null;
  /** One for each hour or day, oldest first */
  readonly points: readonly TrafficPoint[];
  /** The minute of the first answered request */
  readonly first_visit_at: string | null;
  readonly edges: readonly {
    readonly edge: string;
    readonly numbers: TrafficNumbers;
  }[];
}

/** A delegated DNS credential; its fields are never shown */
export interface Credential {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly zone: string | null;
  readonly last4: string;
  readonly last_used_at: string | null;
  readonly last_error: string | null;
  /** The connections of the customer whose sign-in gave it; null: for all of the application */
  readonly connection_ids: readonly string[] | null;
  readonly created_at: string;
}

export interface CredentialFailingEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "credential.failing";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    /** The connection that was affected, if any */
    readonly connection: Connection | null;
    readonly credential: {
      readonly id: string;
      readonly provider: string;
      readonly name: string;
      /** As in `provider_error`; null once it works again */
      readonly kind:
        | "auth"
        | "not_found"
        | "rate_limited"
        | "conflict"
        | "unavailable"
        | "unsupported" | null;
    };
  };
}

export interface CredentialField {
  readonly key: string;
  readonly label: string;
  readonly secret: boolean;
  readonly required: boolean;
  readonly help_url: string;
  /** An example of a value */
  readonly placeholder?: string;
}

export interface CredentialRecoveredEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "credential.recovered";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    /** The connection that was affected, if any */
    readonly connection: Connection | null;
    readonly credential: {
      readonly id: string;
      readonly provider: string;
      readonly name: string;
      /** As in `provider_error`; null once it works again */
      readonly kind:
        | "auth"
        | "not_found"
        | "rate_limited"
        | "conflict"
        | "unavailable"
        | "unsupported" | null;
    };
  };
}

export interface CredentialTrial {
  readonly ok: boolean;
  /** Zones that it can write, at most 50 of them */
  readonly zones: readonly string[];
  readonly error: {
    readonly kind:
      | "auth"
      | "not_found"
      | "rate_limited"
      | "conflict"
      | "unavailable"
      | "unsupported";
    readonly message: string;
  } | null;
}

export interface Customer {
  readonly customer_ref: string;
  /** Not archived; of a customer with more than 1000 so many are counted */
  readonly connections: number;
  readonly live: number;
  /** In their state for longer than is usual for it */
  readonly stuck: number;
  /** When the newest connection was made */
  readonly newest_at: string;
}

/** The move of a name that serves visitors elsewhere */
export interface Cutover {
  readonly status: "preparing" | "ready" | "switching" | "done" | "reverted";
  readonly checks: readonly {
    readonly code:
      | "ownership"
      | "validation"
      | "certificate"
      | "edge"
      | "origin"
      | "caa_dnssec"
      | "mail";
    readonly ok: boolean;
    readonly message: string;
    /** Only of `origin`: it holds, but was not compared, since the old place has no address or did not answer */
    readonly not_compared?: "no_address" | "unreachable";
  }[];
  readonly ready_at: string | null;
  /** What the name has at the old place */
  readonly old_records: readonly DnsRecord[];
  /** Of the old records, in seconds, as last seen */
  readonly ttl: number | null;
  /** From then on the old place has no visitors */
  readonly visitors_gone_at: string | null;
}

export interface CutoverPlan {
  readonly dry_run: boolean;
  /** The zone is now as the plan says */
  readonly applied: boolean;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly RecordChange[];
  readonly notes: readonly string[];
  readonly connection: Connection;
  /** The other one, where `pair` is given */
  readonly partner: Connection | null;
}

export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly status: "pending" | "delivered" | "failed" | "exhausted";
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly latency_ms: number;
    /** Why there was no answer: unreachable, timeout, connection_failed, tls_failed or url_refused */
    readonly error: string | null;
    readonly response_excerpt: string | null;
  }[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export interface DeliveryDetail {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly status: "pending" | "delivered" | "failed" | "exhausted";
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly latency_ms: number;
    /** Why there was no answer: unreachable, timeout, connection_failed, tls_failed or url_refused */
    readonly error: string | null;
    readonly response_excerpt: string | null;
  }[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** What the event is about; null: the application */
  readonly connection_id: string | null;
  /** Of that connection */
  readonly hostname: string | null;
  /** The receiver, without what may be a secret */
  readonly url: string;
  /** The event that was sent */
  readonly payload: { readonly [key: string]: unknown };
}

export interface Diagnosis {
  readonly connection_id: string;
  readonly checked_at: string;
  /** One sentence: what is going on and whose move it is */
  readonly summary: string;
  /** What lists show of it as `summary`, from this moment on: whose move it is, and why. Null: nothing is wrong */
  readonly headline?: {
    readonly code: string;
    readonly actor: "end_customer" | "tenant" | "operator" | "wait";
    readonly title: string;
  } | null;
  /** The most hindering first; empty when all is well */
  readonly findings: readonly Finding[];
  /** What each server of the delegation answers for each wanted record */
  readonly records: readonly RecordAnswers[];
  /** Nobody has said that the records were added, and they were shown less than five minutes ago: one that is not there is no fault */
  readonly early: boolean;
}

export interface DomainAddedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.added";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainArchivedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.archived";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** Deleted through the API, or its hostname was proven by another connection: after it had drifted, or at the deadline of a contest */
    readonly reason: "deleted" | "taken_over" | "contest_lost";
  };
}

export interface DomainChangedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.changed";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** What is different now; a redirect ends by itself when its target is archived. `state`: the records of a stalled connection were seen */
    readonly changed: readonly (
      | "redirect_to"
      | "origin_url"
      | "origin_host_header"
      | "customer_ref"
      | "edge"
      | "state")[];
  };
}

export interface DomainCheck {
  /** The hostname in its canonical form */
  readonly domain: string;
  /** False only where DNS says that the domain does not exist */
  readonly registered: boolean;
  /** The DNS provider's name; null when unknown */
  readonly provider: string | null;
  readonly provider_slug: string | null;
  readonly setup_type: "automatic" | "manual";
  /** The provider lets an apex follow a host name */
  readonly apex_flattening: boolean;
  /** The first of the domain's nameservers */
  readonly nameserver: string | null;
  readonly apex: boolean;
  readonly auto_configurable: boolean;
  readonly www_redirect_recommended: boolean;
  readonly capabilities: Capabilities;
  /** Existing records that conflict with the desired ones */
  readonly record_conflicts: readonly DnsRecord[];
  /** The records can be set by consent at the DNS provider, without a credential */
  readonly domain_connect: boolean;
  readonly registrable_domain: string;
  /** The zone that holds the name, to which hosts are relative; null when unknown */
  readonly zone: string | null;
  readonly subdomain: string | null;
  readonly public_suffix: string;
  readonly dnssec: "unsigned" | "signed" | "bogus" | "unknown";
  /** Whether a certificate may be issued; null when that is unknown */
  readonly caa_allows: boolean | null;
  /** What to do or know before connecting */
  readonly warnings: readonly string[];
  /** The same warnings for a customer; code and parameters give a text in any language */
  readonly warning_details: readonly {
    readonly code: string;
    readonly params: { readonly [key: string]: string };
    /** In the customer's words */
    readonly message: string;
  }[];
  /** Where the name serves visitors now; null when it does not, or leads here */
  readonly in_use: {
    readonly addresses: readonly string[];
    readonly serves_https: boolean;
    /** How long caches send visitors there, in seconds */
    readonly ttl: number;
    /** The name receives mail */
    readonly mail: boolean;
  } | null;
  readonly credential_fields: readonly CredentialField[];
  readonly credential_help: string | null;
  /** Who has the hostname: nobody, the caller's application and customer, or somebody else; one that is `drifted` passes to a new proof at once */
  readonly claim: "free" | "own" | "held" | "drifted";
  /** For a registered domain and its `www`; null otherwise */
  readonly pair: DomainPair | null;
  /** How the DNS provider's own form for a record is filled in; null when unknown */
  readonly record_form: {
    readonly host_label: string;
    /** Null where each type of record has another word for it */
    readonly value_label: string | null;
    /** Null where the form has no such field */
    readonly ttl_label: string | null;
    /** Whether a host is given relative to the zone or in full */
    readonly host_style: "relative" | "absolute";
    /** What is entered for the zone itself: `zone` is its name */
    readonly apex_host: "@" | "" | "zone";
    /** What the provider calls an ALIAS record */
    readonly apex_type: "ALIAS" | "ANAME" | "CNAME" | null;
    /** The shortest TTL that the provider accepts, in seconds */
    readonly minimum_ttl: number;
    /** A host name in a value is entered with a dot at its end */
    readonly target_dot: boolean;
  } | null;
  readonly guide: SetupGuide;
  /** What would prove ownership: `txt` is a record of its own; any other is one that is needed anyway. Null where nothing that the application allows could */
  readonly proof: {
    readonly method: "txt" | "cname" | "delegation" | null;
    /** The same for a cut-over, which is prepared before it is switched */
    readonly prepared: "txt" | "cname" | "delegation" | null;
  };
}

export interface DomainConnectStart {
  /** Open it as it is, in a popup or in the same tab: it is signed to the last byte */
  readonly apply_url: string;
  /** The DNS provider's name, to be shown */
  readonly provider_name: string;
  /** Until when the customer may come back */
  readonly expires_at: string;
  /** `async`: the customer allows this service to apply the records */
  readonly mode: "sync" | "async";
  /** Of the popup, as the provider asks */
  readonly width: number;
  readonly height: number;
  /** The connections whose records this consent sets: both of a pair, or the one */
  readonly covers: readonly string[];
}

export interface DomainConnectTemplates {
  readonly templates: readonly {
    readonly kind: "apex" | "subdomain" | "pair";
    /** The name of the file in the public repository of templates */
    readonly file_name: string;
    /** The content of the file */
    readonly template: { readonly [key: string]: unknown };
    /** What the repository or a provider would object to */
    readonly lint: readonly {
      readonly severity: "error" | "warning";
      readonly path: string;
      readonly message: string;
    }[];
  }[];
  /** The kinds of names for which the records make no template */
  readonly impossible: readonly {
    readonly kind: "apex" | "subdomain" | "pair";
    readonly problems: readonly string[];
  }[];
  /** Where the public keys are in DNS, and which of them signs */
  readonly keys: readonly {
    readonly name: string;
    readonly signing: boolean;
  }[];
  /** What to do with the templates, step by step */
  readonly instructions: readonly string[];
}

export interface DomainContestWonEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.contest_won";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly contest: {
      readonly since: string;
      readonly deadline: string;
    };
    /** Its own record was seen, or the other side's is gone */
    readonly reason: "proven" | "withdrawn";
  };
}

export interface DomainContestedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.contested";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly contest: {
      readonly since: string;
      readonly deadline: string;
    };
    /** The TXT record, which counts where `proof_records` has it */
    readonly ownership_challenge: OwnershipChallenge;
    /** The records that the application takes as proof: any of them ends the contest once it is seen. Absent in events from before there were several */
    readonly proof_records?: readonly {
      readonly method: "txt" | "cname" | "delegation";
      readonly host: string;
      readonly type: string;
      readonly value: string;
      readonly ttl: number | null;
      readonly priority: number | null;
    }[];
  };
}

export interface DomainDanglingEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.dangling";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** What the customer has to remove */
    readonly records: readonly {
      readonly host: string;
      readonly type: "A" | "AAAA" | "CNAME";
      readonly value: string;
    }[];
    readonly archived_at: string;
  };
}

export interface DomainDriftEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.drift";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainExpiringEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.expiring";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly registration: Registration;
  };
}

export interface DomainFailedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.failed";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainFlowCompletedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.flow.completed";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainPair {
  readonly apex: string;
  readonly www: string;
  /** The other one of the two serves something else now */
  readonly other_in_use: boolean;
  /** Who has the hostname: nobody, the caller's application and customer, or somebody else; one that is `drifted` passes to a new proof at once */
  readonly other_claim: "free" | "own" | "held" | "drifted";
  /** The one to stay on */
  readonly recommended: "apex" | "www";
}

export interface DomainReadyEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.ready";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainRecordsChangedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.records_changed";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** Those in DNS, which are still served */
    readonly desired_records: readonly DnsRecord[];
    /** Those to publish instead */
    readonly pending_records: readonly DnsRecord[];
  };
}

export interface DomainRestoredEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.restored";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainRevertedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.reverted";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainStalledEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.stalled";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainSwitchingEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.switching";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface DomainVerifiedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "domain.verified";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** Nameservers that had been silent for so long that the others sufficed */
    readonly silent_servers?: readonly string[];
  };
}

export interface EdgeSettings {
  /** How long the origin may take to the first byte of its response, in seconds; then 504 */
  readonly first_byte_timeout_s: number | null;
  /** How long a response, an event stream or a WebSocket may be silent, in seconds */
  readonly idle_timeout_s: number | null;
  /** The largest body of a request; then 413 */
  readonly max_body_bytes: number | null;
  /** How long a WebSocket may last, in seconds */
  readonly websocket_lifetime_s: number | null;
  /** How each edge process checks the origins where there are several; null for not at all */
  readonly health_check: {
    /** Below the path of the origin's URL */
    readonly path: string;
    /** Default: `30` */
    readonly interval_s: number;
    /**
     * That of an origin that works
     *
     * Default: `200`
     */
    readonly status: number;
  } | null;
  readonly error_page: string | null;
  readonly hsts: {
    /** Seconds; 0 takes the promise back */
    readonly max_age: number;
    /** Default: `false` */
    readonly include_subdomains: boolean;
    /** Default: `false` */
    readonly preload: boolean;
  } | null;
  readonly response_headers: readonly {
    readonly action: "add" | "set" | "remove";
    readonly name: string;
    /** Default: `null` */
    readonly value: string | null;
  }[] | null;
  readonly compress: boolean | null;
  readonly rate_limit: {
    readonly requests: number;
    readonly per_s: number;
    readonly by: "visitor" | "host";
  } | null;
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[] | null;
  readonly maintenance: {
    readonly until: string | null;
    readonly page: string | null;
  } | null;
  /** Never with the password */
  readonly basic_auth: {
    readonly username: string;
  } | null;
}

export interface EmailApply {
  /** Records of the mailbox provider are in the zone now */
  readonly applied: boolean;
  readonly domain: string;
  /** The mailbox provider, by its own name also where an alias was given */
  readonly provider:
    | "google_workspace"
    | "microsoft_365"
    | "zoho"
    | "fastmail"
    | "proton"
    | "icloud";
  /** Written now, or already present */
  readonly written_records: readonly DnsRecord[];
  /** To be added by hand; the SPF record is the whole value that takes the place of what is there */
  readonly manual_records: readonly DnsRecord[];
  /** A domain has one SPF record: what is there, and what it must become */
  readonly spf: {
    /** `decide`: it cannot be merged without a person, and a note says why */
    readonly action: "add" | "replace" | "keep" | "decide";
    /** The SPF record that is there */
    readonly current: string | null;
    /** What takes its place */
    readonly value: string | null;
  } | null;
  /** Whole sentences for the person who sets mail up */
  readonly notes: readonly string[];
  /** The same notes for a customer; code and parameters give a text in any language */
  readonly note_details: readonly {
    readonly code: string;
    readonly params: { readonly [key: string]: string };
    /** In the customer's words */
    readonly message: string;
  }[];
}

export interface EmailRecords {
  /** The mailbox provider, by its own name also where an alias was given */
  readonly provider:
    | "google_workspace"
    | "microsoft_365"
    | "zoho"
    | "fastmail"
    | "proton"
    | "icloud";
  readonly domain: string;
  readonly records: readonly DnsRecord[];
  /** Whole sentences for the person who sets mail up */
  readonly notes: readonly string[];
  /** The same notes for a customer; code and parameters give a text in any language */
  readonly note_details: readonly {
    readonly code: string;
    readonly params: { readonly [key: string]: string };
    /** In the customer's words */
    readonly message: string;
  }[];
}

export interface EndpointDisabledEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "endpoint.disabled";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    /** Belongs to no connection */
    readonly connection: null;
    readonly endpoint: {
      readonly id: string;
      readonly url: string;
      readonly disabled_reason: "gone" | "failing";
    };
  };
}

export interface EndpointTestEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "endpoint.test";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    /** Belongs to no connection */
    readonly connection: null;
  };
}

export interface ErrorBody {
  readonly error: {
    readonly code:
      | "unauthorized"
      | "forbidden"
      | "tenant_suspended"
      | "not_found"
      | "invalid"
      | "HostnameConflict"
      | "ownership_not_found"
      | "QuotaExceeded"
      | "billing_unavailable"
      | "conflict"
      | "rate_limited"
      | "payload_too_large"
      | "unsupported_media_type"
      | "method_not_allowed"
      | "idempotency_mismatch"
      | "idempotency_in_progress"
      | "provider_error"
      | "unavailable"
      | "internal";
    readonly message: string;
    /** What the code's documentation says, or null */
    readonly details: unknown;
  };
  /** Only with QuotaExceeded */
  readonly upgrade_url?: string;
}

export interface EventEnvelope {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection | null;
  };
  /** Of the connection */
  readonly customer_ref: string | null;
}

export interface Finding {
  readonly code:
    | "registration_on_hold"
    | "not_registered"
    | "dnssec_ds_stale"
    | "dnssec_broken"
    | "ns_unreachable"
    | "ns_servfail"
    | "ns_lame"
    | "ns_disagree"
    | "ns_mixed_operators"
    | "dns_moved"
    | "zone_delegated"
    | "hostname_conflict"
    | "hostname_proven_by_both"
    | "hostname_contested"
    | "quota_exceeded"
    | "ownership_unanswered"
    | "ownership_cname"
    | "ownership_wildcard"
    | "ownership_partial"
    | "ownership_altered"
    | "ownership_doubled_name"
    | "ownership_wrong_name"
    | "ownership_other_token"
    | "ownership_mismatch"
    | "ownership_missing"
    | "wrong_dns_provider"
    | "ownership_seen"
    | "domain_connect_cancelled"
    | "domain_connect_refused"
    | "provider_auth"
    | "credential_failing"
    | "provider_unsupported"
    | "provider_not_delegated"
    | "provider_busy"
    | "provider_write_failed"
    | "record_loop"
    | "record_proxied"
    | "cdn_not_forwarding"
    | "cdn_tls_flexible"
    | "cdn_hides_challenge"
    | "cdn_caches_probe"
    | "proxy_to_proxy"
    | "record_flattened"
    | "aaaa_leftover"
    | "a_leftover"
    | "https_leftover"
    | "policy_duplicate"
    | "record_conflict"
    | "record_target_doubled"
    | "record_doubled_name"
    | "private_address"
    | "apex_needs_alias"
    | "record_of_another"
    | "record_mismatch"
    | "record_missing"
    | "servers_disagree"
    | "records_unanswered"
    | "resolvers_failing"
    | "wildcard_answers"
    | "caa_forbidden"
    | "caa_unanswered"
    | "certificate_revoked"
    | "certificate_expired"
    | "certificate_at_risk"
    | "ca_rate_limited"
    | "ca_unavailable"
    | "certificate_cached"
    | "certificate_failed"
    | "certificate_foreign"
    | "origin_unreachable"
    | "origin_missing"
    | "registration_expiring"
    | "check_failed"
    | "gave_up"
    | "archived_still_points_here"
    | "cutover_preparing"
    | "cutover_ready"
    | "records_changed"
    | "records_cached"
    | "slow_to_change"
    | "certificate_pending"
    | "behind_cdn"
    | "apex_by_address"
    | "www_not_connected"
    | "email_mx_missing"
    | "email_mx_elsewhere"
    | "email_spf_multiple"
    | "email_spf_missing"
    | "email_spf_broken"
    | "email_dkim_missing"
    | "email_dmarc_missing"
    | "check_incomplete";
  /** `error`: nothing continues until it is fixed; `warning`: something suffers */
  readonly severity: "error" | "warning" | "info";
  /** What is wrong, in one sentence; with a widget token in the customer's words */
  readonly title: string;
  /** Who said what, one line each */
  readonly evidence: readonly string[];
  /** Who must act: the person who manages the domain's DNS, the application's owner, the operator, or no one */
  readonly actor: "end_customer" | "tenant" | "operator" | "wait";
  /** What to do, with the field names of the DNS provider's form where known */
  readonly fix: string;
  /** With `code` and `actor`, what a text of your own needs */
  readonly params: { readonly [key: string]: string };
  /** What the domain's owner has to add */
  readonly add_records: readonly DnsRecord[];
  /** What the domain's owner has to delete */
  readonly remove_records: readonly DnsRecord[];
  /** The words for each reader; a widget token gets those for the customer only */
  readonly texts: {
    readonly end_customer: {
      readonly title: string;
      readonly fix: string;
    };
    readonly tenant: {
      readonly title: string;
      readonly fix: string;
    } | null;
    readonly operator: {
      readonly title: string;
      readonly fix: string;
    } | null;
  };
}

/** Null is no limit */
export interface Limits {
  readonly connect: number | null;
  readonly active_domain: number | null;
  readonly cert: number | null;
  readonly api_call: number | null;
}

export interface ListedConnection {
  readonly id: string;
  readonly application_id: string;
  readonly hostname: string;
  readonly kind: "apex" | "subdomain";
  readonly setup_type:
    | "automatic"
    | "manual"
    | "semiautomatic"
    | "shared_login"
    | "async"
    | "api";
  readonly state:
    | "created"
    | "pending_ownership"
    | "verifying"
    | "verified"
    | "dns_writing"
    | "propagating"
    | "stalled"
    | "issuing_cert"
    | "live"
    | "drifted"
    | "failed"
    | "archived";
  /** The detected DNS provider's slug */
  readonly provider: string | null;
  readonly batch_id: string | null;
  readonly error_code:
    | "txt_not_found"
    | "txt_mismatch"
    | "hostname_conflict"
    | "ownership_timeout"
    | "dns_timeout"
    | "dns_servfail"
    | "dnssec_bogus"
    | "not_registered"
    | "record_missing"
    | "record_mismatch"
    | "record_conflict"
    | "proxied"
    | "provider_auth"
    | "provider_rate_limited"
    | "provider_unavailable"
    | "provider_unsupported"
    | "provider_not_delegated"
    | "propagation_timeout"
    | "caa_forbidden"
    | "ca_rate_limited"
    | "ca_unavailable"
    | "certificate_failed"
    | "certificate_timeout"
    | "certificate_at_risk"
    | "certificate_expired"
    | "origin_unreachable"
    | "records_changed"
    | "check_failed"
    | "quota_exceeded" | null;
  /** Whether it covers every name one label below its parent */
  readonly wildcard: boolean;
  /** Somebody else has proven ownership of a hostname that is held; prover and holder see the same */
  readonly contest: {
    readonly since: string;
    readonly deadline: string;
  } | null;
  /** The hostname that the edge sends visitors to, with 308, while that is served */
  readonly redirect_to: string | null;
  /** Where the edge proxies this hostname to; null: to the application's origins. Always null for widget tokens */
  readonly origin_url: string | null;
  /** Host header sent to the origin; null: as the application has it */
  readonly origin_host_header: "preserve" | "origin" | null;
  /** Your own id of the customer whose domain it is */
  readonly customer_ref: string | null;
  /** Null for a name that was not in use */
  readonly cutover: Cutover | null;
  readonly created_at: string;
  /** The connection is archived, and its name still resolves to the service: ask the customer to remove the record. Looked up once a day for 90 days; false once it is gone, or the name is connected again */
  readonly dangling: boolean;
  /** Since when it is in its state */
  readonly state_since: string;
  readonly last_checked_at: string | null;
  readonly next_check_at: string | null;
  /** When the registration of its domain ends; null where that is not known */
  readonly registration_ends_at: string | null;
  /** The `headline` of the last diagnosis, asked for by anybody: the first of its findings that is more than good to know, word for word. After a check that finds something else wrong it is diagnosed again. Null: nothing is wrong */
  readonly summary: {
    readonly code: string;
    readonly actor: "end_customer" | "tenant" | "operator" | "wait";
    readonly title: string;
  } | null;
}

export interface ListedDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly status: "pending" | "delivered" | "failed" | "exhausted";
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly latency_ms: number;
    /** Why there was no answer: unreachable, timeout, connection_failed, tls_failed or url_refused */
    readonly error: string | null;
    readonly response_excerpt: string | null;
  }[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** What the event is about; null: the application */
  readonly connection_id: string | null;
  /** Of that connection */
  readonly hostname: string | null;
}

export interface ListedMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: "owner" | "admin" | "developer" | "support" | "viewer";
  readonly last_seen_at: string | null;
  readonly created_at: string;
  /** The link that waits for them; null when it was used or has ended */
  readonly invitation: {
    readonly expires_at: string;
  } | null;
}

export interface ListedSession {
  readonly id: string;
  readonly member: SessionMember | null;
  readonly role: "owner" | "admin" | "developer" | "support" | "viewer";
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  /** The session of this call */
  readonly current: boolean;
}

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: "owner" | "admin" | "developer" | "support" | "viewer";
  readonly last_seen_at: string | null;
  readonly created_at: string;
}

export interface NeededRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  /** `traffic`: visitors follow it. `ownership`: only proves. `validation`: for the certificate, and leads no visitor anywhere */
  readonly purpose: "ownership" | "traffic" | "validation";
  /** Proves ownership before the name is switched; another record proves it too */
  readonly optional: boolean;
}

export interface NewApiKey {
  readonly id: string;
  readonly application_id: string;
  readonly name: string;
  readonly last4: string;
  readonly environment: "test" | "live";
  readonly scopes: readonly (
    | "connections:read"
    | "connections:write"
    | "apps:admin"
    | "webhooks:write"
    | "usage:read")[];
  readonly created_at: string;
  /** Null where it is not known */
  readonly created_by: Actor | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Shown once; only its hash is stored */
  readonly secret: string;
}

export interface NewConnection {
  readonly id: string;
  readonly application_id: string;
  readonly hostname: string;
  readonly kind: "apex" | "subdomain";
  readonly setup_type:
    | "automatic"
    | "manual"
    | "semiautomatic"
    | "shared_login"
    | "async"
    | "api";
  readonly state:
    | "created"
    | "pending_ownership"
    | "verifying"
    | "verified"
    | "dns_writing"
    | "propagating"
    | "stalled"
    | "issuing_cert"
    | "live"
    | "drifted"
    | "failed"
    | "archived";
  /** The detected DNS provider's slug */
  readonly provider: string | null;
  readonly batch_id: string | null;
  readonly error_code:
    | "txt_not_found"
    | "txt_mismatch"
    | "hostname_conflict"
    | "ownership_timeout"
    | "dns_timeout"
    | "dns_servfail"
    | "dnssec_bogus"
    | "not_registered"
    | "record_missing"
    | "record_mismatch"
    | "record_conflict"
    | "proxied"
    | "provider_auth"
    | "provider_rate_limited"
    | "provider_unavailable"
    | "provider_unsupported"
    | "provider_not_delegated"
    | "propagation_timeout"
    | "caa_forbidden"
    | "ca_rate_limited"
    | "ca_unavailable"
    | "certificate_failed"
    | "certificate_timeout"
    | "certificate_at_risk"
    | "certificate_expired"
    | "origin_unreachable"
    | "records_changed"
    | "check_failed"
    | "quota_exceeded" | null;
  /** Whether it covers every name one label below its parent */
  readonly wildcard: boolean;
  /** Somebody else has proven ownership of a hostname that is held; prover and holder see the same */
  readonly contest: {
    readonly since: string;
    readonly deadline: string;
  } | null;
  /** The hostname that the edge sends visitors to, with 308, while that is served */
  readonly redirect_to: string | null;
  /** Where the edge proxies this hostname to; null: to the application's origins. Always null for widget tokens */
  readonly origin_url: string | null;
  /** Host header sent to the origin; null: as the application has it */
  readonly origin_host_header: "preserve" | "origin" | null;
  /** Your own id of the customer whose domain it is */
  readonly customer_ref: string | null;
  /** Null for a name that was not in use */
  readonly cutover: Cutover | null;
  readonly created_at: string;
  readonly ownership_challenge: OwnershipChallenge;
  /** What the hostname's CNAME points to: a name of this connection's own, or with EDGE_TARGETS=shared the edge's */
  readonly target: string;
  /** What to ask the customer for: the desired or pending records, and the TXT record only where none of them proves ownership. While a cut-over is prepared none that visitors follow */
  readonly needed_records: readonly NeededRecord[];
}

export interface NewMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: "owner" | "admin" | "developer" | "support" | "viewer";
  readonly last_seen_at: string | null;
  readonly created_at: string;
  /** Signs the new member in, once. Give it to them: it is shown only here */
  readonly invitation: {
    readonly url: string;
    readonly expires_at: string;
  };
}

export interface NewStatusLink {
  readonly id: string;
  readonly customer_ref: string;
  readonly application_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** Anyone who has it can read the page; it is shown only here */
  readonly url: string;
}

export interface OAuthStart {
  /** Open it in a popup: its result goes to the page that opened it */
  readonly authorize_url: string;
  readonly provider_name: string;
  /** Until when the customer may come back */
  readonly expires_at: string;
}

export interface ObservedRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly propagated: boolean;
  readonly observed_at: string;
}

export interface OperatorCa {
  readonly issuer: string;
  /** Names that wait for one of its limits */
  readonly waiting: number;
  /** The same, by the limit: of all orders, of renewals, of a domain, of a name, of failures */
  readonly waiting_for: {
    readonly orders: number;
    readonly renewals: number;
    readonly domain: number;
    readonly name: number;
    readonly failures: number;
  };
  readonly issued_last_day: number;
  readonly issued_last_week: number;
  readonly failing: number;
  /** Null for a CA that no edge orders from */
  readonly budget: CaBudget | null;
}

export interface OperatorEdge {
  readonly id: string;
  readonly address: string;
  readonly version: string;
  /** Names that it serves */
  readonly certificates: number;
  readonly started_at: string;
  readonly last_seen_at: string;
}

export interface OperatorProvider {
  readonly provider: string;
  readonly credentials: number;
  /** Credentials that stopped working */
  readonly failing: number;
  /** Connections that it refuses, delays or does not answer for */
  readonly affected: number;
}

export interface OperatorQueue {
  readonly work: string;
  readonly waiting: number;
  readonly oldest_s: number;
  /** Rows that no worker tries any more, because every run failed */
  readonly parked: number;
}

export interface OperatorTenant {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly members: number;
  /** Hostnames that it holds now, by environment */
  readonly held: { readonly [key: string]: number };
  /** Of this month, in the live environment */
  readonly usage: { readonly [key: string]: number };
  readonly created_at: string;
  /** Set by `mooring tenants suspend`, `resume` and `delete` */
  readonly state: "active" | "suspended" | "deleting";
  /** As the operator named it */
  readonly suspended_reason: string | null;
  /** When all rows of a deleted tenant are removed */
  readonly removed_after: string | null;
}

export interface Origin {
  readonly url: string;
  readonly weight: number;
}

export interface OriginRecoveredEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "origin.recovered";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

export interface OriginTls {
  readonly ca: readonly {
    /** SHA-256, as openssl x509 -fingerprint -sha256 shows it */
    readonly fingerprint: string;
    readonly not_after: string;
  }[] | null;
  readonly client_certificate: {
    /** SHA-256, as openssl x509 -fingerprint -sha256 shows it */
    readonly fingerprint: string;
    readonly not_after: string;
  } | null;
  readonly server_name: string | null;
  readonly verify_name: string | null;
}

export interface OriginUnreachableEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "origin.unreachable";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
  };
}

/** A TXT record to publish at exactly this name */
export interface OwnershipChallenge {
  readonly name: string;
  readonly value: string;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface PasskeyChallenge {
  readonly challenge_id: string;
  readonly options: { readonly [key: string]: unknown };
}

export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly limits: Limits;
  readonly price_cents: number;
  /** ISO 4217, in lower case */
  readonly currency: string;
}

export interface Provider {
  readonly slug: string;
  readonly name: string;
  readonly setup_type: "automatic" | "manual";
  readonly credential_fields: readonly CredentialField[];
  readonly credential_help: string;
  readonly capabilities: Capabilities;
  readonly domain_connect: boolean;
  readonly apex_flattening: boolean;
  readonly minimum_ttl: number;
  readonly docs_url: string;
  /** Your own writes of the last 24 hours; null when there were none */
  readonly health: {
    readonly writes: number;
    readonly failures: number;
    readonly last_error_at: string | null;
  } | null;
}

/** A DNS record */
export interface DnsRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
}

export interface RecordAnswers {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly servers: readonly {
    readonly server: string;
    /** `unknown`: it gave no answer that counts, for `reason` */
    readonly outcome: "match" | "mismatch" | "absent" | "conflict" | "unknown";
    readonly values: readonly string[];
    readonly reason: string | null;
  }[];
}

export interface RecordChange {
  /** To be given in `replace`; identifies exactly these `existing` records */
  readonly id: string;
  /** `delete` occurs in a revert only */
  readonly action: "create" | "update" | "keep" | "conflict" | "delete";
  readonly record: DnsRecord;
  /** What the change removes, or what conflicts with it */
  readonly existing: readonly DnsRecord[];
  readonly reason: string;
  /** The kind of a conflict, for a text of your own; null for other changes */
  readonly conflict:
    | "other_records"
    | "whole_zone"
    | "delegated"
    | "managed"
    | "not_writable" | null;
  /** A conflict that its id in `replace` resolves; one that is not cannot be resolved by consent, and `reason` says why */
  readonly replaceable: boolean;
}

export interface RecordCheck {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly propagated: boolean;
  /** The value found now; null when there is none */
  readonly observed_value: string | null;
  /** More was found than `observed_value` shows */
  readonly observed_truncated: boolean;
}

export interface RecordPlan {
  readonly dry_run: boolean;
  /** The zone is now as the plan says */
  readonly applied: boolean;
  readonly provider: string;
  readonly zone: string;
  readonly changes: readonly RecordChange[];
  readonly notes: readonly string[];
}

/** The registration of the domain, by RDAP */
export interface Registration {
  /** When the registration ends, by the registry; null where it does not say so for certain */
  readonly expires_at: string | null;
  /** As EPP spells them: `clientHold`, `serverHold`, `redemptionPeriod` or `pendingDelete` take the domain out of DNS */
  readonly status: readonly string[];
  /** Its name; text of somebody else */
  readonly registrar: string | null;
  /** When the registry last answered */
  readonly checked_at: string;
}

export interface ReplayResult {
  /** Events that have been queued so far */
  readonly replayed: number;
  readonly complete: boolean;
}

/** A zone of the sandbox and everything in it */
export interface SandboxZone {
  readonly zone: string;
  readonly nameservers: readonly string[];
  /** With absolute hosts */
  readonly records: readonly DnsRecord[];
}

export interface SandboxZoneSummary {
  readonly zone: string;
  readonly nameservers: readonly string[];
  readonly record_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SendingAcceptedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "sending.accepted";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly sending: {
      readonly provider: string;
      readonly domain: string;
      readonly status: "waiting" | "ready" | "accepted" | "broken";
      readonly missing: readonly DnsRecord[];
    };
  };
}

export interface SendingBrokenEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "sending.broken";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly sending: {
      readonly provider: string;
      readonly domain: string;
      readonly status: "waiting" | "ready" | "accepted" | "broken";
      readonly missing: readonly DnsRecord[];
    };
  };
}

export interface SendingDomain {
  readonly provider: "resend" | "postmark" | "ses" | "mailgun" | "sendgrid" | "brevo";
  readonly domain: string;
  /** `ready`: all records are right, and the service accepts the domain when it checks next; `accepted`: the service says that it does; `broken`: they were right and are not any more */
  readonly status: "waiting" | "ready" | "accepted" | "broken";
  readonly records: readonly SendingRecord[];
  /** The domain's one SPF record, where the service needs it; never a second one */
  readonly spf: {
    readonly action: "add" | "replace" | "keep" | "decide";
    readonly current: string | null;
    readonly value: string | null;
  } | null;
  /** Whole sentences for the person who sets mail up */
  readonly notes: readonly string[];
  /** The same notes for a customer; code and parameters give a text in any language */
  readonly note_details: readonly {
    readonly code: string;
    readonly params: { readonly [key: string]: string };
    /** In the customer's words */
    readonly message: string;
  }[];
  /** The values are read from your account at the service */
  readonly reads_account: boolean;
  /** Why the account could not be asked last */
  readonly account_error: string | null;
  readonly checked_at: string | null;
  readonly next_check_at: string | null;
  readonly ready_at: string | null;
  readonly accepted_at: string | null;
  readonly created_at: string;
}

export interface SendingDomains {
  readonly data: readonly SendingDomain[];
}

export interface SendingReadyEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "sending.ready";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    readonly sending: {
      readonly provider: string;
      readonly domain: string;
      readonly status: "waiting" | "ready" | "accepted" | "broken";
      readonly missing: readonly DnsRecord[];
    };
  };
}

/** A DNS record of a sending domain */
export interface SendingRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly role: "dkim" | "return_path" | "spf" | "verification" | "dmarc";
  /** `written`: in the zone; `manual`: to be added by hand; `none`: a note says why not */
  readonly action: "written" | "manual" | "none";
  /** What the zone's servers answer; null before the first check and while they do not */
  readonly status: "right" | "missing" | "wrong" | null;
}

export interface Session {
  readonly id: string;
  /** Null for a link that named nobody */
  readonly member: SessionMember | null;
  /** Null for an operator */
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    /** The operator has suspended it: it cannot be changed */
    readonly suspended: boolean;
  } | null;
  /** Null for an operator */
  readonly role: "owner" | "admin" | "developer" | "support" | "viewer" | null;
  /** Reads the operator's views, and nothing of a tenant */
  readonly operator: boolean;
  /** Send it as `X-Mooring-Csrf` with every change */
  readonly csrf_token: string;
  /** When it ends, unless it is used before */
  readonly expires_at: string;
}

export interface SessionMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

export interface SetupGuide {
  /** The ways to set the records, the one with the least effort for the customer first; `api` is a credential that is made for developers */
  readonly ways: readonly ("domain_connect" | "oauth" | "token" | "manual" | "api")[];
  readonly token: {
    /** The page where the credential is made */
    readonly url: string;
    /** Sets of fields of which one is enough; empty when all required ones are needed */
    readonly alternatives: readonly (readonly string[])[];
    readonly steps: readonly {
      readonly action:
        | "open"
        | "press"
        | "choose"
        | "permit"
        | "limit"
        | "addresses"
        | "copy";
      readonly label: string;
    }[];
    /** Our outgoing addresses, where the provider has a list of allowed ones */
    readonly addresses: readonly string[];
  } | null;
  readonly manual: {
    /** The provider's panel */
    readonly url: string;
    /** The link leads to the page of this domain */
    readonly zone_page: boolean;
    /** What to click from there, in the panel's words */
    readonly path: readonly string[];
    readonly add_label: string | null;
    readonly save_label: string | null;
    readonly notes: readonly (
      | "proxy_off"
      | "quotes"
      | "sections"
      | "addresses_apart"
      | "no_apex_alias"
      | "no_wildcard")[];
  } | null;
}

export interface ShareLink {
  /** Anyone who has it can read the page; it is shown only here */
  readonly url: string;
  readonly expires_at: string;
}

export interface SslIssuedEvent {
  /** The same over retries and replays: store it to handle an event once */
  readonly id: string;
  readonly type: "ssl.issued";
  readonly created_at: string;
  readonly application_id: string;
  readonly environment: "test" | "live";
  /** Counts per connection, since deliveries may arrive out of order; otherwise 0 */
  readonly sequence: number;
  readonly data: {
    readonly connection: Connection;
    /** The connection had a certificate before */
    readonly renewal: boolean;
    readonly certificate: {
      /** Its issuer; null where it is not known */
      readonly ca: string | null;
      /** `own`: brought by the tenant; `external`: of an edge that is not ours */
      readonly source: "automatic" | "own" | "external";
      readonly not_after: string | null;
    };
  };
}

export interface StatusLink {
  readonly id: string;
  readonly customer_ref: string;
  readonly application_id: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface Subscription {
  /** The plan in effect */
  readonly plan: string;
  readonly status: "none" | "incomplete" | "active" | "past_due" | "canceled";
  readonly current_period_end: string | null;
}

export interface TimelineEntry {
  readonly id: string;
  readonly kind:
    | "state"
    | "check"
    | "write"
    | "certificate"
    | "delivery"
    | "visit"
    | "action";
  readonly from_state: string | null;
  readonly to_state: string | null;
  readonly error_code: string | null;
  readonly details: { readonly [key: string]: unknown };
  /** Who caused it, as the audit log names them: `system` is the service itself; null in entries of earlier releases */
  readonly actor: Actor | null;
  /** What a write changed in the zone; null for other entries */
  readonly plan: readonly RecordChange[] | null;
  readonly created_at: string;
}

export interface Traffic {
  /** False where the operator has turned counting off */
  readonly enabled: boolean;
  readonly from: string;
  readonly to: string;
  readonly step: "hour" | "day";
  /** Whether all is counted: the time is over and every minute of every edge has arrived. Otherwise the numbers are at least these. */
  readonly complete: boolean;
  /** Null where no edge has reported in all this time */
  readonly totals: TrafficNumbers | null;
  /** One for each hour or day, oldest first */
  readonly points: readonly TrafficPoint[];
  readonly group_by: "connection" | "application";
  /** The 100 with the most; where an hour has over 2,000 names, of those that were among its first 200 */
  readonly groups: readonly {
    /** Of the connection or the application */
    readonly id: string;
    readonly application_id: string;
    /** The hostname, or the application's name */
    readonly name: string | null;
    /** Whether all is counted: the time is over and every minute of every edge has arrived. Otherwise the numbers are at least these. */
    readonly complete: boolean;
    readonly numbers: TrafficNumbers;
  }[];
}

export interface TrafficNumbers {
  /** Over HTTPS; requests of our own checks are not counted */
  readonly requests: number;
  readonly by_status: {
    readonly "1xx": number;
    readonly "2xx": number;
    readonly "3xx": number;
    readonly "4xx": number;
    readonly "5xx": number;
    /** The client disconnected before the response */
    readonly aborted: number;
  };
  /** Of the bodies of requests, and of WebSockets */
  readonly bytes_in: number;
  readonly bytes_out: number;
  /** Milliseconds, off by less than a tenth; null where no origin answered */
  readonly origin_p50_ms: number | null;
  /** Milliseconds, off by less than a tenth; null where no origin answered */
  readonly origin_p95_ms: number | null;
  /** Completed TLS handshakes */
  readonly handshakes: number;
  /** Requests that the edge answered instead of the origin, and refused handshakes */
  readonly refused: number;
}

export interface TrafficPoint {
  readonly at: string;
  /** Whether all is counted: the time is over and every minute of every edge has arrived. Otherwise the numbers are at least these. */
  readonly complete: boolean;
  /** The part of the minutes of all edges that has arrived; null where none ran */
  readonly coverage: number | null;
  /** Null where no edge has reported, which is not zero */
  readonly numbers: TrafficNumbers | null;
}

export interface Usage {
  readonly period: {
    readonly start: string;
    readonly end: string;
  };
  readonly plan: string;
  readonly counters: {
    readonly connect: number;
    readonly active_domain: number;
    readonly cert: number;
    readonly api_call: number;
  };
  readonly limits: Limits;
  readonly remaining: Limits;
}

/** A CNAME that lets the service prove control for every certificate: needed for a wildcard and a cut-over, optional otherwise */
export interface Validation {
  /** Where the CNAME stands in the customer's zone */
  readonly name: string;
  /** The connection's name in the validation zone */
  readonly target: string;
  /** As the last check saw it */
  readonly status: "absent" | "right" | "wrong";
}

export interface WebhookEndpoint {
  readonly id: string;
  readonly application_id: string;
  /** What may be a secret in it is shown on create only: later values of the query and long random parts are masked */
  readonly url: string;
  readonly events: readonly (
    | "domain.added"
    | "domain.verified"
    | "ssl.issued"
    | "domain.flow.completed"
    | "domain.stalled"
    | "domain.drift"
    | "domain.restored"
    | "domain.records_changed"
    | "domain.failed"
    | "domain.archived"
    | "domain.dangling"
    | "domain.contested"
    | "domain.contest_won"
    | "domain.changed"
    | "domain.ready"
    | "domain.switching"
    | "domain.reverted"
    | "domain.expiring"
    | "certificate.at_risk"
    | "certificate.expired"
    | "certificate.recovered"
    | "certificate.foreign"
    | "origin.unreachable"
    | "origin.recovered"
    | "sending.ready"
    | "sending.accepted"
    | "sending.broken"
    | "credential.failing"
    | "credential.recovered"
    | "endpoint.disabled"
    | "*")[];
  /** How events are sent */
  readonly format: "standard" | "cloudflare";
  readonly active: boolean;
  /** Why it was switched off: it answered 410, or failed for five days */
  readonly disabled_reason: "gone" | "failing" | null;
  /** The last replay since a time; null when there was none */
  readonly replay: {
    readonly since: string;
    /** Events that have been queued so far */
    readonly replayed: number;
    readonly complete: boolean;
  } | null;
  readonly created_at: string;
}

export interface WebhookEndpointWithSecret {
  readonly id: string;
  readonly application_id: string;
  /** What may be a secret in it is shown on create only: later values of the query and long random parts are masked */
  readonly url: string;
  readonly events: readonly (
    | "domain.added"
    | "domain.verified"
    | "ssl.issued"
    | "domain.flow.completed"
    | "domain.stalled"
    | "domain.drift"
    | "domain.restored"
    | "domain.records_changed"
    | "domain.failed"
    | "domain.archived"
    | "domain.dangling"
    | "domain.contested"
    | "domain.contest_won"
    | "domain.changed"
    | "domain.ready"
    | "domain.switching"
    | "domain.reverted"
    | "domain.expiring"
    | "certificate.at_risk"
    | "certificate.expired"
    | "certificate.recovered"
    | "certificate.foreign"
    | "origin.unreachable"
    | "origin.recovered"
    | "sending.ready"
    | "sending.accepted"
    | "sending.broken"
    | "credential.failing"
    | "credential.recovered"
    | "endpoint.disabled"
    | "*")[];
  /** How events are sent */
  readonly format: "standard" | "cloudflare";
  readonly active: boolean;
  /** Why it was switched off: it answered 410, or failed for five days */
  readonly disabled_reason: "gone" | "failing" | null;
  /** The last replay since a time; null when there was none */
  readonly replay: {
    readonly since: string;
    /** Events that have been queued so far */
    readonly replayed: number;
    readonly complete: boolean;
  } | null;
  readonly created_at: string;
  /** Shown on create and rotate only */
  readonly signing_secret: string;
}

/** Any event, distinguished by `type`. `data.connection` is the connection as it was when the event happened. New kinds may be added: ignore those that you do not know. */
export type WebhookEvent = DomainAddedEvent | DomainVerifiedEvent | SslIssuedEvent | DomainFlowCompletedEvent | DomainStalledEvent | DomainDriftEvent | DomainRestoredEvent | DomainRecordsChangedEvent | DomainFailedEvent | DomainArchivedEvent | DomainDanglingEvent | DomainContestedEvent | DomainContestWonEvent | DomainChangedEvent | DomainReadyEvent | DomainSwitchingEvent | DomainRevertedEvent | DomainExpiringEvent | CertificateAtRiskEvent | CertificateExpiredEvent | CertificateRecoveredEvent | CertificateForeignEvent | OriginUnreachableEvent | OriginRecoveredEvent | SendingReadyEvent | SendingAcceptedEvent | SendingBrokenEvent | CredentialFailingEvent | CredentialRecoveredEvent | EndpointDisabledEvent | EndpointTestEvent;

export interface WidgetSettings {
  readonly application_name: string;
  readonly brand: Brand | null;
  readonly environment: "test" | "live";
  readonly languages: readonly string[];
  readonly features: {
    /** A domain and its `www` are connected together */
    readonly pair: boolean;
    /** Names such as `*.shop.acme.com` can be connected */
    readonly wildcard: boolean;
    /** A name that serves elsewhere can be prepared before it moves */
    readonly cutover: boolean;
    readonly email: boolean;
    /** The token lists and archives its customer's domains */
    readonly disconnect: boolean;
    /** Providers whose sign-in is configured, by slug */
    readonly oauth: readonly string[];
    /** A sign-in is retained for later changes of the same domain */
    readonly oauth_retained: boolean;
  };
}

export interface WidgetToken {
  readonly auth_token: string;
  readonly expires_at: string;
}

/** Every state of a connection, in the order of its life. */
export const connectionStates = [
  "created",
  "pending_ownership",
  "verifying",
  "verified",
  "dns_writing",
  "propagating",
  "stalled",
  "issuing_cert",
  "live",
  "drifted",
  "failed",
  "archived",
] as const;

export type ConnectionState = (typeof connectionStates)[number];

/** Every way in which a connection's records can be set up. */
export const setupTypes = [
  "automatic",
  "manual",
  "semiautomatic",
  "shared_login",
  "async",
  "api",
] as const;

export type SetupType = (typeof setupTypes)[number];

/** Every event type that a webhook endpoint can subscribe to; `*` stands for all of them. */
export const eventTypes = [
  "domain.added",
  "domain.verified",
  "ssl.issued",
  "domain.flow.completed",
  "domain.stalled",
  "domain.drift",
  "domain.restored",
  "domain.records_changed",
  "domain.failed",
  "domain.archived",
  "domain.dangling",
  "domain.contested",
  "domain.contest_won",
  "domain.changed",
  "domain.ready",
  "domain.switching",
  "domain.reverted",
  "domain.expiring",
  "certificate.at_risk",
  "certificate.expired",
  "certificate.recovered",
  "certificate.foreign",
  "origin.unreachable",
  "origin.recovered",
  "sending.ready",
  "sending.accepted",
  "sending.broken",
  "credential.failing",
  "credential.recovered",
  "endpoint.disabled",
] as const;

export type EventType = (typeof eventTypes)[number];

/** The input and the response of each operation, by its operationId. */
export interface Operations {
  /**
   * `POST /v1/connections`: Start connecting a domain
   *
   * Answers 200 with the existing connection when the same application and customer have an unfinished or drifted one for the hostname; to the widget token of a customer or domain also with a live one. Whatever belongs to another customer is answered as another tenant's.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections: {
    readonly body: {
      readonly application_id: string;
      /** Any spelling: case, trailing dot, Unicode or punycode */
      readonly hostname: string;
      /** Your own id of the customer whose domain it is; a widget token carries it */
      readonly customer_ref?: string | null;
      /** Groups connections that were made together */
      readonly batch_id?: string | null;
      /** For a name that serves visitors elsewhere: everything is prepared before its records change. Without effect on a name that is not in use */
      readonly cutover?: boolean;
      /** Makes the connection although another application's or customer's holds the hostname: its proof then starts a contest */
      readonly contest?: boolean;
    };
    readonly response: NewConnection;
  };
  /**
   * `GET /v1/connections`: List connections, newest first
   *
   * The widget token of a customer lists that customer's connections of its application.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections: {
    readonly query?: {
      /** Several: the parameter repeated */
      readonly state?:
        | "created"
        | "pending_ownership"
        | "verifying"
        | "verified"
        | "dns_writing"
        | "propagating"
        | "stalled"
        | "issuing_cert"
        | "live"
        | "drifted"
        | "failed"
        | "archived" | readonly (
        | "created"
        | "pending_ownership"
        | "verifying"
        | "verified"
        | "dns_writing"
        | "propagating"
        | "stalled"
        | "issuing_cert"
        | "live"
        | "drifted"
        | "failed"
        | "archived")[];
      readonly hostname?: string;
      /** A widget token lists its own customer's only */
      readonly customer_ref?: string;
      /** A part of the hostname or of the customer, 2 to 100 characters, spaces included; compared after Unicode NFC and case folding */
      readonly q?: string;
      readonly application_id?: string;
      /** Only those that were made with it */
      readonly batch_id?: string;
      readonly error_code?:
        | "txt_not_found"
        | "txt_mismatch"
        | "hostname_conflict"
        | "ownership_timeout"
        | "dns_timeout"
        | "dns_servfail"
        | "dnssec_bogus"
        | "not_registered"
        | "record_missing"
        | "record_mismatch"
        | "record_conflict"
        | "proxied"
        | "provider_auth"
        | "provider_rate_limited"
        | "provider_unavailable"
        | "provider_unsupported"
        | "provider_not_delegated"
        | "propagation_timeout"
        | "caa_forbidden"
        | "ca_rate_limited"
        | "ca_unavailable"
        | "certificate_failed"
        | "certificate_timeout"
        | "certificate_at_risk"
        | "certificate_expired"
        | "origin_unreachable"
        | "records_changed"
        | "check_failed"
        | "quota_exceeded";
      /** Whose move it is by the first finding; may be repeated */
      readonly actor?: "end_customer" | "tenant" | "operator" | "wait" | readonly ("end_customer" | "tenant" | "operator" | "wait")[];
      /** Only those that are in their state for longer than is usual for it */
      readonly stuck?: "true";
      /** The DNS provider's slug */
      readonly provider?: string;
      /** Only those that are not archived and whose domain's registration ends within so many days, or has ended */
      readonly registration_ends_within?: number;
      /** Only wildcards, or none */
      readonly wildcard?: "true" | "false";
      /** Only archived ones whose names were last seen to resolve to the service still */
      readonly dangling?: "true";
      /** `created`: newest first. `stuck_since`: longest in its state first; unless `state` is given, without those that are archived or live and well */
      readonly sort?: "created" | "stuck_since";
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly ListedConnection[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `POST /v1/connections:batch`: Start connecting up to 200 domains
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_batch: {
    readonly body: {
      readonly application_id: string;
      readonly hostnames: readonly string[];
      /** Your own id of the customer whose domain it is; a widget token carries it */
      readonly customer_ref?: string | null;
      /** Made for you when absent */
      readonly batch_id?: string | null;
    };
    readonly response: ConnectionBatch;
  };
  /**
   * `POST /v1/connections:pair`: Start connecting a domain and its www together
   *
   * Makes or resumes both connections, one of which redirects to the other; 200 when both were there. A repeat with another `canonical` turns the redirect round. A conflict of either names neither, and nothing is made.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_pair: {
    readonly body: {
      readonly application_id: string;
      /** A registered domain like acme.com, or its `www` name */
      readonly hostname: string;
      /** The one that visitors stay on; default: the one that is given as `hostname` */
      readonly canonical?: "apex" | "www";
      /** Your own id of the customer whose domain it is; a widget token carries it */
      readonly customer_ref?: string | null;
      /** Prepare both before they move, when either serves visitors elsewhere; they are switched together */
      readonly cutover?: boolean;
    };
    readonly response: ConnectionPair;
  };
  /**
   * `GET /v1/connections:summary`: How all connections are: by state, cause and whose move it is, and day by day
   *
   * Over very many connections the counts may be up to half a minute old.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections_summary: {
    readonly response: ConnectionSummary;
  };
  /**
   * `GET /v1/customers`: List the customers that have connections, by their id
   *
   * Those that a `customer_ref` names, in the order of these ids. A search reads 5000 connections at most.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_customers: {
    readonly query?: {
      /** A part of the customer's id; compared as in connections */
      readonly q?: string;
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly Customer[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `POST /v1/status-links`: A link to a page with the domains of one customer, for that customer
   *
   * The page is read-only and needs no login and no script. It shows the brand of the application and the customer's own domains of it, at most 200: how each is in one word, what is to do and by whom, until when the certificate is valid, and when it was last checked. It is in seven languages. The link ends when it expires, when it is revoked, with the application, or when twenty newer ones of the customer were made. The reference of the customer is in the body because it may be any text.
   *
   * Scope: connections:write. Least role: support.
   */
  readonly post_status_links: {
    readonly body: {
      /** Whose domains the page shows */
      readonly customer_ref: string;
      /** Whose brand and domains it shows; needed when the customer has domains of several */
      readonly application_id?: string;
      /** Default: `90` */
      readonly expires_in_days?: number;
    };
    readonly response: NewStatusLink;
  };
  /**
   * `GET /v1/status-links`: List the links to a customer's page that have not ended
   *
   * Newest first. The address of a link is shown only when it is made.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_status_links: {
    readonly query?: {
      readonly customer_ref?: string;
    };
    readonly response: {
      readonly data: readonly StatusLink[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `DELETE /v1/status-links/{id}`: Revoke a link to a customer's page
   *
   * A reader who opens it from now on gets the same answer as for a link that never was.
   *
   * Scope: connections:write. Least role: support.
   */
  readonly delete_status_links_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: undefined;
  };
  /**
   * `GET /v1/connections/{id}`: Read one connection with its records and certificate
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: ConnectionDetail;
  };
  /**
   * `PATCH /v1/connections/{id}`: Change how the edge serves a domain
   *
   * The edge follows within two seconds, without a new proof or certificate; the event `domain.changed` tells. `redirect_to` is the hostname of another connection of the same application and customer that is not archived and does not redirect; a hostname that others redirect to cannot redirect itself.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly patch_connections_id: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      /** The hostname of another connection of the application; null ends the redirect */
      readonly redirect_to?: string | null;
      /** Takes the place of the application's origins; null goes back to those */
      readonly origin_url?: string | null;
      /** Host header sent to the origin; null: as the application has it */
      readonly origin_host_header?: "preserve" | "origin" | null;
      /** Whose domain it is; one half of a redirect cannot change it alone */
      readonly customer_ref?: string | null;
      /** Rules of its own. Keys that are not given stay; null: as the application has it; `off`: not the application's */
      readonly edge?: {
        readonly rate_limit?: {
          /** So many at once, and so many more in each `per_s` seconds */
          readonly requests: number;
          readonly per_s: number;
          /**
           * Each visitor of the domain for itself, by address; or all of them together
           *
           * Default: `"visitor"`
           */
          readonly by?: "visitor" | "host";
        } | "off" | null;
        readonly allow?: readonly string[] | "off" | null;
        readonly deny?: readonly string[] | "off" | null;
        readonly maintenance?: {
          /** When it ends by itself; null: when it is taken back */
          readonly until?: string | null;
          /**
           * Text for visitors, no HTML; null: the usual one
           *
           * Default: `null`
           */
          readonly page?: string | null;
        } | "off" | null;
        readonly basic_auth?: {
          readonly username: string;
          /** Stored as a hash, and never returned */
          readonly password: string;
        } | "off" | null;
      };
    };
    readonly response: Connection;
  };
  /**
   * `DELETE /v1/connections/{id}`: Offboard a domain
   *
   * Archives the connection and frees its hostname. A repeat answers the same. With `revert_dns` the records that were written with a stored credential are taken back as far as that can be done; what is left is on the timeline. The widget token of a customer may archive that customer's.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly delete_connections_id: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      readonly revert_dns?: "true" | "false";
    };
    readonly response: Connection;
  };
  /**
   * `PUT /v1/connections/{id}/certificate`: Serve an own certificate
   *
   * For a hostname whose ownership is proven. The key must be that of the first certificate, each certificate signed by the next, the names cover the hostname. The edge serves it within two seconds, and no other is ordered until shortly before it ends. The same certificate again changes nothing.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly put_connections_id_certificate: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      /** The certificate and those that it is signed by, leaf first, in PEM */
      readonly certificate: string;
      /** The key of the first certificate in PEM, without a passphrase. Never returned. */
      readonly private_key: string;
    };
    readonly response: ConnectionDetail;
  };
  /**
   * `DELETE /v1/connections/{id}/certificate`: Go back to automatic certificates
   *
   * An automatic certificate is obtained at once; the own one is served until it is there. Without an own certificate nothing changes.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly delete_connections_id_certificate: {
    readonly params: {
      readonly id: string;
    };
    readonly response: ConnectionDetail;
  };
  /**
   * `POST /v1/connections/{id}/certificate:retry`: Order the certificate again now
   *
   * For an order that failed or waits. The order still takes its turn in the CA's limits. 409 when there is nothing to retry.
   *
   * Scope: connections:write. Least role: support.
   */
  readonly post_connections_id_certificate_retry: {
    readonly params: {
      readonly id: string;
    };
    readonly response: ConnectionDetail;
  };
  /**
   * `POST /v1/connections/{id}/verify`: Check the ownership record now
   *
   * Any record proves that the application allows (`proofs`). The details of `ownership_not_found` are the `name` and `type` of the record that is missed, the `expected` value, what was `observed` there (at most 32 values, each of at most 512 characters; `observed_truncated` says that more was there), each of the `servers` with its outcome, and the `reason`, if one is known. The details of `HostnameConflict` are null, the same for every holder, until a proof has begun a contest; then `contest_deadline`.
   *
   * Scope: connections:write. Least role: support.
   */
  readonly post_connections_id_verify: {
    readonly params: {
      readonly id: string;
    };
    readonly response: Connection;
  };
  /**
   * `POST /v1/connections/{id}/records:check`: Check each desired record now
   *
   * With a widget token the ownership record is checked too.
   *
   * Scope: connections:write. Least role: support.
   */
  readonly post_connections_id_records_check: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      /** `true`: the customer says that the records were added; noted the first time */
      readonly added?: "true" | "false";
    };
    readonly response: {
      readonly records: readonly RecordCheck[];
      /** With a widget token: the TXT record that is to prove ownership; null where another one does */
      readonly ownership: RecordCheck | null;
      /** Nobody has said that the records were added, and they were shown less than five minutes ago: one that is not there is no fault */
      readonly early: boolean;
      readonly checked_at: string;
      /** When the service checks by itself; null: it does not */
      readonly next_check_at: string | null;
    };
  };
  /**
   * `POST /v1/connections/{id}/records:apply`: Write the records at the DNS provider
   *
   * With a stored credential, or with one that is given here, used once and not stored. All or nothing: while the plan has a conflict, nothing is written. What this service did not create is replaced only where its change is named in `replace`.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_records_apply: {
    readonly params: {
      readonly id: string;
    };
    /** Default: `{}` */
    readonly body: {
      /** A stored credential of the application */
      readonly credential_id?: string | null;
      /** With `fields`: a slug of /v1/providers */
      readonly provider?: string | null;
      /** The provider's `credential_fields` by key; used for this call and not stored */
      readonly fields?: { readonly [key: string]: string } | null;
      /** What the customer's sign-in gave the page; used up when the plan is applied */
      readonly oauth_grant?: string | null;
      /** Only says what would be done */
      readonly dry_run?: boolean | null;
      /** Ids of conflicts in a plan whose `existing` records may be replaced */
      readonly replace?: readonly string[] | null;
      /** Also the records of the domain's www, or of www's domain, as one plan */
      readonly pair?: boolean | null;
    };
    readonly response: RecordPlan;
  };
  /**
   * `POST /v1/connections/{id}/records:revert`: Put the zone back to what it was
   *
   * Removes the records that this service wrote for the connection and restores those that it replaced. What others have put there since is left alone and named.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_records_revert: {
    readonly params: {
      readonly id: string;
    };
    /** Default: `{}` */
    readonly body: {
      /** A stored credential of the application */
      readonly credential_id?: string | null;
      /** With `fields`: a slug of /v1/providers */
      readonly provider?: string | null;
      /** The provider's `credential_fields` by key; used for this call and not stored */
      readonly fields?: { readonly [key: string]: string } | null;
      /** What the customer's sign-in gave the page; used up when the plan is applied */
      readonly oauth_grant?: string | null;
      /** Only says what would be done */
      readonly dry_run?: boolean | null;
      /** Ids of conflicts in a plan whose `existing` records may be replaced */
      readonly replace?: readonly string[] | null;
    };
    readonly response: RecordPlan;
  };
  /**
   * `POST /v1/connections/{id}/cutover`: Move a prepared domain here
   *
   * Writes the new records with a stored credential, or with one that is given here. Consent to replace exactly `cutover.old_records` is implied. Refused while a check of `cutover.checks` does not hold; a difference of the origin is accepted by `accept`. Without a credential the customer changes the records, which is seen by itself. With `pair` the domain and its www are switched together: the checks of both must hold.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_cutover: {
    readonly params: {
      readonly id: string;
    };
    /** Default: `{}` */
    readonly body: {
      /** A stored credential of the application */
      readonly credential_id?: string | null;
      /** With `fields`: a slug of /v1/providers */
      readonly provider?: string | null;
      /** The provider's `credential_fields` by key; used for this call and not stored */
      readonly fields?: { readonly [key: string]: string } | null;
      /** What the customer's sign-in gave the page; used up when the plan is applied */
      readonly oauth_grant?: string | null;
      /** Only says what would be done */
      readonly dry_run?: boolean | null;
      /** Ids of conflicts in a plan whose `existing` records may be replaced */
      readonly replace?: readonly string[] | null;
      /** Together with the domain's www, or with www's domain, as one plan */
      readonly pair?: boolean | null;
      /** Checks whose warning is accepted */
      readonly accept?: readonly "origin"[] | null;
    };
    readonly response: CutoverPlan;
  };
  /**
   * `POST /v1/connections/{id}/cutover:revert`: Move a domain back to its old place
   *
   * Restores the old records, until seven days after the cut-over is done. The connection keeps its claim and its certificate, and is still served. With `pair` both of a domain and its www.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_cutover_revert: {
    readonly params: {
      readonly id: string;
    };
    /** Default: `{}` */
    readonly body: {
      /** A stored credential of the application */
      readonly credential_id?: string | null;
      /** With `fields`: a slug of /v1/providers */
      readonly provider?: string | null;
      /** The provider's `credential_fields` by key; used for this call and not stored */
      readonly fields?: { readonly [key: string]: string } | null;
      /** What the customer's sign-in gave the page; used up when the plan is applied */
      readonly oauth_grant?: string | null;
      /** Only says what would be done */
      readonly dry_run?: boolean | null;
      /** Ids of conflicts in a plan whose `existing` records may be replaced */
      readonly replace?: readonly string[] | null;
      /** Together with the domain's www, or with www's domain, as one plan */
      readonly pair?: boolean | null;
    };
    readonly response: CutoverPlan;
  };
  /**
   * `POST /v1/connections/{id}/domain-connect:start`: Send the customer to their DNS provider (Domain Connect)
   *
   * A signed link under which the customer signs in at their DNS provider and confirms the records there; no credential reaches this service. Afterwards DNS, and nothing else, shows whether it was done. Where it is not possible, `details.reason` says why, and the records can be added by hand.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_domain_connect_start: {
    readonly params: {
      readonly id: string;
    };
    /** Default: `{}` */
    readonly body: {
      /** Where the customer goes afterwards; its origin must be one of the application's `allowed_origins` */
      readonly redirect_uri?: string | null;
      /** One consent for both names of a pair, where the provider can; `covers` of the answer says whether */
      readonly pair?: boolean;
    };
    readonly response: DomainConnectStart;
  };
  /**
   * `POST /v1/connections/{id}/oauth:start`: Send the customer to sign in at their DNS provider (OAuth)
   *
   * The popup's last page posts `{ type: "svc:oauth", status, grant }` to the page that opened it, at an allowed origin. `grant` is given to `records:apply` as `oauth_grant`, within 30 minutes; the provider's token is thrown away when the plan is applied, unless the application has `keep_oauth`.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_oauth_start: {
    readonly params: {
      readonly id: string;
    };
    readonly response: OAuthStart;
  };
  /**
   * `POST /v1/connections/{id}/email:apply`: Set up mail for the connection's domain
   *
   * Writes the safe records through the application's stored credential, once ownership is proven. Nothing in the zone is changed or duplicated, and the SPF record is never written: it is returned merged, ready to paste. Without a credential everything is to be added by hand.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_email_apply: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      /** A mailbox provider */
      readonly provider:
        | "google_workspace"
        | "google"
        | "microsoft_365"
        | "microsoft365"
        | "zoho"
        | "fastmail"
        | "proton"
        | "icloud";
      /** What only the mailbox provider's console knows, by name; see the guide to email */
      readonly inputs?: { readonly [key: string]: string } | null;
      /** Access to the DNS provider, as in records:apply; used for this call and not stored */
      readonly dns?: {
        /** A slug of /v1/providers */
        readonly provider: string;
        readonly fields: { readonly [key: string]: string };
      } | null;
      /** Whether only to show what would be written: nothing is written, and nothing is stored */
      readonly dry_run?: boolean | null;
    };
    readonly response: EmailApply;
  };
  /**
   * `POST /v1/connections/{id}/sending:apply`: Set the connection's domain up at a service for sending mail
   *
   * Resend, Postmark, Amazon SES, Mailgun, SendGrid or Brevo. The values are given in `inputs`, or read from your account with `access`; called again without either, the last ones are used. Records are written as by email:apply, and watched from then on.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly post_connections_id_sending_apply: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      /** A service for sending mail */
      readonly provider: "resend" | "postmark" | "ses" | "mailgun" | "sendgrid" | "brevo";
      /** What the service's console shows, by name; see the guide to email */
      readonly inputs?: { readonly [key: string]: string } | null;
      /** Your own access to the service (Resend, Postmark, Amazon SES): the values are read from your account, and the access is stored sealed to watch them. API keys only */
      readonly access?: { readonly [key: string]: string } | null;
      /** Access to the DNS provider, as in records:apply; used for this call and not stored */
      readonly dns?: {
        /** A slug of /v1/providers */
        readonly provider: string;
        readonly fields: { readonly [key: string]: string };
      } | null;
      /** Whether only to show what would be written: nothing is written, and nothing is stored */
      readonly dry_run?: boolean | null;
    };
    readonly response: SendingDomain;
  };
  /**
   * `GET /v1/connections/{id}/sending`: The connection's sending domains, with what DNS has of each record
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections_id_sending: {
    readonly params: {
      readonly id: string;
    };
    readonly response: SendingDomains;
  };
  /**
   * `POST /v1/connections/{id}/sending:check`: Check the connection's sending domains now
   *
   * Scope: connections:write. Least role: support.
   */
  readonly post_connections_id_sending_check: {
    readonly params: {
      readonly id: string;
    };
    readonly response: SendingDomains;
  };
  /**
   * `DELETE /v1/connections/{id}/sending/{provider}`: Stop watching a sending domain
   *
   * The stored access is dropped. The records stay: mail may depend on them.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly delete_connections_id_sending_provider: {
    readonly params: {
      readonly id: string;
      /** A service for sending mail */
      readonly provider: "resend" | "postmark" | "ses" | "mailgun" | "sendgrid" | "brevo";
    };
    readonly response: undefined;
  };
  /**
   * `GET /v1/connections/{id}/diagnosis`: What is the matter with a connection, who must act, and how
   *
   * Checks DNS at once and changes nothing. What could not be observed within eight seconds is named as a finding.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections_id_diagnosis: {
    readonly params: {
      readonly id: string;
    };
    readonly response: Diagnosis;
  };
  /**
   * `POST /v1/connections/{id}/share`: A link to a page with the records, for the person who manages the domain's DNS
   *
   * The page is read-only, needs no login and no script, and shows the records, what DNS has of them now and what to do. Of a pair it shows both names. It ends after seven days, with the connection, or when twenty newer links were made. For an archived connection that is `dangling` the page shows the record to remove and why, and nothing can be connected from it; for any other archived one: 409. A widget token gets no such link.
   *
   * Scope: connections:write. Least role: support.
   */
  readonly post_connections_id_share: {
    readonly params: {
      readonly id: string;
    };
    readonly response: ShareLink;
  };
  /**
   * `GET /v1/connections/{id}/events`: The timeline of a connection, newest first
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections_id_events: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      /** Repeated for several. Without it all but `action`, what people and keys did, of which it then has changes of settings */
      readonly kind?:
        | "state"
        | "check"
        | "write"
        | "certificate"
        | "delivery"
        | "visit"
        | "action" | readonly (
        | "state"
        | "check"
        | "write"
        | "certificate"
        | "delivery"
        | "visit"
        | "action")[];
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly TimelineEntry[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `POST /v1/applications`: Create an application
   *
   * Scope: apps:admin. Least role: developer.
   */
  readonly post_applications: {
    readonly body: {
      readonly name: string;
      /** Defaults to the key's environment */
      readonly environment?: "test" | "live";
      /** Browser origins that may use the widget */
      readonly allowed_origins?: readonly string[];
      /** Records each connected domain needs */
      readonly record_template?: readonly {
        /** `@`, a label below the hostname, or with placeholders */
        readonly host: string;
        /** One of A, AAAA, CNAME, ALIAS, TXT, MX, CAA, NS, SRV */
        readonly type: string;
        readonly value: string;
        readonly ttl?: number | null;
        readonly priority?: number | null;
      }[];
      /** Where the edge proxies connected domains to. An https origin may speak HTTP/2; `h2c://` is HTTP/2 without TLS */
      readonly origin_url?: string | null;
      /** Where the edge proxies to, up to 8; the first is origin_url */
      readonly origins?: readonly {
        readonly url: string;
        /**
         * Its share of the requests; 0: only while no other takes any
         *
         * Default: `1`
         */
        readonly weight?: number;
      }[];
      /** Host header sent to the origin: the visitor's, or the origin's own */
      readonly origin_host_header?: "preserve" | "origin";
      /** TLS to the origins; keys that are not given stay, null removes */
      readonly origin_tls?: {
        /** CAs that may have issued the origins' certificates, instead of the public ones; PEM */
        readonly ca?: string | null;
        /** What the edge shows to the origins, with its chain; PEM. Needs client_key */
        readonly client_certificate?: string | null;
        /** The key of client_certificate; PEM. It is stored sealed and never returned */
        readonly client_key?: string | null;
        /** SNI, instead of the name in the URL */
        readonly server_name?: string | null;
        /** The name that the origins' certificates must have, instead of server_name */
        readonly verify_name?: string | null;
      };
      /** How the edge serves the application; keys that are not given stay, null is the default */
      readonly edge?: {
        /** How long the origin may take to the first byte of its response, in seconds; then 504 */
        readonly first_byte_timeout_s?: number | null;
        /** How long a response, an event stream or a WebSocket may be silent, in seconds */
        readonly idle_timeout_s?: number | null;
        /** The largest body of a request; then 413 */
        readonly max_body_bytes?: number | null;
        /** How long a WebSocket may last, in seconds */
        readonly websocket_lifetime_s?: number | null;
        /** How each edge process checks the origins where there are several; null for not at all */
        readonly health_check?: {
          /** Below the path of the origin's URL */
          readonly path: string;
          /** Default: `30` */
          readonly interval_s?: number;
          /**
           * That of an origin that works
           *
           * Default: `200`
           */
          readonly status?: number;
        } | null;
        readonly error_page?: string | null;
        readonly hsts?: {
          /** Seconds; 0 takes the promise back */
          readonly max_age: number;
          /** Default: `false` */
          readonly include_subdomains?: boolean;
          /** Default: `false` */
          readonly preload?: boolean;
        } | null;
        readonly response_headers?: readonly {
          readonly action: "add" | "set" | "remove";
          readonly name: string;
          /** Default: `null` */
          readonly value?: string | null;
        }[] | null;
        readonly compress?: boolean | null;
        readonly rate_limit?: {
          /** So many at once, and so many more in each `per_s` seconds */
          readonly requests: number;
          readonly per_s: number;
          /**
           * Each visitor of the domain for itself, by address; or all of them together
           *
           * Default: `"visitor"`
           */
          readonly by?: "visitor" | "host";
        } | null;
        /** Networks of visitors who are served, up to 200; all others get 403 */
        readonly allow?: readonly string[] | null;
        /** Networks of visitors who get 403, up to 200, also those in `allow` */
        readonly deny?: readonly string[] | null;
        readonly maintenance?: {
          /** When it ends by itself; null: when it is taken back */
          readonly until?: string | null;
          /**
           * Text for visitors, no HTML; null: the usual one
           *
           * Default: `null`
           */
          readonly page?: string | null;
        } | null;
        readonly basic_auth?: {
          readonly username: string;
          /** Stored as a hash, and never returned */
          readonly password: string;
        } | null;
      };
      /** Defaults of the widget and of the share page; null: none */
      readonly brand?: {
        /** Default: the application's name */
        readonly name?: string | null;
        readonly logo_url?: string | null;
        /** Of buttons and progress: `#rrggbb` */
        readonly color?: string | null;
        /** Where a customer gets help: `https:` or `mailto:` */
        readonly support_url?: string | null;
      } | null;
      /** Whether wildcards may be connected, where validation is delegated; default true */
      readonly wildcards?: boolean;
      /** Whether names may stay behind a CDN, such as Cloudflare's proxy, that passes requests on to the edge; default `accept`. `refuse` asks the customer to switch it off */
      readonly proxied?: "accept" | "refuse";
      /** Whether a customer's sign-in at their DNS provider is retained for their connection, until it is archived; default false: it is used once */
      readonly keep_oauth?: boolean;
      /** What may prove the ownership of a hostname: its TXT record, a CNAME to the connection's own `target`, or the CNAME that delegates validation; default all three */
      readonly proofs?: readonly ("txt" | "cname" | "delegation")[];
    };
    readonly response: Application;
  };
  /**
   * `GET /v1/applications`: List applications, newest first
   *
   * Scope: apps:admin. Least role: viewer.
   */
  readonly get_applications: {
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly Application[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/applications/{id}`: Read one application
   *
   * Scope: apps:admin. Least role: viewer.
   */
  readonly get_applications_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: Application;
  };
  /**
   * `PATCH /v1/applications/{id}`: Change an application
   *
   * Scope: apps:admin. Least role: developer.
   */
  readonly patch_applications_id: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      readonly name?: string;
      /** Browser origins that may use the widget */
      readonly allowed_origins?: readonly string[];
      /** Browser origins that may use the widget beside those that already may */
      readonly add_allowed_origins?: readonly string[];
      /** Records each connected domain needs */
      readonly record_template?: readonly {
        /** `@`, a label below the hostname, or with placeholders */
        readonly host: string;
        /** One of A, AAAA, CNAME, ALIAS, TXT, MX, CAA, NS, SRV */
        readonly type: string;
        readonly value: string;
        readonly ttl?: number | null;
        readonly priority?: number | null;
      }[];
      /** Where the edge proxies connected domains to. An https origin may speak HTTP/2; `h2c://` is HTTP/2 without TLS */
      readonly origin_url?: string | null;
      /** Where the edge proxies to, up to 8; the first is origin_url */
      readonly origins?: readonly {
        readonly url: string;
        /**
         * Its share of the requests; 0: only while no other takes any
         *
         * Default: `1`
         */
        readonly weight?: number;
      }[];
      /** Host header sent to the origin: the visitor's, or the origin's own */
      readonly origin_host_header?: "preserve" | "origin";
      /** TLS to the origins; keys that are not given stay, null removes */
      readonly origin_tls?: {
        /** CAs that may have issued the origins' certificates, instead of the public ones; PEM */
        readonly ca?: string | null;
        /** What the edge shows to the origins, with its chain; PEM. Needs client_key */
        readonly client_certificate?: string | null;
        /** The key of client_certificate; PEM. It is stored sealed and never returned */
        readonly client_key?: string | null;
        /** SNI, instead of the name in the URL */
        readonly server_name?: string | null;
        /** The name that the origins' certificates must have, instead of server_name */
        readonly verify_name?: string | null;
      };
      /** How the edge serves the application; keys that are not given stay, null is the default */
      readonly edge?: {
        /** How long the origin may take to the first byte of its response, in seconds; then 504 */
        readonly first_byte_timeout_s?: number | null;
        /** How long a response, an event stream or a WebSocket may be silent, in seconds */
        readonly idle_timeout_s?: number | null;
        /** The largest body of a request; then 413 */
        readonly max_body_bytes?: number | null;
        /** How long a WebSocket may last, in seconds */
        readonly websocket_lifetime_s?: number | null;
        /** How each edge process checks the origins where there are several; null for not at all */
        readonly health_check?: {
          /** Below the path of the origin's URL */
          readonly path: string;
          /** Default: `30` */
          readonly interval_s?: number;
          /**
           * That of an origin that works
           *
           * Default: `200`
           */
          readonly status?: number;
        } | null;
        readonly error_page?: string | null;
        readonly hsts?: {
          /** Seconds; 0 takes the promise back */
          readonly max_age: number;
          /** Default: `false` */
          readonly include_subdomains?: boolean;
          /** Default: `false` */
          readonly preload?: boolean;
        } | null;
        readonly response_headers?: readonly {
          readonly action: "add" | "set" | "remove";
          readonly name: string;
          /** Default: `null` */
          readonly value?: string | null;
        }[] | null;
        readonly compress?: boolean | null;
        readonly rate_limit?: {
          /** So many at once, and so many more in each `per_s` seconds */
          readonly requests: number;
          readonly per_s: number;
          /**
           * Each visitor of the domain for itself, by address; or all of them together
           *
           * Default: `"visitor"`
           */
          readonly by?: "visitor" | "host";
        } | null;
        /** Networks of visitors who are served, up to 200; all others get 403 */
        readonly allow?: readonly string[] | null;
        /** Networks of visitors who get 403, up to 200, also those in `allow` */
        readonly deny?: readonly string[] | null;
        readonly maintenance?: {
          /** When it ends by itself; null: when it is taken back */
          readonly until?: string | null;
          /**
           * Text for visitors, no HTML; null: the usual one
           *
           * Default: `null`
           */
          readonly page?: string | null;
        } | null;
        readonly basic_auth?: {
          readonly username: string;
          /** Stored as a hash, and never returned */
          readonly password: string;
        } | null;
      };
      /** Defaults of the widget and of the share page; null: none */
      readonly brand?: {
        /** Default: the application's name */
        readonly name?: string | null;
        readonly logo_url?: string | null;
        /** Of buttons and progress: `#rrggbb` */
        readonly color?: string | null;
        /** Where a customer gets help: `https:` or `mailto:` */
        readonly support_url?: string | null;
      } | null;
      /** Whether wildcards may be connected, where validation is delegated; default true */
      readonly wildcards?: boolean;
      /** Whether names may stay behind a CDN, such as Cloudflare's proxy, that passes requests on to the edge; default `accept`. `refuse` asks the customer to switch it off */
      readonly proxied?: "accept" | "refuse";
      /** Whether a customer's sign-in at their DNS provider is retained for their connection, until it is archived; default false: it is used once */
      readonly keep_oauth?: boolean;
      /** What may prove the ownership of a hostname: its TXT record, a CNAME to the connection's own `target`, or the CNAME that delegates validation; default all three */
      readonly proofs?: readonly ("txt" | "cname" | "delegation")[];
    };
    readonly response: Application;
  };
  /**
   * `DELETE /v1/applications/{id}`: Delete an application
   *
   * Its keys are revoked, its webhook receivers and credentials deleted. 409 while it has connections that are not archived, and for a key that was made under it.
   *
   * Scope: apps:admin. Least role: owner.
   */
  readonly delete_applications_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: undefined;
  };
  /**
   * `GET /v1/applications/{id}/domain-connect-template`: Read the Domain Connect templates of an application's records
   *
   * Ready to be submitted to the public repository of templates. An application with its own record template has its own templates; the others share the default ones.
   *
   * Scope: apps:admin. Least role: viewer.
   */
  readonly get_applications_id_domain_connect_template: {
    readonly params: {
      readonly id: string;
    };
    readonly response: DomainConnectTemplates;
  };
  /**
   * `POST /v1/applications/{id}/keys`: Create an API key
   *
   * The secret is in this answer and never shown again.
   *
   * Scope: apps:admin. Least role: developer in test, admin in live.
   */
  readonly post_applications_id_keys: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      readonly name: string;
      /** Defaults to every scope that the caller holds */
      readonly scopes?: readonly (
        | "connections:read"
        | "connections:write"
        | "apps:admin"
        | "webhooks:write"
        | "usage:read")[];
    };
    readonly response: NewApiKey;
  };
  /**
   * `GET /v1/applications/{id}/keys`: List an application's API keys, revoked ones included
   *
   * Scope: apps:admin. Least role: viewer.
   */
  readonly get_applications_id_keys: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly ApiKey[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `DELETE /v1/applications/{id}/keys/{keyId}`: Revoke an API key
   *
   * It stops authenticating at once, and widget tokens that it minted stop with it.
   *
   * Scope: apps:admin. Least role: developer in test, admin in live.
   */
  readonly delete_applications_id_keys_keyId: {
    readonly params: {
      readonly id: string;
      readonly keyId: string;
    };
    readonly response: ApiKey;
  };
  /**
   * `POST /v1/applications/{id}/credentials`: Store a delegated DNS credential
   *
   * Sealed at rest; its fields are never shown again.
   *
   * Scope: apps:admin. Least role: developer.
   */
  readonly post_applications_id_credentials: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      /** A slug of GET /v1/providers */
      readonly provider: string;
      readonly name: string;
      /** The one zone to use it for; otherwise found */
      readonly zone?: string | null;
      /** The provider's `credential_fields` by key */
      readonly fields: { readonly [key: string]: string };
    };
    readonly response: Credential;
  };
  /**
   * `GET /v1/applications/{id}/credentials`: List delegated DNS credentials
   *
   * Scope: apps:admin. Least role: viewer.
   */
  readonly get_applications_id_credentials: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly Credential[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `DELETE /v1/applications/{id}/credentials/{credentialId}`: Delete a delegated DNS credential
   *
   * Scope: apps:admin. Least role: developer.
   */
  readonly delete_applications_id_credentials_credentialId: {
    readonly params: {
      readonly id: string;
      readonly credentialId: string;
    };
    readonly response: undefined;
  };
  /**
   * `POST /v1/applications/{id}/credentials/{credentialId}/test`: Ask the provider whether a credential works
   *
   * Scope: apps:admin. Least role: developer.
   */
  readonly post_applications_id_credentials_credentialId_test: {
    readonly params: {
      readonly id: string;
      readonly credentialId: string;
    };
    readonly response: CredentialTrial;
  };
  /**
   * `POST /v1/tokens`: Mint a widget token for one connect flow
   *
   * A backend calls this and hands the token to the browser, which never sees a key. The token ends at `expires_at`, an hour after it was minted, or with the key that minted it; because clocks differ, it is accepted for 30 seconds more. A session mints one in the test environment only: it works on the service's own pages, for the console's preview.
   *
   * Scope: connections:write. Least role: developer, in the test environment only.
   */
  readonly post_tokens: {
    readonly body: {
      /** The application whose widget the token opens */
      readonly application_id: string;
      /** Your own id of the signed-in customer: the token reaches that customer's connections and no others */
      readonly customer_ref?: string;
      /** Binds the token to this one hostname */
      readonly domain?: string;
    };
    readonly response: WidgetToken;
  };
  /**
   * `GET /v1/widget/settings`: What the widget shows and offers for its token's application
   *
   * For an API key those of the application that the key was made under.
   *
   * Scope: connections:read.
   */
  readonly get_widget_settings: {
    readonly response: WidgetSettings;
  };
  /**
   * `POST /v1/webhook-endpoints`: Register a webhook receiver
   *
   * The signing secret is in this answer and never shown again.
   *
   * Scope: apps:admin or webhooks:write. Least role: developer.
   */
  readonly post_webhook_endpoints: {
    readonly body: {
      readonly application_id: string;
      /** https; in the test environment http too */
      readonly url: string;
      /** Event kinds to receive; all of them by default */
      readonly events?: readonly (
        | "domain.added"
        | "domain.verified"
        | "ssl.issued"
        | "domain.flow.completed"
        | "domain.stalled"
        | "domain.drift"
        | "domain.restored"
        | "domain.records_changed"
        | "domain.failed"
        | "domain.archived"
        | "domain.dangling"
        | "domain.contested"
        | "domain.contest_won"
        | "domain.changed"
        | "domain.ready"
        | "domain.switching"
        | "domain.reverted"
        | "domain.expiring"
        | "certificate.at_risk"
        | "certificate.expired"
        | "certificate.recovered"
        | "certificate.foreign"
        | "origin.unreachable"
        | "origin.recovered"
        | "sending.ready"
        | "sending.accepted"
        | "sending.broken"
        | "credential.failing"
        | "credential.recovered"
        | "endpoint.disabled"
        | "*")[];
      /** How events are sent; default `standard`. `cloudflare`: as Cloudflare notifies of the certificates of custom hostnames, with the signing secret in `cf-webhook-auth` */
      readonly format?: "standard" | "cloudflare";
    };
    readonly response: WebhookEndpointWithSecret;
  };
  /**
   * `GET /v1/webhook-endpoints`: List webhook receivers, newest first
   *
   * Scope: apps:admin or webhooks:write. Least role: viewer.
   */
  readonly get_webhook_endpoints: {
    readonly query?: {
      readonly application_id?: string;
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly WebhookEndpoint[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/webhook-endpoints/{id}`: Read one webhook receiver
   *
   * Scope: apps:admin or webhooks:write. Least role: viewer.
   */
  readonly get_webhook_endpoints_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: WebhookEndpoint;
  };
  /**
   * `PATCH /v1/webhook-endpoints/{id}`: Change a webhook receiver, or switch it off and on
   *
   * Scope: apps:admin or webhooks:write. Least role: developer.
   */
  readonly patch_webhook_endpoints_id: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      readonly url?: string;
      readonly events?: readonly (
        | "domain.added"
        | "domain.verified"
        | "ssl.issued"
        | "domain.flow.completed"
        | "domain.stalled"
        | "domain.drift"
        | "domain.restored"
        | "domain.records_changed"
        | "domain.failed"
        | "domain.archived"
        | "domain.dangling"
        | "domain.contested"
        | "domain.contest_won"
        | "domain.changed"
        | "domain.ready"
        | "domain.switching"
        | "domain.reverted"
        | "domain.expiring"
        | "certificate.at_risk"
        | "certificate.expired"
        | "certificate.recovered"
        | "certificate.foreign"
        | "origin.unreachable"
        | "origin.recovered"
        | "sending.ready"
        | "sending.accepted"
        | "sending.broken"
        | "credential.failing"
        | "credential.recovered"
        | "endpoint.disabled"
        | "*")[];
      readonly format?: "standard" | "cloudflare";
      readonly active?: boolean;
    };
    readonly response: WebhookEndpoint;
  };
  /**
   * `DELETE /v1/webhook-endpoints/{id}`: Delete a webhook receiver with its log
   *
   * Scope: apps:admin or webhooks:write. Least role: developer.
   */
  readonly delete_webhook_endpoints_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: undefined;
  };
  /**
   * `POST /v1/webhook-endpoints/{id}/rotate-secret`: Give a receiver a new signing secret
   *
   * The new one signs at once; for 24 hours the old one signs too.
   *
   * Scope: apps:admin or webhooks:write. Least role: developer.
   */
  readonly post_webhook_endpoints_id_rotate_secret: {
    readonly params: {
      readonly id: string;
    };
    readonly response: WebhookEndpointWithSecret;
  };
  /**
   * `POST /v1/webhook-endpoints/{id}/test`: Send a test event to a receiver
   *
   * Scope: apps:admin or webhooks:write. Least role: developer.
   */
  readonly post_webhook_endpoints_id_test: {
    readonly params: {
      readonly id: string;
    };
    readonly response: Delivery;
  };
  /**
   * `GET /v1/webhook-endpoints/{id}/deliveries`: The delivery log of a receiver, with every attempt
   *
   * Scope: apps:admin or webhooks:write. Least role: viewer.
   */
  readonly get_webhook_endpoints_id_deliveries: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly Delivery[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay`: Send one delivery again
   *
   * Same event id and bytes, signed with a fresh timestamp.
   *
   * Scope: apps:admin or webhooks:write. Least role: support.
   */
  readonly post_webhook_endpoints_id_deliveries_deliveryId_replay: {
    readonly params: {
      readonly id: string;
      readonly deliveryId: string;
    };
    readonly response: Delivery;
  };
  /**
   * `POST /v1/webhook-endpoints/{id}/replay`: Send every event since a time again
   *
   * The first thousand events are queued at once. When there are more, `complete` is false, and the receiver's `replay` shows the progress.
   *
   * Scope: apps:admin or webhooks:write. Least role: support.
   */
  readonly post_webhook_endpoints_id_replay: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      /** Events of this time and later are sent again */
      readonly since: string;
      /** Only deliveries that the receiver did not take, of this time and later */
      readonly failed_only?: boolean;
      /** Only events of this kind */
      readonly event_type?:
        | "domain.added"
        | "domain.verified"
        | "ssl.issued"
        | "domain.flow.completed"
        | "domain.stalled"
        | "domain.drift"
        | "domain.restored"
        | "domain.records_changed"
        | "domain.failed"
        | "domain.archived"
        | "domain.dangling"
        | "domain.contested"
        | "domain.contest_won"
        | "domain.changed"
        | "domain.ready"
        | "domain.switching"
        | "domain.reverted"
        | "domain.expiring"
        | "certificate.at_risk"
        | "certificate.expired"
        | "certificate.recovered"
        | "certificate.foreign"
        | "origin.unreachable"
        | "origin.recovered"
        | "sending.ready"
        | "sending.accepted"
        | "sending.broken"
        | "credential.failing"
        | "credential.recovered"
        | "endpoint.disabled";
    };
    readonly response: ReplayResult;
  };
  /**
   * `GET /v1/deliveries`: List deliveries to all receivers, newest first
   *
   * Scope: apps:admin or webhooks:write. Least role: viewer.
   */
  readonly get_deliveries: {
    readonly query?: {
      readonly status?: "pending" | "delivered" | "failed" | "exhausted";
      readonly endpoint_id?: string;
      readonly connection_id?: string;
      /** Only those about this domain */
      readonly hostname?: string;
      readonly event_type?: string;
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly ListedDelivery[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/deliveries/{id}`: Read one delivery with what was sent
   *
   * Scope: apps:admin or webhooks:write. Least role: viewer.
   */
  readonly get_deliveries_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: DeliveryDetail;
  };
  /**
   * `GET /v1/events`: List events, newest first
   *
   * The bodies that webhook receivers get, whether or not there is one. Stored for 90 days, unless the operator has set another time.
   *
   * Scope: connections:read or webhooks:write. Least role: viewer.
   */
  readonly get_events: {
    readonly query?: {
      readonly application_id?: string;
      /** Only events of this kind */
      readonly type?:
        | "domain.added"
        | "domain.verified"
        | "ssl.issued"
        | "domain.flow.completed"
        | "domain.stalled"
        | "domain.drift"
        | "domain.restored"
        | "domain.records_changed"
        | "domain.failed"
        | "domain.archived"
        | "domain.dangling"
        | "domain.contested"
        | "domain.contest_won"
        | "domain.changed"
        | "domain.ready"
        | "domain.switching"
        | "domain.reverted"
        | "domain.expiring"
        | "certificate.at_risk"
        | "certificate.expired"
        | "certificate.recovered"
        | "certificate.foreign"
        | "origin.unreachable"
        | "origin.recovered"
        | "sending.ready"
        | "sending.accepted"
        | "sending.broken"
        | "credential.failing"
        | "credential.recovered"
        | "endpoint.disabled"
        | "endpoint.test";
      /** Only events of this customer's connections */
      readonly customer_ref?: string;
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly EventEnvelope[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/events:stream`: Events as they happen, as server-sent events
   *
   * Each has the event's id, its kind as the event's name and the body that webhook receivers get as its data. A stream that breaks is resumed by `Last-Event-ID`, or by `after`, without a gap. It ends when the credential does. At most ten at once for a key or session.
   *
   * Scope: connections:read or webhooks:write. Least role: viewer.
   */
  readonly get_events_stream: {
    readonly query?: {
      readonly application_id?: string;
      /** Only events about this connection */
      readonly connection_id?: string;
      /** Begin after this event; a browser says the same in `Last-Event-ID` */
      readonly after?: string;
    };
    readonly response: undefined;
  };
  /**
   * `POST /v1/domains:check`: Detect a domain's DNS provider and how it can be set up
   *
   * Read-only, and answered within three seconds: what DNS did not answer by then is unknown, and a warning says so.
   *
   * Scope: connections:read or connections:write. Least role: support.
   */
  readonly post_domains_check: {
    readonly body: {
      /** The hostname that is to be connected */
      readonly domain: string;
      /** Whose record template to check against; a widget token implies its own */
      readonly application_id?: string;
      /** Whose it would be; a widget token implies its own */
      readonly customer_ref?: string;
    };
    readonly response: DomainCheck;
  };
  /**
   * `POST /v1/email/records`: Generate the mail records of a domain for a mailbox provider
   *
   * Reads and writes no DNS. What only the provider's console knows is left out, and a note says where it is found.
   *
   * Scope: connections:read or connections:write. Least role: viewer.
   */
  readonly post_email_records: {
    readonly body: {
      /** The part of the addresses behind the @ */
      readonly domain: string;
      /** A mailbox provider */
      readonly provider:
        | "google_workspace"
        | "google"
        | "microsoft_365"
        | "microsoft365"
        | "zoho"
        | "fastmail"
        | "proton"
        | "icloud";
      /** What only the mailbox provider's console knows, by name; see the guide to email */
      readonly inputs?: { readonly [key: string]: string } | null;
    };
    readonly response: EmailRecords;
  };
  /**
   * `GET /v1/providers`: The DNS providers we know, and what each can do
   *
   * Scope: any. Least role: viewer.
   */
  readonly get_providers: {
    readonly response: {
      readonly data: readonly Provider[];
    };
  };
  /**
   * `GET /v1/connections/{id}/traffic`: What visitors asked of a connection's name, by hour or day
   *
   * As the edges counted it, at most two minutes ago. An hour of which not all is known says so, and one of which nothing is known has no numbers.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_connections_id_traffic: {
    readonly params: {
      readonly id: string;
    };
    readonly query?: {
      /** Rounded down to the hour or the day (UTC); by default 24 hours ago, by day 30 days ago */
      readonly from?: string;
      /** Rounded up in the same way; by default now */
      readonly to?: string;
      /**
       * Hours are stored for 35 days, days for 400
       *
       * Default: `"hour"`
       */
      readonly step?: "hour" | "day";
    };
    readonly response: ConnectionTraffic;
  };
  /**
   * `GET /v1/traffic`: What visitors asked of all names, and which names or applications had the most
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_traffic: {
    readonly query?: {
      /** Rounded down to the hour or the day (UTC); by default 24 hours ago, by day 30 days ago */
      readonly from?: string;
      /** Rounded up in the same way; by default now */
      readonly to?: string;
      /**
       * Hours are stored for 35 days, days for 400
       *
       * Default: `"hour"`
       */
      readonly step?: "hour" | "day";
      /** Default: `"connection"` */
      readonly group_by?: "connection" | "application";
      /**
       * By what the first 100 are chosen: `errors` are answers of class 5xx
       *
       * Default: `"requests"`
       */
      readonly sort?: "requests" | "errors" | "bytes";
      /** Of this application only */
      readonly application_id?: string;
    };
    readonly response: Traffic;
  };
  /**
   * `GET /v1/usage`: Metered counters of a month
   *
   * Scope: usage:read or connections:read. Least role: viewer.
   */
  readonly get_usage: {
    readonly query?: {
      /** A month as YYYY-MM; by default the current one (UTC) */
      readonly period?: string;
    };
    readonly response: Usage;
  };
  /**
   * `GET /v1/plans`: The plans on offer
   *
   * Scope: any. Least role: viewer.
   */
  readonly get_plans: {
    readonly response: {
      readonly data: readonly Plan[];
    };
  };
  /**
   * `GET /v1/subscription`: The tenant's subscription
   *
   * It belongs to the tenant: keys of both environments see the same one.
   *
   * Scope: apps:admin or usage:read. Least role: viewer.
   */
  readonly get_subscription: {
    readonly response: Subscription;
  };
  /**
   * `POST /v1/subscriptions`: Open a checkout for a plan
   *
   * The plan changes when the checkout is completed; a subscription to another plan is then ended and its rest credited. Subscriptions belong to the tenant, so keys of both environments may open one; whether money moves is decided by the operator's billing account.
   *
   * Scope: apps:admin. Least role: owner.
   */
  readonly post_subscriptions: {
    readonly body: {
      /** The id of a plan with a price, from GET /v1/plans */
      readonly plan: string;
    };
    readonly response: Checkout;
  };
  /**
   * `GET /v1/sandbox/zones`: List the tenant's sandbox zones, newest first
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_sandbox_zones: {
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly SandboxZoneSummary[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/sandbox/zones/{zone}/records`: Get what a sandbox zone holds
   *
   * A zone that has not been written yet is empty.
   *
   * Scope: connections:read. Least role: viewer.
   */
  readonly get_sandbox_zones_zone_records: {
    readonly params: {
      /** A name directly under `.test` */
      readonly zone: string;
    };
    readonly response: SandboxZone;
  };
  /**
   * `PUT /v1/sandbox/zones/{zone}/records`: Replace what a sandbox zone holds
   *
   * The first tenant to write a zone owns it. Connections under it are checked again at once.
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly put_sandbox_zones_zone_records: {
    readonly params: {
      /** A name directly under `.test` */
      readonly zone: string;
    };
    readonly body: {
      /** All records of the zone; records that are not listed are removed */
      readonly records: readonly {
        /** Absolute, or relative to the zone; `@` is the zone itself, `*` its wildcard */
        readonly host: string;
        /** One of A, AAAA, CNAME, ALIAS, TXT, MX, CAA, NS, SRV */
        readonly type: string;
        readonly value: string;
        /** Seconds; 60 by default */
        readonly ttl?: number | null;
        /** MX and SRV only */
        readonly priority?: number | null;
      }[];
      /** The zone's apparent servers, from which its provider is detected; the sandbox's by default */
      readonly nameservers?: readonly string[] | null;
    };
    readonly response: SandboxZone;
  };
  /**
   * `DELETE /v1/sandbox/zones/{zone}/records`: Empty a sandbox zone and give it up
   *
   * Scope: connections:write. Least role: developer.
   */
  readonly delete_sandbox_zones_zone_records: {
    readonly params: {
      /** A name directly under `.test` */
      readonly zone: string;
    };
    readonly response: undefined;
  };
  /**
   * `GET /v1/session`: Who is signed in
   *
   * In a session only.
   */
  readonly get_session: {
    readonly response: Session;
  };
  /**
   * `DELETE /v1/session`: Sign out
   *
   * In a session only.
   */
  readonly delete_session: {
    readonly response: undefined;
  };
  /**
   * `GET /v1/sessions`: List the open sessions: your own, as an admin all
   *
   * In a session only. Least role: viewer.
   */
  readonly get_sessions: {
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly ListedSession[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `DELETE /v1/sessions/{id}`: End a session
   *
   * Its next request is refused, in every tab. As an admin also those of others.
   *
   * In a session only. Least role: viewer.
   */
  readonly delete_sessions_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: undefined;
  };
  /**
   * `POST /v1/members/{id}/invitation`: Invite a member again
   *
   * Gives a new link, for an invitation that has ended or was lost. Links from before stop working. To withdraw an invitation, remove the member.
   *
   * In a session only. Least role: admin.
   */
  readonly post_members_id_invitation: {
    readonly params: {
      readonly id: string;
    };
    readonly response: NewMember;
  };
  /**
   * `POST /v1/members`: Invite a member
   *
   * Nobody grants a role above their own. The member signs in by the link in the answer, or with OpenID Connect and this mail address.
   *
   * In a session only. Least role: admin.
   */
  readonly post_members: {
    readonly body: {
      readonly email: string;
      readonly role: "owner" | "admin" | "developer" | "support" | "viewer";
      readonly name?: string | null;
    };
    readonly response: NewMember;
  };
  /**
   * `GET /v1/members`: List the members, newest first
   *
   * In a session only. Least role: viewer.
   */
  readonly get_members: {
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly ListedMember[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `PATCH /v1/members/{id}`: Change a member's role or name
   *
   * Holds on the member's next request. The last owner cannot be lowered.
   *
   * In a session only. Least role: admin.
   */
  readonly patch_members_id: {
    readonly params: {
      readonly id: string;
    };
    readonly body: {
      readonly role?: "owner" | "admin" | "developer" | "support" | "viewer";
      readonly name?: string | null;
    };
    readonly response: Member;
  };
  /**
   * `DELETE /v1/members/{id}`: Remove a member
   *
   * Their sessions end at once. The last owner cannot be removed.
   *
   * In a session only. Least role: admin.
   */
  readonly delete_members_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: undefined;
  };
  /**
   * `POST /v1/passkeys:challenge`: Begin to add a passkey
   *
   * Give `options` to `navigator.credentials.create`. It can be used once, for five minutes.
   *
   * In a session only. Least role: viewer.
   */
  readonly post_passkeys_challenge: {
    readonly response: PasskeyChallenge;
  };
  /**
   * `POST /v1/passkeys`: Add a passkey of your own
   *
   * In a session only. Least role: viewer.
   */
  readonly post_passkeys: {
    readonly body: {
      readonly challenge_id: string;
      readonly name: string;
      /** What `navigator.credentials` gave, as `toJSON()` writes it */
      readonly response: {
        readonly id: string;
        readonly rawId: string;
      };
    };
    readonly response: Passkey;
  };
  /**
   * `GET /v1/passkeys`: List your own passkeys
   *
   * In a session only. Least role: viewer.
   */
  readonly get_passkeys: {
    readonly response: {
      readonly data: readonly Passkey[];
    };
  };
  /**
   * `DELETE /v1/passkeys/{id}`: Remove a passkey of your own
   *
   * In a session only. Least role: viewer.
   */
  readonly delete_passkeys_id: {
    readonly params: {
      readonly id: string;
    };
    readonly response: undefined;
  };
  /**
   * `GET /v1/audit`: Who changed what, newest first
   *
   * Every change has a row: of members, keys, tokens, the operator and the service itself. Those of the tenant as a whole are in both environments.
   *
   * Scope: apps:admin. Least role: admin.
   */
  readonly get_audit: {
    readonly query?: {
      /** Exactly this action, such as `api_key.create` */
      readonly action?: string;
      /** The kind of thing, with `object_id` */
      readonly object?: string;
      /** What was acted on */
      readonly object_id?: string;
      /** Alone: every actor of this kind; `member`: people only */
      readonly actor_kind?: "member" | "key" | "token" | "operator";
      /** Who acted */
      readonly actor_id?: string;
      readonly since?: string;
      readonly until?: string;
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
    };
    readonly response: {
      readonly data: readonly AuditEntry[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/operator/tenants`: Tenants with plan and usage, newest first
   *
   * In an operator's session only.
   */
  readonly get_operator_tenants: {
    readonly query?: {
      /**
       * Items on a page, 1 to 100
       *
       * Default: `20`
       */
      readonly limit?: number;
      /** `next_cursor` of the page before */
      readonly cursor?: string;
      /** A part of the tenant's name */
      readonly q?: string;
    };
    readonly response: {
      readonly data: readonly OperatorTenant[];
      /** Null on the last page */
      readonly next_cursor: string | null;
    };
  };
  /**
   * `GET /v1/operator/edges`: Edge processes that reported within a day
   *
   * In an operator's session only.
   */
  readonly get_operator_edges: {
    readonly response: {
      readonly data: readonly OperatorEdge[];
    };
  };
  /**
   * `GET /v1/operator/queues`: What is due and waits, and for how long
   *
   * In an operator's session only.
   */
  readonly get_operator_queues: {
    readonly response: {
      readonly data: readonly OperatorQueue[];
    };
  };
  /**
   * `GET /v1/operator/certificate-authorities`: What each CA has issued, what is left of its limits, and what waits for them
   *
   * In an operator's session only.
   */
  readonly get_operator_certificate_authorities: {
    readonly response: {
      readonly data: readonly OperatorCa[];
    };
  };
  /**
   * `GET /v1/operator/providers`: How DNS providers behave, over all tenants
   *
   * In an operator's session only.
   */
  readonly get_operator_providers: {
    readonly response: {
      readonly data: readonly OperatorProvider[];
    };
  };
}

export interface OperationFacts {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With each path parameter in braces. */
  readonly path: string;
  readonly hasBody: boolean;
  /** Accepts an Idempotency-Key: a repeated request gets the first response and is not executed. */
  readonly isIdempotent: boolean;
}

/** How each operation is called, by its operationId. */
export const operations: { readonly [O in keyof Operations]: OperationFacts } = {
  post_connections: {
    method: "POST",
    path: "/v1/connections",
    hasBody: true,
    isIdempotent: true,
  },
  get_connections: {
    method: "GET",
    path: "/v1/connections",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_batch: {
    method: "POST",
    path: "/v1/connections:batch",
    hasBody: true,
    isIdempotent: true,
  },
  post_connections_pair: {
    method: "POST",
    path: "/v1/connections:pair",
    hasBody: true,
    isIdempotent: true,
  },
  get_connections_summary: {
    method: "GET",
    path: "/v1/connections:summary",
    hasBody: false,
    isIdempotent: false,
  },
  get_customers: {
    method: "GET",
    path: "/v1/customers",
    hasBody: false,
    isIdempotent: false,
  },
  post_status_links: {
    method: "POST",
    path: "/v1/status-links",
    hasBody: true,
    isIdempotent: false,
  },
  get_status_links: {
    method: "GET",
    path: "/v1/status-links",
    hasBody: false,
    isIdempotent: false,
  },
  delete_status_links_id: {
    method: "DELETE",
    path: "/v1/status-links/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  get_connections_id: {
    method: "GET",
    path: "/v1/connections/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  patch_connections_id: {
    method: "PATCH",
    path: "/v1/connections/{id}",
    hasBody: true,
    isIdempotent: false,
  },
  delete_connections_id: {
    method: "DELETE",
    path: "/v1/connections/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  put_connections_id_certificate: {
    method: "PUT",
    path: "/v1/connections/{id}/certificate",
    hasBody: true,
    isIdempotent: false,
  },
  delete_connections_id_certificate: {
    method: "DELETE",
    path: "/v1/connections/{id}/certificate",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_certificate_retry: {
    method: "POST",
    path: "/v1/connections/{id}/certificate:retry",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_verify: {
    method: "POST",
    path: "/v1/connections/{id}/verify",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_records_check: {
    method: "POST",
    path: "/v1/connections/{id}/records:check",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_records_apply: {
    method: "POST",
    path: "/v1/connections/{id}/records:apply",
    hasBody: true,
    isIdempotent: false,
  },
  post_connections_id_records_revert: {
    method: "POST",
    path: "/v1/connections/{id}/records:revert",
    hasBody: true,
    isIdempotent: false,
  },
  post_connections_id_cutover: {
    method: "POST",
    path: "/v1/connections/{id}/cutover",
    hasBody: true,
    isIdempotent: false,
  },
  post_connections_id_cutover_revert: {
    method: "POST",
    path: "/v1/connections/{id}/cutover:revert",
    hasBody: true,
    isIdempotent: false,
  },
  post_connections_id_domain_connect_start: {
    method: "POST",
    path: "/v1/connections/{id}/domain-connect:start",
    hasBody: true,
    isIdempotent: false,
  },
  post_connections_id_oauth_start: {
    method: "POST",
    path: "/v1/connections/{id}/oauth:start",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_email_apply: {
    method: "POST",
    path: "/v1/connections/{id}/email:apply",
    hasBody: true,
    isIdempotent: false,
  },
  post_connections_id_sending_apply: {
    method: "POST",
    path: "/v1/connections/{id}/sending:apply",
    hasBody: true,
    isIdempotent: false,
  },
  get_connections_id_sending: {
    method: "GET",
    path: "/v1/connections/{id}/sending",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_sending_check: {
    method: "POST",
    path: "/v1/connections/{id}/sending:check",
    hasBody: false,
    isIdempotent: false,
  },
  delete_connections_id_sending_provider: {
    method: "DELETE",
    path: "/v1/connections/{id}/sending/{provider}",
    hasBody: false,
    isIdempotent: false,
  },
  get_connections_id_diagnosis: {
    method: "GET",
    path: "/v1/connections/{id}/diagnosis",
    hasBody: false,
    isIdempotent: false,
  },
  post_connections_id_share: {
    method: "POST",
    path: "/v1/connections/{id}/share",
    hasBody: false,
    isIdempotent: false,
  },
  get_connections_id_events: {
    method: "GET",
    path: "/v1/connections/{id}/events",
    hasBody: false,
    isIdempotent: false,
  },
  post_applications: {
    method: "POST",
    path: "/v1/applications",
    hasBody: true,
    isIdempotent: true,
  },
  get_applications: {
    method: "GET",
    path: "/v1/applications",
    hasBody: false,
    isIdempotent: false,
  },
  get_applications_id: {
    method: "GET",
    path: "/v1/applications/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  patch_applications_id: {
    method: "PATCH",
    path: "/v1/applications/{id}",
    hasBody: true,
    isIdempotent: false,
  },
  delete_applications_id: {
    method: "DELETE",
    path: "/v1/applications/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  get_applications_id_domain_connect_template: {
    method: "GET",
    path: "/v1/applications/{id}/domain-connect-template",
    hasBody: false,
    isIdempotent: false,
  },
  post_applications_id_keys: {
    method: "POST",
    path: "/v1/applications/{id}/keys",
    hasBody: true,
    isIdempotent: false,
  },
  get_applications_id_keys: {
    method: "GET",
    path: "/v1/applications/{id}/keys",
    hasBody: false,
    isIdempotent: false,
  },
  delete_applications_id_keys_keyId: {
    method: "DELETE",
    path: "/v1/applications/{id}/keys/{keyId}",
    hasBody: false,
    isIdempotent: false,
  },
  post_applications_id_credentials: {
    method: "POST",
    path: "/v1/applications/{id}/credentials",
    hasBody: true,
    isIdempotent: false,
  },
  get_applications_id_credentials: {
    method: "GET",
    path: "/v1/applications/{id}/credentials",
    hasBody: false,
    isIdempotent: false,
  },
  delete_applications_id_credentials_credentialId: {
    method: "DELETE",
    path: "/v1/applications/{id}/credentials/{credentialId}",
    hasBody: false,
    isIdempotent: false,
  },
  post_applications_id_credentials_credentialId_test: {
    method: "POST",
    path: "/v1/applications/{id}/credentials/{credentialId}/test",
    hasBody: false,
    isIdempotent: false,
  },
  post_tokens: {
    method: "POST",
    path: "/v1/tokens",
    hasBody: true,
    isIdempotent: false,
  },
  get_widget_settings: {
    method: "GET",
    path: "/v1/widget/settings",
    hasBody: false,
    isIdempotent: false,
  },
  post_webhook_endpoints: {
    method: "POST",
    path: "/v1/webhook-endpoints",
    hasBody: true,
    isIdempotent: false,
  },
  get_webhook_endpoints: {
    method: "GET",
    path: "/v1/webhook-endpoints",
    hasBody: false,
    isIdempotent: false,
  },
  get_webhook_endpoints_id: {
    method: "GET",
    path: "/v1/webhook-endpoints/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  patch_webhook_endpoints_id: {
    method: "PATCH",
    path: "/v1/webhook-endpoints/{id}",
    hasBody: true,
    isIdempotent: false,
  },
  delete_webhook_endpoints_id: {
    method: "DELETE",
    path: "/v1/webhook-endpoints/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  post_webhook_endpoints_id_rotate_secret: {
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    hasBody: false,
    isIdempotent: false,
  },
  post_webhook_endpoints_id_test: {
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/test",
    hasBody: false,
    isIdempotent: false,
  },
  get_webhook_endpoints_id_deliveries: {
    method: "GET",
    path: "/v1/webhook-endpoints/{id}/deliveries",
    hasBody: false,
    isIdempotent: false,
  },
  post_webhook_endpoints_id_deliveries_deliveryId_replay: {
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay",
    hasBody: false,
    isIdempotent: false,
  },
  post_webhook_endpoints_id_replay: {
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/replay",
    hasBody: true,
    isIdempotent: false,
  },
  get_deliveries: {
    method: "GET",
    path: "/v1/deliveries",
    hasBody: false,
    isIdempotent: false,
  },
  get_deliveries_id: {
    method: "GET",
    path: "/v1/deliveries/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  get_events: {
    method: "GET",
    path: "/v1/events",
    hasBody: false,
    isIdempotent: false,
  },
  get_events_stream: {
    method: "GET",
    path: "/v1/events:stream",
    hasBody: false,
    isIdempotent: false,
  },
  post_domains_check: {
    method: "POST",
    path: "/v1/domains:check",
    hasBody: true,
    isIdempotent: false,
  },
  post_email_records: {
    method: "POST",
    path: "/v1/email/records",
    hasBody: true,
    isIdempotent: false,
  },
  get_providers: {
    method: "GET",
    path: "/v1/providers",
    hasBody: false,
    isIdempotent: false,
  },
  get_connections_id_traffic: {
    method: "GET",
    path: "/v1/connections/{id}/traffic",
    hasBody: false,
    isIdempotent: false,
  },
  get_traffic: {
    method: "GET",
    path: "/v1/traffic",
    hasBody: false,
    isIdempotent: false,
  },
  get_usage: {
    method: "GET",
    path: "/v1/usage",
    hasBody: false,
    isIdempotent: false,
  },
  get_plans: {
    method: "GET",
    path: "/v1/plans",
    hasBody: false,
    isIdempotent: false,
  },
  get_subscription: {
    method: "GET",
    path: "/v1/subscription",
    hasBody: false,
    isIdempotent: false,
  },
  post_subscriptions: {
    method: "POST",
    path: "/v1/subscriptions",
    hasBody: true,
    isIdempotent: true,
  },
  get_sandbox_zones: {
    method: "GET",
    path: "/v1/sandbox/zones",
    hasBody: false,
    isIdempotent: false,
  },
  get_sandbox_zones_zone_records: {
    method: "GET",
    path: "/v1/sandbox/zones/{zone}/records",
    hasBody: false,
    isIdempotent: false,
  },
  put_sandbox_zones_zone_records: {
    method: "PUT",
    path: "/v1/sandbox/zones/{zone}/records",
    hasBody: true,
    isIdempotent: false,
  },
  delete_sandbox_zones_zone_records: {
    method: "DELETE",
    path: "/v1/sandbox/zones/{zone}/records",
    hasBody: false,
    isIdempotent: false,
  },
  get_session: {
    method: "GET",
    path: "/v1/session",
    hasBody: false,
    isIdempotent: false,
  },
  delete_session: {
    method: "DELETE",
    path: "/v1/session",
    hasBody: false,
    isIdempotent: false,
  },
  get_sessions: {
    method: "GET",
    path: "/v1/sessions",
    hasBody: false,
    isIdempotent: false,
  },
  delete_sessions_id: {
    method: "DELETE",
    path: "/v1/sessions/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  post_members_id_invitation: {
    method: "POST",
    path: "/v1/members/{id}/invitation",
    hasBody: false,
    isIdempotent: false,
  },
  post_members: {
    method: "POST",
    path: "/v1/members",
    hasBody: true,
    isIdempotent: false,
  },
  get_members: {
    method: "GET",
    path: "/v1/members",
    hasBody: false,
    isIdempotent: false,
  },
  patch_members_id: {
    method: "PATCH",
    path: "/v1/members/{id}",
    hasBody: true,
    isIdempotent: false,
  },
  delete_members_id: {
    method: "DELETE",
    path: "/v1/members/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  post_passkeys_challenge: {
    method: "POST",
    path: "/v1/passkeys:challenge",
    hasBody: false,
    isIdempotent: false,
  },
  post_passkeys: {
    method: "POST",
    path: "/v1/passkeys",
    hasBody: true,
    isIdempotent: false,
  },
  get_passkeys: {
    method: "GET",
    path: "/v1/passkeys",
    hasBody: false,
    isIdempotent: false,
  },
  delete_passkeys_id: {
    method: "DELETE",
    path: "/v1/passkeys/{id}",
    hasBody: false,
    isIdempotent: false,
  },
  get_audit: {
    method: "GET",
    path: "/v1/audit",
    hasBody: false,
    isIdempotent: false,
  },
  get_operator_tenants: {
    method: "GET",
    path: "/v1/operator/tenants",
    hasBody: false,
    isIdempotent: false,
  },
  get_operator_edges: {
    method: "GET",
    path: "/v1/operator/edges",
    hasBody: false,
    isIdempotent: false,
  },
  get_operator_queues: {
    method: "GET",
    path: "/v1/operator/queues",
    hasBody: false,
    isIdempotent: false,
  },
  get_operator_certificate_authorities: {
    method: "GET",
    path: "/v1/operator/certificate-authorities",
    hasBody: false,
    isIdempotent: false,
  },
  get_operator_providers: {
    method: "GET",
    path: "/v1/operator/providers",
    hasBody: false,
    isIdempotent: false,
  },
};
