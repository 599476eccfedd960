import type { Api, BodyOf, CallOptions, IdempotentOptions, QueryOf } from "./api.ts";
import { type Listing, listing } from "./listing.ts";
import type {
  ApiKey,
  Application,
  Credential,
  Customer,
  Delivery,
  ListedConnection,
  SandboxZoneSummary,
  TimelineEntry,
  WebhookEndpoint,
} from "./schema.gen.ts";

export type CreateConnection = BodyOf<"post_connections">;
export type CreateConnectionBatch = BodyOf<"post_connections_batch">;
export type CreateConnectionPair = BodyOf<"post_connections_pair">;
export type ApplyRecords = BodyOf<"post_connections_id_records_apply">;
export type StartDomainConnect = BodyOf<"post_connections_id_domain_connect_start">;
export type RevertRecords = BodyOf<"post_connections_id_records_revert">;
export type SwitchCutover = BodyOf<"post_connections_id_cutover">;
export type RevertCutover = BodyOf<"post_connections_id_cutover_revert">;
export type SetCertificate = BodyOf<"put_connections_id_certificate">;
export type UpdateConnection = BodyOf<"patch_connections_id">;
export type DeleteConnection = QueryOf<"delete_connections_id">;
export type CheckRecords = QueryOf<"post_connections_id_records_check">;
export type ListConnections = QueryOf<"get_connections">;
export type ListCustomers = QueryOf<"get_customers">;
export type ListConnectionEvents = QueryOf<"get_connections_id_events">;
export type ConnectionTrafficQuery = QueryOf<"get_connections_id_traffic">;

/** Your customers' domains. A connection exists from the first request until it is archived. */
export type Connections = ReturnType<typeof connections>;

export function connections(api: Api) {
  return {
    /**
     * Starts a connection, or resumes the one this application and customer already have for the
     * hostname.
     */
    create: (body: CreateConnection, options?: IdempotentOptions) =>
      api.call("post_connections", { body }, options),

    /** Starts many connections; each hostname has its own result. */
    createBatch: (body: CreateConnectionBatch, options?: IdempotentOptions) =>
      api.call("post_connections_batch", { body }, options),

    /** Starts a domain and its `www` together; one redirects to the other. */
    createPair: (body: CreateConnectionPair, options?: IdempotentOptions) =>
      api.call("post_connections_pair", { body }, options),

    /** Newest first, or longest stuck first. */
    list: (query: ListConnections = {}, options?: CallOptions): Listing<ListedConnection> =>
      listing(query, (page) => api.call("get_connections", { query: page }, options)),

    /** How all of them are: by state, cause and whose move it is, and by day. */
    summary: (options?: CallOptions) => api.call("get_connections_summary", {}, options),

    /** The customers that have connections, by their id. */
    customers: (query: ListCustomers = {}, options?: CallOptions): Listing<Customer> =>
      listing(query, (page) => api.call("get_customers", { query: page }, options)),

    /** With its records, certificate and ownership challenge. */
    get: (id: string, options?: CallOptions) =>
      api.call("get_connections_id", { params: { id } }, options),

    /**
     * Changes its redirect, origin or customer; what is not given stays. The edge follows within
     * two seconds.
     */
    update: (id: string, body: UpdateConnection, options?: CallOptions) =>
      api.call("patch_connections_id", { params: { id }, body }, options),

    /** What visitors asked of it, by hour or day. */
    traffic: (id: string, query: ConnectionTrafficQuery = {}, options?: CallOptions) =>
      api.call("get_connections_id_traffic", { params: { id }, query }, options),

    /** Archives it and frees the hostname. Repeating the call changes nothing. */
    delete: (id: string, query: DeleteConnection = {}, options?: CallOptions) =>
      api.call("delete_connections_id", { params: { id }, query }, options),

    /** Serves your own certificate from now on. Its key is never returned. */
    setCertificate: (id: string, body: SetCertificate, options?: CallOptions) =>
      api.call("put_connections_id_certificate", { params: { id }, body }, options),

    /** Goes back to automatic certificates; your own is served until the first of them is there. */
    clearCertificate: (id: string, options?: CallOptions) =>
      api.call("delete_connections_id_certificate", { params: { id } }, options),

    /** Orders a certificate that failed or waits again now; `conflict` when there is none. */
    retryCertificate: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_certificate_retry", { params: { id } }, options),

    /** Checks the ownership record now; rejects with `ownership_not_found` when it is absent. */
    verify: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_verify", { params: { id } }, options),

    /**
     * Checks each desired record in DNS now. `added: "true"` notes that the customer says that they
     * have added them: from then on a record that is not there is a fault, and no longer `early`.
     */
    checkRecords: (id: string, query: CheckRecords = {}, options?: CallOptions) =>
      api.call("post_connections_id_records_check", { params: { id }, query }, options),

    /** Writes the records at the DNS provider; with `dry_run` it only returns the plan. */
    applyRecords: (id: string, body: ApplyRecords = {}, options?: CallOptions) =>
      api.call("post_connections_id_records_apply", { params: { id }, body }, options),

    /** Returns a link where the customer signs in at their DNS provider and allows the change. */
    startOAuth: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_oauth_start", { params: { id } }, options),

    /** Returns a signed link where the customer approves the records at their DNS provider. */
    startDomainConnect: (id: string, body: StartDomainConnect = {}, options?: CallOptions) =>
      api.call("post_connections_id_domain_connect_start", { params: { id }, body }, options),

    /** Restores the zone to what it was before the records were written. */
    revertRecords: (id: string, body: RevertRecords = {}, options?: CallOptions) =>
      api.call("post_connections_id_records_revert", { params: { id }, body }, options),

    /** Moves a prepared domain here; with `dry_run` it only returns the plan. */
    cutover: (id: string, body: SwitchCutover = {}, options?: CallOptions) =>
      api.call("post_connections_id_cutover", { params: { id }, body }, options),

    /** Moves a domain back to its old place, until seven days after the cut-over is done. */
    revertCutover: (id: string, body: RevertCutover = {}, options?: CallOptions) =>
      api.call("post_connections_id_cutover_revert", { params: { id }, body }, options),

    /** Creates a page for the person who manages the domain's DNS; it expires after seven days. */
    share: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_share", { params: { id } }, options),

    /** The connection's timeline, newest first. */
    events: (
      id: string,
      query: ListConnectionEvents = {},
      options?: CallOptions,
    ): Listing<TimelineEntry> =>
      listing(query, (page) =>
        api.call("get_connections_id_events", { params: { id }, query: page }, options),
      ),
  };
}

export type CheckDomain = BodyOf<"post_domains_check">;

/** What is known about a domain before it is connected. */
export type Domains = ReturnType<typeof domains>;

export function domains(api: Api) {
  return {
    /** Returns its DNS provider, the possible setup and conflicting records; changes nothing. */
    check: (body: CheckDomain, options?: CallOptions) =>
      api.call("post_domains_check", { body }, options),
  };
}

export type GenerateEmail = BodyOf<"post_email_records">;
export type ApplyEmail = BodyOf<"post_connections_id_email_apply">;

/** The DNS records that a mailbox provider requires. */
export type Email = ReturnType<typeof email>;

export function email(api: Api) {
  return {
    /** Returns the records that the provider requires; makes no lookup and writes nothing. */
    records: (body: GenerateEmail, options?: CallOptions) =>
      api.call("post_email_records", { body }, options),

    /** Writes the records that are safe to write and returns the rest for manual setup. */
    apply: (connectionId: string, body: ApplyEmail, options?: CallOptions) =>
      api.call("post_connections_id_email_apply", { params: { id: connectionId }, body }, options),
  };
}

export type CreateApplication = BodyOf<"post_applications">;
export type UpdateApplication = BodyOf<"patch_applications_id">;
export type ListApplications = QueryOf<"get_applications">;

/** Your products, which connected domains point at. */
export type Applications = ReturnType<typeof applications>;

export function applications(api: Api) {
  return {
    create: (body: CreateApplication, options?: IdempotentOptions) =>
      api.call("post_applications", { body }, options),

    /** Newest first. */
    list: (query: ListApplications = {}, options?: CallOptions): Listing<Application> =>
      listing(query, (page) => api.call("get_applications", { query: page }, options)),

    get: (id: string, options?: CallOptions) =>
      api.call("get_applications_id", { params: { id } }, options),

    /** The Domain Connect templates of its records, for submission to the public repository. */
    domainConnectTemplate: (id: string, options?: CallOptions) =>
      api.call("get_applications_id_domain_connect_template", { params: { id } }, options),

    /** Changes the given fields only. */
    update: (id: string, body: UpdateApplication, options?: CallOptions) =>
      api.call("patch_applications_id", { params: { id }, body }, options),

    /**
     * Rejects with `conflict` while it has connections that are not archived. Its keys are revoked.
     */
    delete: (id: string, options?: CallOptions) =>
      api.call("delete_applications_id", { params: { id } }, options),
  };
}

export type CreateKey = BodyOf<"post_applications_id_keys">;
export type ListKeys = QueryOf<"get_applications_id_keys">;

/** The API keys of an application. */
export type Keys = ReturnType<typeof keys>;

export function keys(api: Api) {
  return {
    /** Returns the secret, once. Never retried: a second attempt would create a second key. */
    create: (applicationId: string, body: CreateKey, options?: CallOptions) =>
      api.call("post_applications_id_keys", { params: { id: applicationId }, body }, options),

    /** Newest first, including revoked keys. */
    list: (applicationId: string, query: ListKeys = {}, options?: CallOptions): Listing<ApiKey> =>
      listing(query, (page) =>
        api.call(
          "get_applications_id_keys",
          { params: { id: applicationId }, query: page },
          options,
        ),
      ),

    /** The key and the widget tokens that it minted stop authenticating immediately. */
    revoke: (applicationId: string, keyId: string, options?: CallOptions) =>
      api.call(
        "delete_applications_id_keys_keyId",
        { params: { id: applicationId, keyId } },
        options,
      ),
  };
}

export type StoreCredential = BodyOf<"post_applications_id_credentials">;
export type ListCredentials = QueryOf<"get_applications_id_credentials">;

/** Delegated DNS credentials of an application. No call returns their fields. */
export type Credentials = ReturnType<typeof credentials>;

export function credentials(api: Api) {
  return {
    store: (applicationId: string, body: StoreCredential, options?: CallOptions) =>
      api.call(
        "post_applications_id_credentials",
        { params: { id: applicationId }, body },
        options,
      ),

    /** Newest first. */
    list: (
      applicationId: string,
      query: ListCredentials = {},
      options?: CallOptions,
    ): Listing<Credential> =>
      listing(query, (page) =>
        api.call(
          "get_applications_id_credentials",
          { params: { id: applicationId }, query: page },
          options,
        ),
      ),

    /** Asks the provider whether the credential works, and for which zones. */
    test: (applicationId: string, credentialId: string, options?: CallOptions) =>
      api.call(
        "post_applications_id_credentials_credentialId_test",
        { params: { id: applicationId, credentialId } },
        options,
      ),

    delete: (applicationId: string, credentialId: string, options?: CallOptions) =>
      api.call(
        "delete_applications_id_credentials_credentialId",
        { params: { id: applicationId, credentialId } },
        options,
      ),
  };
}

export type MintToken = BodyOf<"post_tokens">;

/** Short-lived tokens for the widget. A backend mints them; the API key never reaches a browser. */
export type Tokens = ReturnType<typeof tokens>;

export function tokens(api: Api) {
  return {
    /** For the signed-in customer, by `customer_ref`; with `domain`, for that hostname only. */
    mint: (body: MintToken, options?: CallOptions) => api.call("post_tokens", { body }, options),

    /** What the widget shows and offers: the brand of the application, and features. */
    widgetSettings: (options?: CallOptions) => api.call("get_widget_settings", {}, options),
  };
}

/** The DNS providers that the service supports. */
export type Providers = ReturnType<typeof providers>;

export function providers(api: Api) {
  return {
    /** The whole list; there are no pages. */
    list: async (options?: CallOptions) => (await api.call("get_providers", {}, options)).data,
  };
}

/** The plans that can be subscribed to. */
export type Plans = ReturnType<typeof plans>;

export function plans(api: Api) {
  return {
    /** The whole list; there are no pages. */
    list: async (options?: CallOptions) => (await api.call("get_plans", {}, options)).data,
  };
}

export type TrafficQuery = QueryOf<"get_traffic">;

/** What visitors ask of all names. */
export type TrafficViews = ReturnType<typeof traffic>;

export function traffic(api: Api) {
  return {
    /** By hour or day, and the 100 names or applications with the most. */
    get: (query: TrafficQuery = {}, options?: CallOptions) =>
      api.call("get_traffic", { query }, options),
  };
}

export type UsageQuery = QueryOf<"get_usage">;

/** Metered counters, by calendar month (UTC). */
export type UsageCounters = ReturnType<typeof usage>;

export function usage(api: Api) {
  return {
    /** Of the current month unless the query says otherwise. */
    get: (query: UsageQuery = {}, options?: CallOptions) =>
      api.call("get_usage", { query }, options),
  };
}

export type StartSubscription = BodyOf<"post_subscriptions">;

/** The tenant's plan. */
export type Subscriptions = ReturnType<typeof subscription>;

export function subscription(api: Api) {
  return {
    get: (options?: CallOptions) => api.call("get_subscription", {}, options),

    /** Opens a checkout; a person completes it at `checkout_url`. */
    start: (body: StartSubscription, options?: IdempotentOptions) =>
      api.call("post_subscriptions", { body }, options),
  };
}

export type ReplaceZone = BodyOf<"put_sandbox_zones_zone_records">;
export type ListZones = QueryOf<"get_sandbox_zones">;

/** Zones under `.test`, for tests without a real domain. Test keys only. */
export type Sandbox = ReturnType<typeof sandbox>;

export function sandbox(api: Api) {
  return {
    list: (query: ListZones = {}, options?: CallOptions): Listing<SandboxZoneSummary> =>
      listing(query, (page) => api.call("get_sandbox_zones", { query: page }, options)),

    get: (zone: string, options?: CallOptions) =>
      api.call("get_sandbox_zones_zone_records", { params: { zone } }, options),

    /** Replaces all records of the zone; records that are not given are deleted. */
    replace: (zone: string, body: ReplaceZone, options?: CallOptions) =>
      api.call("put_sandbox_zones_zone_records", { params: { zone }, body }, options),

    delete: (zone: string, options?: CallOptions) =>
      api.call("delete_sandbox_zones_zone_records", { params: { zone } }, options),
  };
}

export type CreateWebhookEndpoint = BodyOf<"post_webhook_endpoints">;
export type UpdateWebhookEndpoint = BodyOf<"patch_webhook_endpoints_id">;
export type ListWebhookEndpoints = QueryOf<"get_webhook_endpoints">;
export type ListDeliveries = QueryOf<"get_webhook_endpoints_id_deliveries">;
export type ReplayEvents = BodyOf<"post_webhook_endpoints_id_replay">;

/** Endpoints that receive events, and their delivery logs. */
export type WebhookEndpoints = ReturnType<typeof webhookEndpoints>;

export function webhookEndpoints(api: Api) {
  return {
    /** Returns the `signing_secret`, once. */
    create: (body: CreateWebhookEndpoint, options?: CallOptions) =>
      api.call("post_webhook_endpoints", { body }, options),

    /** Newest first. */
    list: (query: ListWebhookEndpoints = {}, options?: CallOptions): Listing<WebhookEndpoint> =>
      listing(query, (page) => api.call("get_webhook_endpoints", { query: page }, options)),

    get: (id: string, options?: CallOptions) =>
      api.call("get_webhook_endpoints_id", { params: { id } }, options),

    /** Also disables and enables it; an enabled endpoint receives the events it missed. */
    update: (id: string, body: UpdateWebhookEndpoint, options?: CallOptions) =>
      api.call("patch_webhook_endpoints_id", { params: { id }, body }, options),

    /** Deletes the endpoint and its delivery log. */
    delete: (id: string, options?: CallOptions) =>
      api.call("delete_webhook_endpoints_id", { params: { id } }, options),

    /** Creates a new secret. For 24 hours deliveries are signed with both. */
    rotateSecret: (id: string, options?: CallOptions) =>
      api.call("post_webhook_endpoints_id_rotate_secret", { params: { id } }, options),

    /** Sends `endpoint.test`, also to a disabled endpoint. */
    sendTest: (id: string, options?: CallOptions) =>
      api.call("post_webhook_endpoints_id_test", { params: { id } }, options),

    /** Newest first, each with all its attempts. */
    deliveries: (
      id: string,
      query: ListDeliveries = {},
      options?: CallOptions,
    ): Listing<Delivery> =>
      listing(query, (page) =>
        api.call("get_webhook_endpoints_id_deliveries", { params: { id }, query: page }, options),
      ),

    /** Delivers the same event again, signed with a new timestamp. */
    replay: (id: string, deliveryId: string, options?: CallOptions) =>
      api.call(
        "post_webhook_endpoints_id_deliveries_deliveryId_replay",
        { params: { id, deliveryId } },
        options,
      ),

    /** Delivers every event since a time, including those never delivered. */
    replaySince: (id: string, body: ReplayEvents, options?: CallOptions) =>
      api.call("post_webhook_endpoints_id_replay", { params: { id }, body }, options),
  };
}
