import { getApplicationTemplates } from "../../services/domain-connect/template.ts";
import {
  DomainConnectTemplatesBody,
  domainConnectTemplatesBody,
} from "../replies/domain-connect.ts";
import { defineRoute } from "../route.ts";
import { IdParams } from "./params.ts";

export const getDomainConnectTemplateRoute = defineRoute({
  method: "GET",
  path: "/v1/applications/{id}/domain-connect-template",
  tag: "Applications",
  summary: "Read the Domain Connect templates of an application's records",
  description:
    "Ready to be submitted to the public repository of templates. An application with a record template of its own has templates of its own; the others share the default ones.",
  scopes: ["apps:admin"],
  params: IdParams,
  output: DomainConnectTemplatesBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => getApplicationTemplates(ctx, params.id),
  reply: domainConnectTemplatesBody,
});
