import type { Api, BodyOf, CallOptions, IdempotentOptions } from "../api.ts";

export type StartSubscription = BodyOf<"post_subscriptions">;

/** The tenant's own plan. */
export type Subscriptions = ReturnType<typeof subscription>;

export function subscription(api: Api) {
  return {
    get: (options?: CallOptions) => api.call("get_subscription", {}, options),

    /** Opens a checkout, whose `checkout_url` a person must visit. */
    start: (body: StartSubscription, options?: IdempotentOptions) =>
      api.call("post_subscriptions", { body }, options),
  };
}
