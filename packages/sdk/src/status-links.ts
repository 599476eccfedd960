import type { Api, BodyOf, CallOptions } from "./api.ts";
export type CreateStatusLink = BodyOf<"post_status_links">;

/** Read-only pages about a customer's domains, for that customer. */
export type StatusLinks = ReturnType<typeof statusLinks>;

export function statusLinks(api: Api) {
  return {
    /** Creates a link; its address is returned only here. */
    create: (body: CreateStatusLink, options?: CallOptions) =>
      api.call("post_status_links", { body }, options),

    /** The links of a customer that have not ended, newest first. */
    list: async (customer_ref: string, options?: CallOptions) =>
      (await api.call("get_status_links", { query: { customer_ref } }, options)).data,

    /** Ends a link at once. */
    revoke: (id: string, options?: CallOptions) =>
      api.call("delete_status_links_id", { params: { id } }, options),
  };
}
