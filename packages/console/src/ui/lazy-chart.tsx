import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { loadCode } from "../api/load-code.ts";
import type { Chart } from "./chart.tsx";
import { Loading, Problem } from "./status.tsx";

/** A query, so that it is read again after an outage like everything else. */
const chartQuery = queryOptions({
  queryKey: ["code", "chart"],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
  queryFn: () => loadCode(() => import("./chart.tsx")),
});

/** The chart's library loads when the first chart is shown. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  const { data, error, refetch } = useQuery(chartQuery);
  if (data !== undefined) return <data.Chart {...props} />;
  if (error !== null) return <Problem error={error} onRetry={refetch} />;
  return <Loading lines={5} label="Loading the chart" />;
}
