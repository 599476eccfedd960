import type { Api, BodyOf, CallOptions, IdempotentOptions, QueryOf } from "../api.ts";
import { type Listing, listing } from "../listing.ts";
import type { Application } from "../schema.gen.ts";

export type CreateApplication = BodyOf<"post_applications">;
export type UpdateApplication = BodyOf<"patch_applications_id">;
export type ListApplications = QueryOf<"get_applications">;

/** Your products: what connected domains are pointed at. */
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

    /** The Domain Connect templates of its records, to be submitted to the public repository. */
    domainConnectTemplate: (id: string, options?: CallOptions) =>
      api.call("get_applications_id_domain_connect_template", { params: { id } }, options),

    /** Changes what is given and leaves the rest. */
    update: (id: string, body: UpdateApplication, options?: CallOptions) =>
      api.call("patch_applications_id", { params: { id }, body }, options),
  };
}
