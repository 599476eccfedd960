import { UpdateApplication, updateApplication } from "../../services/applications.ts";
import { ApplicationBody, applicationBody } from "../replies/application.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const updateApplicationRoute = defineRoute({
  method: "PATCH",
  path: "/v1/applications/{id}",
  tag: "Applications",
  summary: "Change an application",
  scopes: ["apps:admin"],
  params: IdParams,
  body: UpdateApplication,
  output: ApplicationBody,
  statuses: [200],
  run: (ctx, { params, body }) => updateApplication(ctx, params.id, body),
  reply: applicationBody,
});
