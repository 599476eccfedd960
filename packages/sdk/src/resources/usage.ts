import type { Api, CallOptions, QueryOf } from "../api.ts";

export type UsageQuery = QueryOf<"get_usage">;

/** Metered counters, by calendar month (UTC). */
export type UsageCounters = ReturnType<typeof usage>;

export function usage(api: Api) {
  return {
    /** By default of the current month. */
    get: (query: UsageQuery = {}, options?: CallOptions) =>
      api.call("get_usage", { query }, options),
  };
}
