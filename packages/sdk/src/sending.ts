import type { Api, BodyOf, CallOptions } from "./api.ts";
import type { SendingDomain } from "./schema.gen.ts";

export type ApplySending = BodyOf<"post_connections_id_sending_apply">;

/** The connection's domain at services for sending mail, such as Resend or Amazon SES. */
export type Sending = ReturnType<typeof sending>;

export function sending(api: Api) {
  return {
    /**
     * Writes the records that are safe to write, returns the rest for manual setup, and watches
     * all.
     */
    apply: (connectionId: string, body: ApplySending, options?: CallOptions) =>
      api.call(
        "post_connections_id_sending_apply",
        { params: { id: connectionId }, body },
        options,
      ),

    list: async (
      connectionId: string,
      options?: CallOptions,
    ): Promise<readonly SendingDomain[]> => {
      const input = { params: { id: connectionId } };
      return (await api.call("get_connections_id_sending", input, options)).data;
    },

    /** Asks DNS, and the service where you gave access to it, now. */
    check: async (
      connectionId: string,
      options?: CallOptions,
    ): Promise<readonly SendingDomain[]> => {
      const input = { params: { id: connectionId } };
      return (await api.call("post_connections_id_sending_check", input, options)).data;
    },

    /** Ends the watch and drops the stored access; the records stay. */
    remove: (connectionId: string, provider: SendingDomain["provider"], options?: CallOptions) =>
      api.call(
        "delete_connections_id_sending_provider",
        { params: { id: connectionId, provider } },
        options,
      ),
  };
}
