import { type ComponentProps, lazy, Suspense } from "react";
import { Loading } from "./status.tsx";

const Chart = lazy(async () => ({ default: (await import("./chart.tsx")).Chart }));

/** The chart's library loads when the first chart is shown. */
export function LazyChart(props: ComponentProps<typeof Chart>) {
  return (
    <Suspense fallback={<Loading lines={5} label="Loading the chart" />}>
      <Chart {...props} />
    </Suspense>
  );
}
