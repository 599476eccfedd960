import type { Api, BodyOf, CallOptions, QueryOf } from "../api.ts";
import { type Listing, listing } from "../listing.ts";
import type { SandboxZoneSummary } from "../schema.gen.ts";

export type ReplaceZone = BodyOf<"put_sandbox_zones_zone_records">;
export type ListZones = QueryOf<"get_sandbox_zones">;

/** Zones under `.test` for tests without a real domain; with a test key only. */
export type Sandbox = ReturnType<typeof sandbox>;

export function sandbox(api: Api) {
  return {
    list: (query: ListZones = {}, options?: CallOptions): Listing<SandboxZoneSummary> =>
      listing(query, (page) => api.call("get_sandbox_zones", { query: page }, options)),

    get: (zone: string, options?: CallOptions) =>
      api.call("get_sandbox_zones_zone_records", { params: { zone } }, options),

    /** All records of the zone; what is not given is gone. */
    replace: (zone: string, body: ReplaceZone, options?: CallOptions) =>
      api.call("put_sandbox_zones_zone_records", { params: { zone }, body }, options),

    delete: (zone: string, options?: CallOptions) =>
      api.call("delete_sandbox_zones_zone_records", { params: { zone } }, options),
  };
}
