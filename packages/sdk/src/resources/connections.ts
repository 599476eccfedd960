import type { Api, BodyOf, CallOptions, IdempotentOptions, QueryOf } from "../api.ts";
import { type Listing, listing } from "../listing.ts";
import type { Connection, TimelineEntry } from "../schema.gen.ts";

export type CreateConnection = BodyOf<"post_connections">;
export type CreateConnectionBatch = BodyOf<"post_connections_batch">;
export type ApplyRecords = BodyOf<"post_connections_id_records_apply">;
export type StartDomainConnect = BodyOf<"post_connections_id_domain_connect_start">;
export type RevertRecords = BodyOf<"post_connections_id_records_revert">;
export type DeleteConnection = QueryOf<"delete_connections_id">;
export type ListConnections = QueryOf<"get_connections">;
export type ListConnectionEvents = QueryOf<"get_connections_id_events">;

/** Your customers' domains, each from its first entry to its end. */
export type Connections = ReturnType<typeof connections>;

export function connections(api: Api) {
  return {
    /** Begins, or goes on where this application left this hostname. */
    create: (body: CreateConnection, options?: IdempotentOptions) =>
      api.call("post_connections", { body }, options),

    /** Many at once; each hostname has its own result. */
    createBatch: (body: CreateConnectionBatch, options?: IdempotentOptions) =>
      api.call("post_connections_batch", { body }, options),

    /** Newest first. */
    list: (query: ListConnections = {}, options?: CallOptions): Listing<Connection> =>
      listing(query, (page) => api.call("get_connections", { query: page }, options)),

    /** With its records, certificate and ownership challenge. */
    get: (id: string, options?: CallOptions) =>
      api.call("get_connections_id", { params: { id } }, options),

    /** Archives it and frees the hostname; a repetition changes nothing. */
    delete: (id: string, query: DeleteConnection = {}, options?: CallOptions) =>
      api.call("delete_connections_id", { params: { id }, query }, options),

    /** Looks for the ownership record at once; rejects with `ownership_not_found` without it. */
    verify: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_verify", { params: { id } }, options),

    /** Looks for each desired record at once. */
    checkRecords: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_records_check", { params: { id } }, options),

    /** Writes the records at the DNS provider, or with `dry_run` says what would be written. */
    applyRecords: (id: string, body: ApplyRecords = {}, options?: CallOptions) =>
      api.call("post_connections_id_records_apply", { params: { id }, body }, options),

    /** A signed link under which the customer has the records set at their DNS provider. */
    startDomainConnect: (id: string, body: StartDomainConnect = {}, options?: CallOptions) =>
      api.call("post_connections_id_domain_connect_start", { params: { id }, body }, options),

    /** Puts the zone back to what it was before the records were written. */
    revertRecords: (id: string, body: RevertRecords = {}, options?: CallOptions) =>
      api.call("post_connections_id_records_revert", { params: { id }, body }, options),

    /** A page for whoever manages the domain's DNS: records, their state, what to do. Seven days. */
    share: (id: string, options?: CallOptions) =>
      api.call("post_connections_id_share", { params: { id } }, options),

    /** What happened to it, newest first. */
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
