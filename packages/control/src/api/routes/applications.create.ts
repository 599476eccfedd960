import { CreateApplication, createApplication } from "../../services/applications.ts";
import { ApplicationBody, applicationBody } from "../replies/application.ts";
import { defineRoute } from "../route.ts";

export const createApplicationRoute = defineRoute({
  method: "POST",
  path: "/v1/applications",
  tag: "Applications",
  summary: "Create an application",
  scopes: ["apps:admin"],
  idempotent: true,
  body: CreateApplication,
  output: ApplicationBody,
  statuses: [201],
  run: (ctx, { body }) => createApplication(ctx, body),
  reply: applicationBody,
});
