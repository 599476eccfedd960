import type {
  ConnectionDetail,
  Diagnosis,
  DomainCheck,
  EmailApply,
  RecordCheck,
  RecordPlan,
  SendingDomain,
  SetupGuide,
  WidgetSettings,
} from "@mooring/sdk";

/** Complete sample responses; each test overrides the fields that it is about. */
export const connectionId = "019a8400-0000-7000-8000-000000000001";
export const applicationId = "019a8400-0000-7000-8000-0000000000aa";

export function sampleCheck(input: Partial<DomainCheck> = {}): DomainCheck {
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
    zone: "acme.com",
    subdomain: "shop",
    public_suffix: "com",
    dnssec: "unsigned",
    caa_allows: true,
    warnings: [],
    warning_details: [],
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
    claim: "free",
    pair: null,
    record_form: {
      host_label: "Name",
      value_label: "Content",
      ttl_label: "TTL",
      host_style: "relative",
      apex_host: "@",
      apex_type: "CNAME",
      minimum_ttl: 60,
      target_dot: false,
    },
    guide: sampleGuide(input),
    proof: { method: "cname", prepared: "delegation" },
    ...input,
  };
}

/** As the service makes it of the other fields. */
function sampleGuide({ domain_connect, credential_fields }: Partial<DomainCheck>): SetupGuide {
  const hasToken = credential_fields === undefined || credential_fields.length > 0;
  return {
    ways: [
      ...(domain_connect === true ? (["domain_connect"] as const) : []),
      ...(hasToken ? (["token"] as const) : []),
      "manual",
    ],
    token: hasToken
      ? {
          url: "https://dash.cloudflare.com/profile/api-tokens",
          alternatives: [],
          steps: [
            { action: "press", label: "Create Token" },
            { action: "choose", label: "Edit zone DNS" },
            { action: "permit", label: "Zone · DNS · Edit, Zone · Zone · Read" },
            { action: "limit", label: "Zone Resources" },
            { action: "press", label: "Continue to summary" },
            { action: "copy", label: "" },
          ],
          addresses: [],
        }
      : null,
    manual: {
      url: "https://dash.cloudflare.com/?to=/:account/acme.com/dns/records",
      zone_page: true,
      path: ["DNS", "Records"],
      add_label: "Add record",
      save_label: "Save",
      notes: ["proxy_off"],
    },
  };
}

export const sampleTarget = "qk7f3xm2vd5hzt6ycr4lwbs3np.edge.mooring.example";

type NeededRecord = ConnectionDetail["needed_records"][number];

const sampleChallenge = "service-verify=q3vJ8sXc1Zk0mF7tYw2Lh9RbN4pUaE6gKdVxSoTiQyM";

/** The TXT record that is asked for where no other one proves ownership. */
export function sampleProof(hostname = "shop.acme.com", optional = false): NeededRecord {
  const host = `_service-challenge.${hostname}`;
  const record = { host, type: "TXT", value: sampleChallenge, ttl: 300, priority: null };
  return { ...record, purpose: "ownership", optional };
}

/** As the service makes it of the records, where no record of its own proves ownership. */
export function sampleNeeded(records: ConnectionDetail["desired_records"]): NeededRecord[] {
  return records.map((record) => ({ ...record, purpose: "traffic", optional: false }));
}

const unproven: readonly string[] = ["created", "pending_ownership", "verifying", "failed"];

function isProven(state: ConnectionDetail["state"] = "pending_ownership"): boolean {
  return !unproven.includes(state) && state !== "archived";
}

/** A subdomain whose one record leads to us and proves ownership. */
export function sampleConnection(input: Partial<ConnectionDetail> = {}): ConnectionDetail {
  const hostname = input.hostname ?? "shop.acme.com";
  const desired = input.desired_records ?? [
    { host: hostname, type: "CNAME", value: sampleTarget, ttl: 300, priority: null },
  ];
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
    wildcard: hostname.startsWith("*."),
    cutover: null,
    contest: null,
    redirect_to: null,
    origin_url: null,
    origin_host_header: null,
    edge: null,
    proxied: null,
    registration: null,
    customer_ref: null,
    created_at: "2026-11-15T05:00:00.000Z",
    ownership_challenge: {
      name: `_service-challenge.${hostname}`,
      value: sampleChallenge,
    },
    ownership: isProven(input.state)
      ? { method: "cname", proven_at: "2026-11-15T05:00:30.000Z" }
      : null,
    target: sampleTarget,
    needed_records: sampleNeeded(input.pending_records ?? desired),
    desired_records: desired,
    pending_records: null,
    observed_records: [],
    observed_truncated: false,
    observed_omitted: 0,
    validation: null,
    dangling: false,
    partner_id: null,
    certificate: {
      status: "none",
      not_after: null,
      ca: null,
      source: null,
      fingerprint: null,
      next_attempt_at: null,
      last_error: null,
    },
    ...input,
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

export function sampleSettings(input: Partial<WidgetSettings> = {}): WidgetSettings {
  return {
    application_name: "Acme application",
    brand: null,
    environment: "test",
    languages: ["en"],
    features: {
      pair: false,
      wildcard: false,
      cutover: false,
      email: true,
      disconnect: false,
      oauth: [],
      oauth_retained: false,
    },
    ...input,
  };
}

/** The response of a check of the records. */
export function sampleChecked(isFound: boolean) {
  return {
    records: sampleRecords(isFound),
    ownership: null,
    early: false,
    checked_at: "2026-11-15T05:01:00.000Z",
    next_check_at: "2026-11-15T05:06:00.000Z",
  };
}

export function samplePlan(input: Partial<RecordPlan> = {}): RecordPlan {
  const { desired_records: desired } = sampleConnection();
  return {
    dry_run: true,
    applied: false,
    provider: "cloudflare",
    zone: "acme.com",
    changes: desired.map((record, index) => ({
      id: `change-${index}`,
      action: "create",
      record,
      existing: [],
      reason: "it is not there",
      conflict: null,
      replaceable: false,
    })),
    notes: [],
    ...input,
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
            conflict: "other_records",
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
    early: false,
    summary: "One record points elsewhere; the manager of acme.com's DNS can change it.",
    findings: [
      {
        code: "record_mismatch",
        severity: "error",
        title: "shop.acme.com points somewhere else",
        evidence: ["ada.ns.cloudflare.com says CNAME old.example.net"],
        actor: "end_customer",
        fix: `Change the CNAME record with the name shop: its Target is ${sampleTarget}.`,
        params: {
          domain: "shop.acme.com",
          zone: "acme.com",
          provider: "Cloudflare",
          name: "shop.acme.com",
          observed: "old.example.net",
        },
        add_records: [
          {
            host: "shop.acme.com",
            type: "CNAME",
            value: sampleTarget,
            ttl: 300,
            priority: null,
          },
        ],
        remove_records: [
          {
            host: "shop.acme.com",
            type: "CNAME",
            value: "old.example.net",
            ttl: 300,
            priority: null,
          },
        ],
        texts: {
          end_customer: {
            title: "shop.acme.com leads somewhere else",
            fix: "At Cloudflare, replace what is at shop.acme.com (old.example.net) by what is shown here.",
          },
          tenant: null,
          operator: null,
        },
      },
    ],
    records: [],
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
    spf: {
      action: "replace",
      current: "v=spf1 a ~all",
      value: "v=spf1 include:_spf.google.com ~all",
    },
    notes: ["Create the mailboxes at Google before you direct mail there."],
    note_details: [
      {
        code: "first_google",
        params: {},
        message: "Create your mailboxes at Google before you direct mail there.",
      },
    ],
  };
}

export function sampleSending(): SendingDomain {
  const record = (host: string, value: string) => ({
    host: `${host}.acme.com`,
    type: "CNAME",
    value,
    ttl: 3_600,
    priority: null,
    ...({ action: "written", status: "right" } as const),
  });
  const target = "u1234567.wl123.sendgrid.net";
  return {
    provider: "sendgrid",
    domain: "acme.com",
    status: "ready",
    records: [
      { ...record("em42", target), role: "return_path" },
      { ...record("s1._domainkey", `s1.domainkey.${target}`), role: "dkim" },
      { ...record("s2._domainkey", `s2.domainkey.${target}`), role: "dkim", action: "manual" },
    ],
    spf: null,
    notes: [],
    note_details: [],
    reads_account: false,
    account_error: null,
    checked_at: "2026-11-15T05:00:00.000Z",
    next_check_at: null,
    ready_at: "2026-11-15T05:00:00.000Z",
    accepted_at: null,
    created_at: "2026-11-15T05:00:00.000Z",
  };
}
