import { getSandboxZone } from "../../services/sandbox/zones.ts";
import { SandboxZoneBody, sandboxZoneBody } from "../replies/sandbox-zone.ts";
import { defineRoute } from "../route.ts";
import { ZoneParams } from "./params.ts";

export const getSandboxZoneRoute = defineRoute({
  method: "GET",
  path: "/v1/sandbox/zones/{zone}/records",
  tag: "Sandbox",
  summary: "Get what a sandbox zone holds",
  description: "A zone that nobody has written yet is there and empty.",
  scopes: ["connections:read"],
  params: ZoneParams,
  output: SandboxZoneBody,
  statuses: [200],
  run: (ctx, { params }) => getSandboxZone(ctx, params.zone),
  reply: sandboxZoneBody,
});
