import type { ConnectionSummary } from "@mooring/sdk";
import { useMemo } from "react";
import { LazyChart } from "../ui/lazy-chart.tsx";

const lines = [
  ["created", "Created", "--info"],
  ["live", "Live", "--good"],
  ["failed", "Failed", "--bad"],
  ["drifted", "Drifted", "--wait"],
] as const;

export function PerDay({ summary }: { readonly summary: ConnectionSummary }) {
  const { series } = summary;
  const times = useMemo(() => series.map(({ date }) => Date.parse(date) / 1_000), [series]);
  const drawn = useMemo(
    () =>
      lines.map(([name, label, color]) => ({
        label,
        color,
        values: series.map((day) => day[name]),
      })),
    [series],
  );
  return (
    <section className="panel" aria-label="Per day">
      <header>
        <h2>Per day</h2>
        <p>the last 30 days, UTC</p>
      </header>
      <div className="body">
        <LazyChart
          label="Domains created, gone live, failed and drifted on each of the last 30 days"
          times={times}
          series={drawn}
        />
      </div>
    </section>
  );
}
