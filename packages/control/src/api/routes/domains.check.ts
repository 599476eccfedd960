import { checkDomain } from "../../services/domains/check.ts";
import { CheckDomain } from "../../services/domains/schemas.ts";
import { DomainCheckBody, domainCheckBody } from "../replies/domain-check.ts";
import { defineRoute } from "../route.ts";

export const checkDomainRoute = defineRoute({
  method: "POST",
  path: "/v1/domains:check",
  tag: "Domains",
  summary: "Detect a domain's DNS provider and how it can be set up",
  description:
    "Read-only, and answered within three seconds: what DNS did not say by then is unknown, and a warning tells so.",
  scopes: ["connections:read", "connections:write"],
  widget: true,
  limit: "check",
  timeoutMs: 4_000,
  body: CheckDomain,
  output: DomainCheckBody,
  statuses: [200],
  errors: ["not_found"],
  run: (ctx, { body }) => checkDomain(ctx, body),
  reply: domainCheckBody,
});
