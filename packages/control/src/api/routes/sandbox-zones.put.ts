import { PutSandboxZone, putSandboxZone } from "../../services/sandbox/zones.ts";
import { SandboxZoneBody, sandboxZoneBody } from "../replies/sandbox-zone.ts";
import { defineRoute } from "../route.ts";
import { ZoneParams } from "./params.ts";

export const putSandboxZoneRoute = defineRoute({
  method: "PUT",
  path: "/v1/sandbox/zones/{zone}/records",
  tag: "Sandbox",
  summary: "Replace what a sandbox zone holds",
  description:
    "The first tenant to write a zone owns it. Connections under it are checked again at once.",
  scopes: ["connections:write"],
  params: ZoneParams,
  body: PutSandboxZone,
  output: SandboxZoneBody,
  statuses: [200],
  errors: ["conflict", "payload_too_large"],
  run: (ctx, { params, body }) => putSandboxZone(ctx, params.zone, body),
  reply: sandboxZoneBody,
});
