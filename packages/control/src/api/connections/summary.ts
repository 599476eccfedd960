import { z } from "zod";
import {
  type ConnectionSummary,
  summarizeConnections,
} from "../../services/connections/summary.ts";
import { defineRoute } from "../http/route.ts";

const counts = z.record(z.string(), z.int());
const seconds = z.number().nullable().describe("Null when none went live in these days");

const SummaryBody = z
  .object({
    by_state: counts,
    by_error_code: counts.describe("Of connections that are not archived"),
    by_actor: counts.describe("Whose move it is, of connections that are not archived"),
    stuck: z.int().describe("In their state for longer than is usual for it"),
    time_to_live: z
      .object({ median_s: seconds, p95_s: seconds })
      .describe("From create to live for the first time, in seconds"),
    certificates_expiring: z.int().describe("Within 14 days"),
    series: z
      .array(
        z.object({
          date: z.string().meta({ format: "date" }),
          created: z.int(),
          live: z.int(),
          failed: z.int(),
          drifted: z.int(),
        }),
      )
      .describe("The last 30 days in UTC, oldest first"),
  })
  .meta({ id: "ConnectionSummary" });

function summaryBody(summary: ConnectionSummary): z.input<typeof SummaryBody> {
  const { medianS, p95S } = summary.timeToLive;
  return {
    by_state: { ...summary.byState },
    by_error_code: { ...summary.byErrorCode },
    by_actor: { ...summary.byActor },
    stuck: summary.stuck,
    time_to_live: { median_s: medianS, p95_s: p95S },
    certificates_expiring: summary.certificatesExpiring,
    series: summary.series.map((day) => ({ ...day })),
  };
}

export const summarizeConnectionsRoute = defineRoute({
  method: "GET",
  path: "/v1/connections:summary",
  tag: "Connections",
  summary: "How all connections are: by state, cause and whose move it is, and day by day",
  description: "Over very many connections the counts may be up to half a minute old.",
  scopes: ["connections:read"],
  role: "viewer",
  output: SummaryBody,
  statuses: [200],
  run: (ctx) => summarizeConnections(ctx),
  reply: summaryBody,
});
