import { deleteSandboxZone } from "../../services/sandbox/zones.ts";
import { defineRoute } from "../route.ts";
import { ZoneParams } from "./params.ts";

export const deleteSandboxZoneRoute = defineRoute({
  method: "DELETE",
  path: "/v1/sandbox/zones/{zone}/records",
  tag: "Sandbox",
  summary: "Empty a sandbox zone and give it up",
  scopes: ["connections:write"],
  params: ZoneParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => deleteSandboxZone(ctx, params.zone),
  reply: () => null,
});
