import type { ConnectionSummary, ListedConnection, Page } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { connectionsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { domainColumns } from "../domains/domain-columns.tsx";
import type { DomainSearch } from "../domains/domain-search.ts";
import { type Actor, words } from "../domains/state-text.ts";
import { ListPanel } from "../ui/list-panel.tsx";
import { Badge, Empty } from "../ui/status.tsx";

interface Group {
  readonly title: string;
  readonly tableLabel: string;
  readonly nothing: string;
  readonly actors: readonly Actor[];
  readonly shownRows: number;
}

/** What needs the reader comes first, however many others wait. */
const groups: readonly Group[] = [
  {
    title: "Yours",
    tableLabel: "Domains that wait for you",
    nothing: "No domain waits for you.",
    actors: ["tenant"],
    shownRows: 8,
  },
  {
    title: "Your customers’",
    tableLabel: "Domains that wait for their customer",
    nothing: "No domain waits for its customer.",
    actors: ["end_customer"],
    shownRows: 5,
  },
  {
    title: "The service’s",
    tableLabel: "Domains that wait for the service",
    nothing: "No domain waits for the service.",
    actors: ["operator", "wait"],
    shownRows: 5,
  },
];

/** Whose move it is: in each group the domains that are longest without progress. */
export function WhoseMove({ summary }: { readonly summary: ConnectionSummary }) {
  return (
    <div className="stack">
      {groups.map((group, index) => (
        <MoveGroup key={group.title} group={group} summary={summary} isFirst={index === 0} />
      ))}
      <Causes summary={summary} />
    </div>
  );
}

interface GroupProps {
  readonly group: Group;
  readonly summary: ConnectionSummary;
  readonly isFirst: boolean;
}

function MoveGroup({ group, summary, isFirst }: GroupProps) {
  const workspace = useWorkspace();
  const { environment } = workspace;
  const navigate = useNavigate();
  const { title, tableLabel, nothing, actors, shownRows } = group;
  const search: DomainSearch = { actor: actors, sort: "stuck_since" };
  const count = actors.reduce((sum, actor) => sum + (summary.by_actor[actor] ?? 0), 0);
  const query = useQuery({
    ...connectionsQuery(workspace, search),
    select: ({ data }: Page<ListedConnection>) => data.slice(0, shownRows),
  });
  return (
    <ListPanel
      label={title}
      tableLabel={tableLabel}
      header={
        <header>
          <h2>{title}</h2>
          {count === 0 ? null : (
            <Link to="/$environment/domains" params={{ environment }} search={search}>
              {count === 1 ? "1 domain" : `All ${count.toLocaleString()} domains`}
            </Link>
          )}
        </header>
      }
      query={query}
      loading={`Loading: ${tableLabel}`}
      loadingLines={2}
      columns={columns}
      empty={<Empty title={nothing} />}
      hasKeys={isFirst}
      onOpen={({ id }) =>
        void navigate({ to: "/$environment/domains/$id", params: { environment, id } })
      }
    />
  );
}

const columns = domainColumns.filter(({ id }) => ["hostname", "state", "finding"].includes(id));

function Causes({ summary }: { readonly summary: ConnectionSummary }) {
  const { environment } = useWorkspace();
  const causes = Object.entries(summary.by_error_code).filter(([, count]) => count > 0);
  if (causes.length === 0) return null;
  return (
    <section className="panel" aria-label="Causes">
      <header>
        <h2>Causes</h2>
      </header>
      <div className="causes">
        {causes
          .toSorted(([, a], [, b]) => b - a)
          .map(([code, count]) => (
            <Link
              key={code}
              to="/$environment/domains"
              params={{ environment }}
              search={{ error: code, sort: "stuck_since" }}
            >
              <Badge tone="wait">
                {words(code)}: {count.toLocaleString()}
              </Badge>
            </Link>
          ))}
      </div>
    </section>
  );
}
