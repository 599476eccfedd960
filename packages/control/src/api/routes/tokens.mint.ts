import { z } from "zod";
import { MintToken, mintToken } from "../../services/tokens.ts";
import { Time, time } from "../replies/time.ts";
import { defineRoute } from "../route.ts";

export const mintTokenRoute = defineRoute({
  method: "POST",
  path: "/v1/tokens",
  tag: "Tokens",
  summary: "Mint a widget token for one connect flow",
  description: "A backend calls this and hands the token to the browser, which never sees a key.",
  scopes: ["connections:write"],
  limit: "tokens",
  body: MintToken,
  output: z.object({ auth_token: z.string(), expires_at: Time }).meta({ id: "WidgetToken" }),
  statuses: [201],
  run: (ctx, { body }) => mintToken(ctx, body),
  reply: (minted) => ({ auth_token: minted.token, expires_at: time(minted.expiresAt) }),
});
