import type { Api, BodyOf, CallOptions, QueryOf } from "../api.ts";
import { type Listing, listing } from "../listing.ts";
import type { ApiKey } from "../schema.gen.ts";

export type CreateKey = BodyOf<"post_applications_id_keys">;
export type ListKeys = QueryOf<"get_applications_id_keys">;

/** API keys, made under an application. */
export type Keys = ReturnType<typeof keys>;

export function keys(api: Api) {
  return {
    /** The secret is in this answer and never shown again; so it is never repeated by itself. */
    create: (applicationId: string, body: CreateKey, options?: CallOptions) =>
      api.call("post_applications_id_keys", { params: { id: applicationId }, body }, options),

    /** Newest first, revoked ones included. */
    list: (applicationId: string, query: ListKeys = {}, options?: CallOptions): Listing<ApiKey> =>
      listing(query, (page) =>
        api.call(
          "get_applications_id_keys",
          { params: { id: applicationId }, query: page },
          options,
        ),
      ),

    /** The key stops authenticating at once, and so do the widget tokens that it minted. */
    revoke: (applicationId: string, keyId: string, options?: CallOptions) =>
      api.call(
        "delete_applications_id_keys_keyId",
        { params: { id: applicationId, keyId } },
        options,
      ),
  };
}
