import type { Api, BodyOf, CallOptions } from "../api.ts";

export type GenerateEmail = BodyOf<"post_email_records">;
export type ApplyEmail = BodyOf<"post_connections_id_email_apply">;

/** The mail records of a domain at a mailbox provider. */
export type Email = ReturnType<typeof email>;

export function email(api: Api) {
  return {
    /** What the provider wants in DNS; looks at nothing and writes nothing. */
    records: (body: GenerateEmail, options?: CallOptions) =>
      api.call("post_email_records", { body }, options),

    /** Writes what is safe for the connection's domain, and gives the rest to be added by hand. */
    apply: (connectionId: string, body: ApplyEmail, options?: CallOptions) =>
      api.call("post_connections_id_email_apply", { params: { id: connectionId }, body }, options),
  };
}
