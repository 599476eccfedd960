import type { Api, CallOptions } from "../api.ts";

/** The plans on offer. */
export type Plans = ReturnType<typeof plans>;

export function plans(api: Api) {
  return {
    /** All of them at once. */
    list: async (options?: CallOptions) => (await api.call("get_plans", {}, options)).data,
  };
}
