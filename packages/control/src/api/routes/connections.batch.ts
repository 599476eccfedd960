import { z } from "zod";
import { createBatch } from "../../services/connections/batch.ts";
import { CreateBatch } from "../../services/connections/schemas.ts";
import { NewConnectionBody, newConnectionBody } from "../replies/connection.ts";
import { Uuid } from "../replies/time.ts";
import { defineRoute } from "../route.ts";

export const createBatchRoute = defineRoute({
  method: "POST",
  path: "/v1/connections:batch",
  tag: "Connections",
  summary: "Start connecting up to 200 domains",
  scopes: ["connections:write"],
  idempotent: true,
  timeoutMs: 60_000,
  body: CreateBatch,
  output: z
    .object({
      batch_id: Uuid,
      results: z.array(
        z.object({
          hostname: z.string(),
          status: z.enum(["created", "resumed", "failed"]),
          connection: NewConnectionBody.nullable(),
          error: z.object({ code: z.string(), message: z.string() }).nullable(),
        }),
      ),
    })
    .meta({ id: "ConnectionBatch" }),
  statuses: [200],
  errors: ["not_found"],
  run: (ctx, { body }) => createBatch(ctx, body),
  reply: ({ batchId, results }) => ({
    batch_id: batchId,
    results: results.map(({ connection, ...rest }) => ({
      ...rest,
      connection: connection ? newConnectionBody(connection) : null,
    })),
  }),
});
