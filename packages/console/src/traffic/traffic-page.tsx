import type { Traffic } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useWorkspace } from "../api/workspace.tsx";
import { compact } from "../app/search-text.ts";
import { Choice } from "../ui/choice.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Loading, Problem } from "../ui/status.tsx";
import { bytesText, countText, millisecondsText } from "./amounts.ts";
import { SpanChoice } from "./traffic-panel.tsx";
import { TrafficPlots } from "./traffic-plots.tsx";
import { type TrafficSearch, trafficQuery } from "./traffic-queries.ts";

const route = "/$environment/traffic";

const orders = [
  ["requests", "Most requests"],
  ["errors", "Most errors"],
  ["bytes", "Most bytes"],
] as const;

const groupings = [
  ["connection", "Domains"],
  ["application", "Applications"],
] as const;

/** What visitors asked of all domains, and which had the most. */
export function TrafficPage() {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const { data, error, isPending, refetch } = useQuery(trafficQuery(useWorkspace(), search));
  const { span = "day", by = "connection", sort = "requests" } = search;
  return (
    <div className="stack">
      <header className="page-head">
        <PageHeading>Traffic</PageHeading>
        <SpanChoice
          span={span}
          onChange={(chosen) => void navigate({ search: { ...search, span: chosen } })}
        />
      </header>
      {isPending ? <Loading lines={8} label="Loading the traffic" /> : null}
      {error ? <Problem error={error} onRetry={refetch} /> : null}
      {data === undefined ? null : (
        <>
          <section className="panel" aria-label="All domains">
            <header>
              <h2>All domains</h2>
            </header>
            <div className="body stack">
              <TrafficPlots series={data} />
            </div>
          </section>
          {data.totals === null ? null : (
            <section className="panel" aria-label="Which had the most">
              <header>
                <h2>Which had the most</h2>
                <div className="row">
                  <Choice
                    label="Of what"
                    value={by}
                    options={groupings}
                    onChange={(value) =>
                      void navigate({
                        search: changed(search, {
                          by: value === "application" ? value : undefined,
                        }),
                      })
                    }
                  />
                  <Choice
                    label="Order"
                    value={sort}
                    options={orders}
                    onChange={(value) =>
                      void navigate({
                        search: changed(search, {
                          sort: value === "errors" || value === "bytes" ? value : undefined,
                        }),
                      })
                    }
                  />
                </div>
              </header>
              <TopList groups={data.groups} groupBy={data.group_by} />
            </section>
          )}
        </>
      )}
    </div>
  );
}

function changed(
  { span, app, by, sort }: Partial<TrafficSearch>,
  change: { readonly [K in keyof TrafficSearch]?: TrafficSearch[K] | undefined },
) {
  return compact<TrafficSearch>({ span, app, by, sort, ...change });
}

type Group = Traffic["groups"][number];

function TopList({
  groups,
  groupBy,
}: {
  readonly groups: readonly Group[];
  readonly groupBy: Traffic["group_by"];
}) {
  const columns = useMemo(() => groupColumns(groupBy), [groupBy]);
  if (groups.length === 0) return <p className="body muted">No domain was visited in this time.</p>;
  return (
    <DataTable label="Which had the most" rows={groups} columns={columns} rowId={({ id }) => id} />
  );
}

function groupColumns(groupBy: Traffic["group_by"]): readonly Column<Group>[] {
  return [
    {
      id: "name",
      header: groupBy === "connection" ? "Domain" : "Application",
      isTitle: true,
      cell: (group) => <GroupLink group={group} groupBy={groupBy} />,
    },
    {
      id: "requests",
      header: "Requests",
      isNumber: true,
      cell: ({ numbers }) => countText(numbers.requests),
    },
    {
      id: "errors",
      header: "5xx",
      isNumber: true,
      cell: ({ numbers }) => countText(numbers.by_status["5xx"]),
    },
    {
      id: "p95",
      header: "p95",
      isNumber: true,
      cell: ({ numbers }) => millisecondsText(numbers.origin_p95_ms),
    },
    {
      id: "out",
      header: "Out",
      isNumber: true,
      cell: ({ numbers }) => bytesText(numbers.bytes_out),
    },
  ];
}

function GroupLink({
  group: { id, name },
  groupBy,
}: {
  readonly group: Group;
  readonly groupBy: Traffic["group_by"];
}) {
  const { environment } = useWorkspace();
  const params = { environment, id };
  if (groupBy === "application") {
    return (
      <Link
        className="main"
        to="/$environment/applications/$id"
        params={params}
        search={{ tab: "traffic" }}
      >
        {name ?? id}
      </Link>
    );
  }
  return (
    <Link className="main" to="/$environment/domains/$id" params={params}>
      {name ?? id}
    </Link>
  );
}
