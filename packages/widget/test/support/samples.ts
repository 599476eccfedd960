import type {
  ConnectionDetail,
  Diagnosis,
  DomainCheck,
  EmailApply,
  RecordCheck,
  RecordPlan,
} from "@mooring/sdk";

/** Complete sample responses; each test overrides the fields that it is about. */
export const connectionId = "019a8400-0000-7000-8000-000000000001";
export const applicationId = "019a8400-0000-7000-8000-0000000000aa";

export function sampleCheck(given: Partial<DomainCheck> = {}): DomainCheck {
  return {
    domain: "shop.acme.com",
    registered: true,
    provider: "Cloudflare",
    provider_slug: "cloudflare",
    setup_type: "automatic",
    apex_flattening: true,
    nameserver: "ada.ns.cloudflare.com",
    apex: false,
    auto_configurable: true,
    www_redirect_recommended: false,
    capabilities: {
      cname_flattening: true,
      wildcard: true,
      caa: true,
      multi_txt: true,
      ns_delegation: true,
    },
    record_conflicts: [],
    domain_connect: false,
    registrable_domain: "acme.com",
    subdomain: "shop",
    public_suffix: "com",
    dnssec: "unsigned",
    caa_allows: true,
    warnings: [],
    in_use: null,
    credential_fields: [
      {
        key: "api_token",
        label: "API token",
        secret: true,
        required: true,
        help_url: "https://dash.cloudflare.com/profile/api-tokens",
      },
    ],
    credential_help:
      'Create a token from the template "Edit zone DNS" and limit its resources to the one zone. It needs Zone · DNS · Edit and Zone · Zone · Read, nothing else.',
    record_form: {
      host_label: "Name",
      value_label: "Content",
      ttl_label: "TTL",
      host_style: "relative",
      apex_host: "@",
      apex_type: "CNAME",
    },
    ...given,
  };
}

export function sampleConnection(given: Partial<ConnectionDetail> = {}): ConnectionDetail {
  const hostname = given.hostname ?? "shop.acme.com";
  return {
    id: connectionId,
    application_id: applicationId,
    hostname,
    kind: "subdomain",
    setup_type: "automatic",
    state: "pending_ownership",
    provider: "cloudflare",
    batch_id: null,
    error_code: null,
    wildcard: false,
    cutover: null,
    contest: null,
    redirect_to: null,
    origin_url: null,
    origin_host_header: null,
    created_at: "2026-11-15T05:00:00.000Z",
    ownership_challenge: {
      name: `_service-challenge.${hostname}`,
      value: "service-verify=q3vJ8sXc1Zk0mF7tYw2Lh9RbN4pUaE6gKdVxSoTiQyM",
    },
    desired_records: [
      { host: hostname, type: "CNAME", value: "edge.mooring.example", ttl: 300, priority: null },
    ],
    pending_records: null,
    observed_records: [],
    observed_truncated: false,
    observed_omitted: 0,
    validation: null,
    certificate: {
      status: "none",
      not_after: null,
      ca: null,
      source: null,
      fingerprint: null,
      next_attempt_at: null,
    },
    ...given,
  };
}

export function sampleRecords(isFound: boolean): readonly RecordCheck[] {
  return sampleConnection().desired_records.map((record) => ({
    ...record,
    propagated: isFound,
    observed_value: isFound ? record.value : null,
    observed_truncated: false,
  }));
}

export function samplePlan(given: Partial<RecordPlan> = {}): RecordPlan {
  const { ownership_challenge: challenge, desired_records: desired } = sampleConnection();
  const proof = {
    host: challenge.name,
    type: "TXT",
    value: challenge.value,
    ttl: 300,
    priority: null,
  };
  return {
    dry_run: true,
    applied: false,
    provider: "cloudflare",
    zone: "acme.com",
    changes: [proof, ...desired].map((record, index) => ({
      id: `change-${index}`,
      action: "create",
      record,
      existing: [],
      reason: "it is not there",
      replaceable: false,
    })),
    notes: [],
    ...given,
  };
}

export function sampleConflict(): RecordPlan {
  const plan = samplePlan();
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      change.record.type === "CNAME"
        ? {
            ...change,
            action: "conflict",
            replaceable: true,
            existing: [
              {
                host: "shop.acme.com",
                type: "A",
                value: "203.0.113.7",
                ttl: 3_600,
                priority: null,
              },
            ],
          }
        : change,
    ),
  };
}

export function sampleDiagnosis(): Diagnosis {
  return {
    connection_id: connectionId,
    checked_at: "2026-11-15T05:01:00.000Z",
    summary: "One record points elsewhere; the manager of acme.com's DNS can change it.",
    findings: [
      {
        code: "record_mismatch",
        severity: "error",
        title: "shop.acme.com points somewhere else",
        evidence: ["ada.ns.cloudflare.com says CNAME old.example.net"],
        actor: "end_customer",
        fix: "Change the CNAME record with the name shop: its Target is edge.mooring.example.",
      },
    ],
  };
}

export function sampleEmail(): EmailApply {
  return {
    applied: true,
    domain: "acme.com",
    provider: "google_workspace",
    written_records: [
      { host: "acme.com", type: "MX", value: "smtp.google.com", ttl: 3_600, priority: 1 },
      {
        host: "_dmarc.acme.com",
        type: "TXT",
        value: "v=DMARC1; p=none; rua=mailto:postmaster@acme.com",
        ttl: 3_600,
        priority: null,
      },
    ],
    manual_records: [
      {
        host: "acme.com",
        type: "TXT",
        value: "v=spf1 include:_spf.google.com ~all",
        ttl: 3_600,
        priority: null,
      },
    ],
    notes: ["Turn DKIM on in the Google Admin console and add the key that it shows."],
  };
}
