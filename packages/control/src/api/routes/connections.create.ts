import { createConnection } from "../../services/connections/create.ts";
import { CreateConnection } from "../../services/connections/schemas.ts";
import { NewConnectionBody, newConnectionBody } from "../replies/connection.ts";
import { defineRoute } from "../route.ts";

export const createConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections",
  tag: "Connections",
  summary: "Start connecting a domain",
  description:
    "Answers 200 with the existing connection when the same application has an unfinished or drifted one for the hostname.",
  scopes: ["connections:write"],
  widget: true,
  idempotent: true,
  timeoutMs: 8_000,
  body: CreateConnection,
  output: NewConnectionBody,
  statuses: [201, 200],
  errors: ["HostnameConflict", "QuotaExceeded", "not_found"],
  run: (ctx, { body }) => createConnection(ctx, body),
  reply: ({ connection }) => newConnectionBody(connection),
  statusFor: ({ resumed }) => (resumed ? 200 : 201),
});
