import type { Api, BodyOf, CallOptions } from "../api.ts";

export type MintToken = BodyOf<"post_tokens">;

/** Short-lived tokens for the widget: a backend mints them, the browser never sees a key. */
export type Tokens = ReturnType<typeof tokens>;

export function tokens(api: Api) {
  return {
    /** With `domain`, the token may act on that one hostname only. */
    mint: (body: MintToken, options?: CallOptions) => api.call("post_tokens", { body }, options),
  };
}
