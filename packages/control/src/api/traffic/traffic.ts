import { z } from "zod";
import {
  addNumbers,
  countRequests,
  noTrafficNumbers,
  percentile,
  type TrafficNumbers,
} from "../../domain/traffic/traffic.ts";
import {
  type ConnectionTraffic,
  ConnectionTrafficQuery,
  getConnectionTraffic,
  getTraffic,
  type Traffic,
  type TrafficOverview,
  type TrafficPoint,
  TrafficQuery,
} from "../../services/traffic/read-traffic.ts";
import { defineRoute, IdParams, Time, time, timeOrNull, Uuid } from "../http/route.ts";

const milliseconds = z
  .number()
  .nullable()
  .describe("Milliseconds, off by less than a tenth; null where no origin answered");

const NumbersBody = z
  .object({
    requests: z.int().describe("Over HTTPS; requests of our own checks are not counted"),
    by_status: z.object({
      "1xx": z.int(),
      "2xx": z.int(),
      "3xx": z.int(),
      "4xx": z.int(),
      "5xx": z.int(),
      aborted: z.int().describe("The client disconnected before the response"),
    }),
    bytes_in: z.int().describe("Of the bodies of requests, and of WebSockets"),
    bytes_out: z.int(),
    origin_p50_ms: milliseconds,
    origin_p95_ms: milliseconds,
    handshakes: z.int().describe("Completed TLS handshakes"),
    refused: z
      .int()
      .describe("Requests that the edge answered instead of the origin, and refused handshakes"),
  })
  .meta({ id: "TrafficNumbers" });

function numbersBody(numbers: TrafficNumbers): z.input<typeof NumbersBody> {
  return {
    requests: countRequests(numbers),
    by_status: {
      "1xx": numbers.status1xx,
      "2xx": numbers.status2xx,
      "3xx": numbers.status3xx,
      "4xx": numbers.status4xx,
      "5xx": numbers.status5xx,
      aborted: numbers.aborted,
    },
    bytes_in: numbers.bytesIn,
    bytes_out: numbers.bytesOut,
    origin_p50_ms: rounded(percentile(numbers.originTimes, 0.5)),
    origin_p95_ms: rounded(percentile(numbers.originTimes, 0.95)),
    handshakes: numbers.handshakes,
    refused: numbers.refused,
  };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}

const complete = z
  .boolean()
  .describe(
    "Whether all is counted: the time is over and every minute of every edge has arrived. Otherwise the numbers are at least these.",
  );

const PointBody = z
  .object({
    at: Time,
    complete,
    coverage: z
      .number()
      .nullable()
      .describe("The part of the minutes of all edges that has arrived; null where none ran"),
    numbers: NumbersBody.nullable().describe("Null where no edge has reported, which is not zero"),
  })
  .meta({ id: "TrafficPoint" });

function pointBody({ at, numbers, coverage, isComplete }: TrafficPoint) {
  const { expected, reported } = coverage;
  const share = expected === 0 ? null : Math.min(1, reported / expected);
  return {
    at: time(at),
    complete: isComplete,
    coverage: share === null ? null : Math.floor(share * 1_000) / 1_000,
    numbers: numbers && numbersBody(numbers),
  } satisfies z.input<typeof PointBody>;
}

const series = {
  enabled: z.boolean().describe("False where the operator has turned counting off"),
  from: Time,
  to: Time,
  step: z.enum(["hour", "day"]),
  complete,
  totals: NumbersBody.nullable().describe("Null where no edge has reported in all this time"),
  points: z.array(PointBody).describe("One for each hour or day, oldest first"),
};

function seriesBody({ isEnabled, span, points }: Traffic) {
  const known = points.flatMap(({ numbers }) => (numbers === null ? [] : [numbers]));
  return {
    enabled: isEnabled,
    from: time(span.from),
    to: time(span.to),
    step: span.step,
    complete: points.every(({ isComplete }) => isComplete),
    totals: known.length === 0 ? null : numbersBody(known.reduce(addNumbers, noTrafficNumbers)),
    points: points.map(pointBody),
  };
}

const ConnectionTrafficBody = z
  .object({
    ...series,
    first_visit_at: Time.nullable().describe("The minute of the first answered request"),
    edges: z.array(z.object({ edge: z.string(), numbers: NumbersBody })),
  })
  .meta({ id: "ConnectionTraffic" });

function connectionBody(traffic: ConnectionTraffic): z.input<typeof ConnectionTrafficBody> {
  return {
    ...seriesBody(traffic),
    first_visit_at: timeOrNull(traffic.firstVisitAt),
    edges: traffic.edges.map(({ edge, numbers }) => ({ edge, numbers: numbersBody(numbers) })),
  };
}

const TrafficBody = z
  .object({
    ...series,
    group_by: z.enum(["connection", "application"]),
    groups: z
      .array(
        z.object({
          id: Uuid.describe("Of the connection or the application"),
          application_id: Uuid,
          name: z.string().nullable().describe("The hostname, or the application's name"),
          complete,
          numbers: NumbersBody,
        }),
      )
      .describe(
        "The 100 with the most; where an hour has over 2,000 names, of those that were among its first 200",
      ),
  })
  .meta({ id: "Traffic" });

function trafficBody(traffic: TrafficOverview): z.input<typeof TrafficBody> {
  return {
    ...seriesBody(traffic),
    group_by: traffic.groupBy,
    groups: traffic.groups.map((group) => ({
      id: group.subjectId,
      application_id: group.applicationId,
      name: group.name,
      complete: group.isComplete,
      numbers: numbersBody(group),
    })),
  };
}

export const getConnectionTrafficRoute = defineRoute({
  method: "GET",
  path: "/v1/connections/{id}/traffic",
  tag: "Traffic",
  summary: "What visitors asked of a connection's name, by hour or day",
  description:
    "As the edges counted it, at most two minutes ago. An hour of which not all is known says so, and one of which nothing is known has no numbers.",
  scopes: ["connections:read"],
  role: "viewer",
  params: IdParams,
  query: ConnectionTrafficQuery,
  output: ConnectionTrafficBody,
  statuses: [200],
  run: (ctx, { params, query }) => getConnectionTraffic(ctx, params.id, query),
  reply: connectionBody,
});

export const getTrafficRoute = defineRoute({
  method: "GET",
  path: "/v1/traffic",
  tag: "Traffic",
  summary: "What visitors asked of all names, and which names or applications had the most",
  scopes: ["connections:read"],
  role: "viewer",
  query: TrafficQuery,
  output: TrafficBody,
  statuses: [200],
  run: (ctx, { query }) => getTraffic(ctx, query),
  reply: trafficBody,
});
