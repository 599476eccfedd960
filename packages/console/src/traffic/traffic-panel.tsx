import type { ConnectionDetail } from "@mooring/sdk";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
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
  const firstVisitAt = query.data?.first_visit_at ?? null;
  return (
    <TrafficPanel span={span} onChange={setSpan} query={query}>
      {firstVisitAt === null ? null : (
        <p>
          First visit <At at={firstVisitAt} />
        </p>
      )}
    </TrafficPanel>
  );
}

/** What visitors asked of all domains of an application. */
export function ApplicationTraffic({ id }: { readonly id: string }) {
  const [span, setSpan] = useState<TrafficSpanName>("day");
  const query = useQuery(trafficQuery(useWorkspace(), { span, app: id }));
  return <TrafficPanel span={span} onChange={setSpan} query={query} />;
}

interface SpanProps {
  readonly span: TrafficSpanName;
  readonly onChange: (span: TrafficSpanName) => void;
}

interface PanelProps extends SpanProps {
  readonly query: UseQueryResult<ComponentProps<typeof TrafficPlots>["series"]>;
  /** Above the plots. */
  readonly children?: ReactNode;
}

function TrafficPanel({ query, children, ...choice }: PanelProps) {
  const { data, error, isPending, refetch } = query;
  return (
    <section className="panel" aria-label="Traffic">
      <header>
        <h2>Traffic</h2>
        <SpanChoice {...choice} />
      </header>
      <div className="body stack">
        {isPending ? <Loading label="Loading the traffic" /> : null}
        {error ? <Problem error={error} onRetry={refetch} /> : null}
        {children}
        {data === undefined ? null : <TrafficPlots series={data} />}
      </div>
    </section>
  );
}

export function SpanChoice({ span, onChange }: SpanProps) {
  return (
    <Choice
      label="Time"
      value={span}
      options={spanOptions}
      onChange={(value) => onChange(readSpanName(value))}
    />
  );
}
