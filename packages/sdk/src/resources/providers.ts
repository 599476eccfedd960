import type { Api, CallOptions } from "../api.ts";

/** The DNS providers that the service knows. */
export type Providers = ReturnType<typeof providers>;

export function providers(api: Api) {
  return {
    /** All of them at once. */
    list: async (options?: CallOptions) => (await api.call("get_providers", {}, options)).data,
  };
}
