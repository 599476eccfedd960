import type { Api, BodyOf, CallOptions } from "../api.ts";

export type CheckDomain = BodyOf<"post_domains_check">;

/** What can be known of a domain before it is connected. */
export type Domains = ReturnType<typeof domains>;

export function domains(api: Api) {
  return {
    /** Its DNS provider, how it can be set up and what stands in the way; changes nothing. */
    check: (body: CheckDomain, options?: CallOptions) =>
      api.call("post_domains_check", { body }, options),
  };
}
