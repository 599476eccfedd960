import type { ConnectionSummary, ListedConnection, Page } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { connectionsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { domainColumns } from "../domains/domain-columns.tsx";
import type { DomainSearch } from "../domains/domain-search.ts";
import { type Actor, actorLabel, words } from "../domains/state-text.ts";
import { ListPanel } from "../ui/list-panel.tsx";
import { Badge, Empty } from "../ui/status.tsx";

/** Without a state: everything that is neither archived nor live and well. */
const stuck: DomainSearch = { sort: "stuck_since" };
const shownRows = 8;

/**
 * What does not continue by itself: by cause, by whose move it is, and the domains that wait
 * longest.
 */
export function NeedsYou({ summary }: { readonly summary: ConnectionSummary }) {
  const workspace = useWorkspace();
  const { environment } = workspace;
  const navigate = useNavigate();
  const query = useQuery({ ...connectionsQuery(workspace, stuck), select: firstRows });
  return (
    <ListPanel
      label="Needs you"
      tableLabel="Domains that wait longest"
      header={
        <>
          <header>
            <h2>Needs you</h2>
            <Link to="/$environment/domains" params={{ environment }} search={stuck}>
              All of them
            </Link>
          </header>
          <Causes summary={summary} />
        </>
      }
      query={query}
      loading="Loading the domains that are stuck"
      columns={columns}
      empty={<Empty title="Every domain is live and well." />}
      onOpen={({ id }) =>
        void navigate({ to: "/$environment/domains/$id", params: { environment, id } })
      }
    />
  );
}

function firstRows({ data }: Page<ListedConnection>): readonly ListedConnection[] {
  return data.slice(0, shownRows);
}

const columns = domainColumns.filter(({ id }) => ["hostname", "state", "finding"].includes(id));

function Causes({ summary }: { readonly summary: ConnectionSummary }) {
  const { environment } = useWorkspace();
  const causes = Object.entries(summary.by_error_code).filter(([, count]) => count > 0);
  const actors = (Object.entries(summary.by_actor) as readonly [Actor, number][]).filter(
    ([, count]) => count > 0,
  );
  if (causes.length === 0 && actors.length === 0) return null;
  return (
    <div className="causes">
      {actors.map(([actor, count]) => (
        <Badge key={actor} tone={actor === "tenant" ? "bad" : "neutral"}>
          {actorLabel(actor)}: {count.toLocaleString()}
        </Badge>
      ))}
      {causes
        .toSorted(([, a], [, b]) => b - a)
        .map(([code, count]) => (
          <Link
            key={code}
            to="/$environment/domains"
            params={{ environment }}
            search={{ error: code }}
          >
            <Badge tone="wait">
              {words(code)}: {count.toLocaleString()}
            </Badge>
          </Link>
        ))}
    </div>
  );
}
