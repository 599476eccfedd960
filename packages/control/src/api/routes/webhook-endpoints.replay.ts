import { z } from "zod";
import { replayAll } from "../../services/webhooks/deliveries.ts";
import { ReplaySince } from "../../services/webhooks/endpoints.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const replaySinceRoute = defineRoute({
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/replay",
  tag: "Webhooks",
  summary: "Send every event since a time again",
  scopes: ["apps:admin", "webhooks:write"],
  params: IdParams,
  body: ReplaySince,
  output: z.object({ replayed: z.int() }).meta({ id: "ReplayResult" }),
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params, body }) => replayAll(ctx, params.id, body),
  reply: (replayed) => ({ replayed }),
});
