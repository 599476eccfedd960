import { MooringError } from "@mooring/sdk";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
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

/** Its library loads when the first chart is shown; a failure stays in the chart's panel. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  const { data, error, refetch } = useQuery(chartQuery);
  if (data !== undefined) {
    return (
      <CatchBoundary getResetKey={() => props.label} errorComponent={NotDrawn}>
        <data.Chart {...props} />
      </CatchBoundary>
    );
  }
  if (error !== null) return <Problem error={error} onRetry={refetch} />;
  return <Loading lines={5} label="Loading the chart" />;
}

function NotDrawn({ error, reset }: ErrorComponentProps) {
  const said = new MooringError("the chart could not be drawn", { cause: error });
  return <Problem error={said} onRetry={reset} />;
}
