import { useQuery } from "@tanstack/react-query";
import { summaryQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import { PerDay } from "./per-day.tsx";
import { StateCounts } from "./state-counts.tsx";
import { WhoseMove } from "./whose-move.tsx";
import "./overview.css";

/** How the domains are, what needs somebody, and how the last 30 days went. */
export function OverviewPage() {
  const { data, error, isPending, refetch } = useQuery(summaryQuery(useWorkspace()));
  if (isPending) return <Loading lines={10} label="Loading the overview" />;
  if (error) return <Problem error={error} onRetry={refetch} />;
  const isEmpty = Object.values(data.by_state).every((count) => count === 0);
  return (
    <div className="stack">
      <PageHeading>Overview</PageHeading>
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <>
          <StateCounts summary={data} />
          <div className="overview-columns">
            <WhoseMove summary={data} />
            <Health summary={data} />
          </div>
          <PerDay summary={data} />
        </>
      )}
    </div>
  );
}
