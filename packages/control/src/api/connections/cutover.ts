import { z } from "zod";
import { connectionSnapshot } from "../../domain/connections/connection.ts";
import { RevertCutover, SwitchCutover } from "../../services/connections/cutover/schemas.ts";
import {
  type CutoverResult,
  revertCutover,
  switchCutover,
} from "../../services/connections/cutover/switch.ts";
import { defineRoute, IdParams } from "../http/route.ts";
import { ConnectionBody } from "./connections.ts";
import { RecordPlanBody, recordPlanBody } from "./records.ts";

const CutoverPlanBody = z
  .object({
    ...RecordPlanBody.shape,
    connection: ConnectionBody,
    partner: ConnectionBody.nullable().describe("The other one, where `pair` is given"),
  })
  .meta({ id: "CutoverPlan" });

function cutoverPlanBody(result: CutoverResult): z.input<typeof CutoverPlanBody> {
  const { connection, partner } = result;
  return {
    ...recordPlanBody(result),
    connection: connectionSnapshot(connection),
    partner: partner && connectionSnapshot(partner),
  };
}

export const switchCutoverRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/cutover",
  tag: "Connections",
  summary: "Move a prepared domain here",
  description:
    "Writes the new records with a stored credential, or with one that is given here. Consent to replace exactly `cutover.old_records` is implied. Refused while a check of `cutover.checks` does not hold; a difference of the origin is accepted by `accept`. Without a credential the customer changes the records, which is seen by itself. With `pair` the domain and its www are switched together: the checks of both must hold.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  timeoutMs: 30_000,
  params: IdParams,
  body: SwitchCutover,
  output: CutoverPlanBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => switchCutover(ctx, params.id, body),
  reply: cutoverPlanBody,
});

export const revertCutoverRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/cutover:revert",
  tag: "Connections",
  summary: "Move a domain back to its old place",
  description:
    "Restores the old records, until seven days after the cut-over is done. The connection keeps its claim and its certificate, and is still served. With `pair` both of a domain and its www.",
  scopes: ["connections:write"],
  role: "developer",
  timeoutMs: 30_000,
  params: IdParams,
  body: RevertCutover,
  output: CutoverPlanBody,
  statuses: [200],
  errors: ["conflict", "provider_error"],
  run: (ctx, { params, body }) => revertCutover(ctx, params.id, body),
  reply: cutoverPlanBody,
});
