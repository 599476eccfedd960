const applicationId = "0198f0aa-1b20-7e44-9c55-70d1f3b8a612";
const credential = { provider: "cloudflare", fields: { api_token: "the provider's token" } };

/**
 * Requests as a tenant sends them, by operationId. A test parses each with the schema that
 * validates.
 */
export const requestExamples: Readonly<Record<string, unknown>> = {
  post_connections: {
    application_id: applicationId,
    hostname: "shop.example.com",
    customer_ref: "customer-42",
  },
  post_connections_batch: {
    application_id: applicationId,
    hostnames: ["shop.example.com", "store.example.org"],
    customer_ref: "customer-42",
  },
  post_connections_pair: {
    application_id: applicationId,
    hostname: "example.com",
    canonical: "www",
    customer_ref: "customer-42",
  },
  patch_connections_id: { origin_url: "https://eu.origin.example.com" },
  put_connections_id_certificate: {
    certificate: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n",
    private_key: "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
  },
  post_connections_id_records_apply: { ...credential, dry_run: true },
  post_connections_id_records_revert: credential,
  post_connections_id_cutover: { ...credential, accept: ["origin"] },
  post_connections_id_cutover_revert: credential,
  post_connections_id_domain_connect_start: { redirect_uri: "https://app.example.com/settings" },
  post_connections_id_email_apply: { provider: "google_workspace" },
  post_applications: {
    name: "Acme Shops",
    origin_url: "https://origin.example.com",
    allowed_origins: ["https://app.example.com"],
  },
  patch_applications_id: {
    allowed_origins: ["https://app.example.com", "https://admin.example.com"],
    brand: { name: "Acme Shops", color: "#0b7285" },
  },
  post_applications_id_keys: { name: "backend", scopes: ["connections:read", "connections:write"] },
  post_applications_id_credentials: { name: "our zones", ...credential },
  post_tokens: { application_id: applicationId, customer_ref: "customer-42" },
  post_webhook_endpoints: {
    application_id: applicationId,
    url: "https://app.example.com/webhooks",
    events: ["domain.flow.completed", "domain.drift"],
  },
  patch_webhook_endpoints_id: { active: true },
  post_webhook_endpoints_id_replay: { since: "2026-11-15T00:00:00.000Z", failed_only: true },
  post_domains_check: { domain: "shop.example.com", application_id: applicationId },
  post_email_records: { domain: "example.com", provider: "google_workspace" },
  post_subscriptions: { plan: "growth" },
  put_sandbox_zones_zone_records: {
    records: [
      { host: "shop", type: "CNAME", value: "qk7f3xm2vd5hzt6ycr4lwbs3np.edge.example.net" },
    ],
  },
  post_members: { email: "dana@example.com", role: "developer", name: "Dana" },
  patch_members_id: { role: "support" },
};
