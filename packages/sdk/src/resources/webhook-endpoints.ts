import type { Api, BodyOf, CallOptions, QueryOf } from "../api.ts";
import { type Listing, listing } from "../listing.ts";
import type { Delivery, WebhookEndpoint } from "../schema.gen.ts";

export type CreateWebhookEndpoint = BodyOf<"post_webhook_endpoints">;
export type UpdateWebhookEndpoint = BodyOf<"patch_webhook_endpoints_id">;
export type ListWebhookEndpoints = QueryOf<"get_webhook_endpoints">;
export type ListDeliveries = QueryOf<"get_webhook_endpoints_id_deliveries">;
export type ReplayEvents = BodyOf<"post_webhook_endpoints_id_replay">;

/** Receivers of events, and the log of what was sent to them. */
export type WebhookEndpoints = ReturnType<typeof webhookEndpoints>;

export function webhookEndpoints(api: Api) {
  return {
    /** The answer's `signing_secret` is not shown again. */
    create: (body: CreateWebhookEndpoint, options?: CallOptions) =>
      api.call("post_webhook_endpoints", { body }, options),

    /** Newest first. */
    list: (query: ListWebhookEndpoints = {}, options?: CallOptions): Listing<WebhookEndpoint> =>
      listing(query, (page) => api.call("get_webhook_endpoints", { query: page }, options)),

    get: (id: string, options?: CallOptions) =>
      api.call("get_webhook_endpoints_id", { params: { id } }, options),

    /** Also switches it off and on; switched on, it gets what it has missed. */
    update: (id: string, body: UpdateWebhookEndpoint, options?: CallOptions) =>
      api.call("patch_webhook_endpoints_id", { params: { id }, body }, options),

    /** With its log. */
    delete: (id: string, options?: CallOptions) =>
      api.call("delete_webhook_endpoints_id", { params: { id } }, options),

    /** A new secret that signs at once; for 24 hours the old one signs too. */
    rotateSecret: (id: string, options?: CallOptions) =>
      api.call("post_webhook_endpoints_id_rotate_secret", { params: { id } }, options),

    /** Sends `endpoint.test`, also to one that is off. */
    sendTest: (id: string, options?: CallOptions) =>
      api.call("post_webhook_endpoints_id_test", { params: { id } }, options),

    /** With every attempt, newest first. */
    deliveries: (
      id: string,
      query: ListDeliveries = {},
      options?: CallOptions,
    ): Listing<Delivery> =>
      listing(query, (page) =>
        api.call("get_webhook_endpoints_id_deliveries", { params: { id }, query: page }, options),
      ),

    /** The same event once more, signed with a fresh timestamp. */
    replay: (id: string, deliveryId: string, options?: CallOptions) =>
      api.call(
        "post_webhook_endpoints_id_deliveries_deliveryId_replay",
        { params: { id, deliveryId } },
        options,
      ),

    /** Every event since a time, also those that it never got. */
    replaySince: (id: string, body: ReplayEvents, options?: CallOptions) =>
      api.call("post_webhook_endpoints_id_replay", { params: { id }, body }, options),
  };
}
