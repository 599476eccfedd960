import type { Api, BodyOf, CallOptions, QueryOf } from "../api.ts";
import { type Listing, listing } from "../listing.ts";
import type { Credential } from "../schema.gen.ts";

export type StoreCredential = BodyOf<"post_applications_id_credentials">;
export type ListCredentials = QueryOf<"get_applications_id_credentials">;

/** Delegated DNS credentials of an application; their fields are never shown again. */
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

    /** Asks the provider whether it works, and for which zones. */
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
