import { applyEmail } from "../../services/email/apply.ts";
import { ApplyEmail } from "../../services/email/schemas.ts";
import { EmailApplyBody, emailApplyBody } from "../replies/email.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const applyEmailRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/email:apply",
  tag: "Connections",
  summary: "Set up mail for the connection's domain",
  description:
    "Writes the safe records through the application's stored credential, once ownership is proven. Nothing that stands in the zone is changed or doubled, and the SPF record is never written: it is given merged, ready to paste. Without a credential everything is to be added by hand.",
  scopes: ["connections:write"],
  widget: true,
  limit: "connection",
  timeoutMs: 30_000,
  params: IdParams,
  body: ApplyEmail,
  output: EmailApplyBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => applyEmail(ctx, params.id, body),
  reply: emailApplyBody,
});
