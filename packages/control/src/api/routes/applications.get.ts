import { getApplication } from "../../services/applications.ts";
import { ApplicationBody, applicationBody } from "../replies/application.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const getApplicationRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}",
  tag: "Applications",
  summary: "Read one application",
  scopes: ["apps:admin"],
  params: IdParams,
  output: ApplicationBody,
  statuses: [200],
  run: (ctx, { params }) => getApplication(ctx, params.id),
  reply: applicationBody,
});
