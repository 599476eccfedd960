import type { ConnectionDetail } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { Choice } from "../ui/choice.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { At } from "../ui/time.tsx";
import { TrafficPlots } from "./traffic-plots.tsx";
import {
  connectionTrafficQuery,
  type TrafficSpanName,
  trafficQuery,
  trafficSpans,
} from "./traffic-queries.ts";

export const spanOptions = trafficSpans.map(([name, text]) => [name, text] as const);

export function readSpanName(value: string): TrafficSpanName {
  return trafficSpans.find(([name]) => name === value)?.[0] ?? "day";
}

/** What visitors asked of one domain. */
export function DomainTraffic({ connection }: { readonly connection: ConnectionDetail }) {
  const [span, setSpan] = useState<TrafficSpanName>("day");
  const query = useQuery(connectionTrafficQuery(useWorkspace(), connection.id, span));
  const { data, error, isPending, refetch } = query;
  return (
    <section className="panel" aria-label="Traffic">
      <header>
        <h2>Traffic</h2>
        <SpanChoice span={span} onChange={setSpan} />
      </header>
      <div className="body stack">
        {isPending ? <Loading label="Loading the traffic" /> : null}
        {error ? <Problem error={error} onRetry={refetch} /> : null}
        {data === undefined ? null : (
          <>
            {data.first_visit_at === null ? null : (
              <p>
                First visit <At at={data.first_visit_at} />
              </p>
            )}
            <TrafficPlots series={data} />
          </>
        )}
      </div>
    </section>
  );
}

/** What visitors asked of all domains of an application. */
export function ApplicationTraffic({ id }: { readonly id: string }) {
  const [span, setSpan] = useState<TrafficSpanName>("day");
  const query = useQuery(trafficQuery(useWorkspace(), { span, app: id }));
  const { data, error, isPending, refetch } = query;
  return (
    <section className="panel" aria-label="Traffic">
      <header>
        <h2>Traffic</h2>
        <SpanChoice span={span} onChange={setSpan} />
      </header>
      <div className="body stack">
        {isPending ? <Loading label="Loading the traffic" /> : null}
        {error ? <Problem error={error} onRetry={refetch} /> : null}
        {data === undefined ? null : <TrafficPlots series={data} />}
      </div>
    </section>
  );
}

export function SpanChoice({
  span,
  onChange,
}: {
  readonly span: TrafficSpanName;
  readonly onChange: (span: TrafficSpanName) => void;
}) {
  return (
    <Choice
      label="Time"
      value={span}
      options={spanOptions}
      onChange={(value) => onChange(readSpanName(value))}
    />
  );
}
