import type { Delivery } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { LazyChart } from "../ui/lazy-chart.tsx";
import { deliveriesQuery } from "./webhook-queries.ts";

/** Success rate and latency of an endpoint's latest deliveries. */
export function DeliveryHealth({ endpointId }: { readonly endpointId: string }) {
  const { data } = useQuery(deliveriesQuery(useWorkspace(), { endpoint: endpointId }, 100));
  const health = useMemo(() => summarize(data?.data ?? []), [data]);
  if (health === null) return null;
  return (
    <section className="panel" aria-label="Health">
      <header>
        <h2>Health</h2>
        <p>of the latest {health.count} attempts</p>
      </header>
      <div className="body stack">
        <dl className="figures">
          <div>
            <dt>Answered with success</dt>
            <dd>{health.successPercent} %</dd>
          </div>
          <div>
            <dt>Median latency</dt>
            <dd>{seconds(health.medianMs)} s</dd>
          </div>
          <div>
            <dt>95 % within</dt>
            <dd>{seconds(health.p95Ms)} s</dd>
          </div>
        </dl>
        <LazyChart
          label={`Latency of the latest ${health.count} attempts, in seconds`}
          times={health.times}
          series={health.latency}
          unit=" s"
        />
        <LazyChart
          label={`Success over the latest ${health.count} attempts, in per cent of ${windowSize} in a row`}
          times={health.times}
          series={health.success}
          unit=" %"
        />
      </div>
    </section>
  );
}

function summarize(deliveries: readonly Delivery[]) {
  const attempts = deliveries
    .flatMap((delivery) => delivery.attempts)
    .toSorted((a, b) => a.at.localeCompare(b.at));
  if (attempts.length === 0) return null;
  const good = attempts.filter(isGood);
  const latencies = attempts.map(({ latency_ms }) => latency_ms).toSorted((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return {
    count: attempts.length,
    successPercent: Math.round((good.length / attempts.length) * 100),
    medianMs: at(0.5),
    p95Ms: at(0.95),
    times: attempts.map((attempt) => Date.parse(attempt.at) / 1_000),
    latency: [
      {
        label: "Latency",
        color: "--accent",
        values: attempts.map(({ latency_ms }) => seconds(latency_ms)),
      },
    ],
    success: [{ label: "Success", color: "--good", values: successRates(attempts) }],
  };
}

type Attempt = Delivery["attempts"][number];

function isGood({ status_code: status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

const windowSize = 10;

/** The share of good ones among each attempt and those before it, in per cent. */
function successRates(attempts: readonly Attempt[]): readonly number[] {
  return attempts.map((_, index) => {
    const latest = attempts.slice(Math.max(0, index - windowSize + 1), index + 1);
    return Math.round((latest.filter(isGood).length / latest.length) * 100);
  });
}

function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
