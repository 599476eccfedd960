import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Workspace } from "../api/workspace.tsx";

/** The times that can be chosen, with the step in which they are drawn. */
export const trafficSpans = [
  ["day", "24 hours", "hour", 24],
  ["week", "7 days", "hour", 7 * 24],
  ["month", "30 days", "day", 30],
  ["year", "400 days", "day", 400],
] as const;

export type TrafficSpanName = (typeof trafficSpans)[number][0];

export interface TrafficSearch {
  readonly span: TrafficSpanName;
  readonly app: string;
  readonly by: "application";
  readonly sort: "errors" | "bytes";
}

const hourMs = 3_600_000;

/** From the chosen time up to now, in whole steps. */
function readSpan(name: TrafficSpanName) {
  const [, , step, count] = trafficSpans.find(([one]) => one === name) ?? trafficSpans[0];
  const stepMs = step === "hour" ? hourMs : 24 * hourMs;
  const from = new Date((Math.floor(Date.now() / stepMs) - count + 1) * stepMs);
  return { step, from: from.toISOString() };
}

const everyMinute = { refetchInterval: 60_000, placeholderData: keepPreviousData };

export function connectionTrafficQuery(
  { api, environment }: Workspace,
  id: string,
  span: TrafficSpanName,
) {
  return queryOptions({
    queryKey: [environment, "traffic", "connection", id, span],
    queryFn: ({ signal }) => api.connections.traffic(id, readSpan(span), { signal }),
    ...everyMinute,
  });
}

export function trafficQuery(
  { api, environment }: Workspace,
  { span = "day", app, by = "connection", sort = "requests" }: Partial<TrafficSearchValues>,
) {
  const query = { group_by: by, sort, ...(app === undefined ? {} : { application_id: app }) };
  return queryOptions({
    queryKey: [environment, "traffic", span, app ?? "all", by, sort],
    queryFn: ({ signal }) => api.traffic.get({ ...readSpan(span), ...query }, { signal }),
    ...everyMinute,
  });
}

interface TrafficSearchValues {
  readonly span: TrafficSpanName | undefined;
  readonly app: string | undefined;
  readonly by: "connection" | "application" | undefined;
  readonly sort: "requests" | "errors" | "bytes" | undefined;
}
