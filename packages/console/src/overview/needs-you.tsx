import type { ConnectionSummary } from "@mooring/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { connectionsQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { domainColumns } from "../domains/domain-columns.tsx";
import type { DomainSearch } from "../domains/domain-search.ts";
import { type Actor, actorLabel, words } from "../domains/state.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Badge, Empty, Loading, Problem } from "../ui/status.tsx";

/** Without a state: everything that is neither archived nor live and well. */
const stuck: DomainSearch = { sort: "stuck_since" };
const shownRows = 8;

/** What does not go on by itself: by cause, by whose move it is, and the domains that wait longest. */
export function NeedsYou({ summary }: { readonly summary: ConnectionSummary }) {
  const workspace = useWorkspace();
  const { environment } = workspace;
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(connectionsQuery(workspace, stuck));
  return (
    <section className="panel" aria-label="Needs you">
      <header>
        <h2>Needs you</h2>
        <Link to="/$environment/domains" params={{ environment }} search={stuck}>
          All of them
        </Link>
      </header>
      <Causes summary={summary} />
      {isPending ? <Loading label="Loading the domains that are stuck" /> : null}
      {error ? (
        <div className="body">
          <Problem error={error} onRetry={refetch} />
        </div>
      ) : null}
      {data?.data.length === 0 ? <Empty title="Every domain is live and well." /> : null}
      {data === undefined || data.data.length === 0 ? null : (
        <DataTable
          label="Domains that wait longest"
          rows={data.data.slice(0, shownRows)}
          columns={columns}
          rowId={({ id }) => id}
          onOpen={({ id }) =>
            void navigate({ to: "/$environment/domains/$id", params: { environment, id } })
          }
        />
      )}
    </section>
  );
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
