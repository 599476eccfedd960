import type { ConnectionDetail, TimelineEntry } from "@mooring/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { timelineQuery } from "../../api/queries.ts";
import { useWorkspace } from "../../api/workspace.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Empty, Loading, Problem } from "../../ui/status.tsx";
import { Ago } from "../../ui/time.tsx";
import { DnsWriteButton } from "../dns-write.tsx";
import { ChangeTable } from "../plan-table.tsx";
import { entryActor, entryDetails, entryTitle } from "./timeline-text.ts";

interface Props {
  readonly connection: ConnectionDetail;
}

/** State changes, checks, writes, certificates, deliveries and who did what, newest first. */
export function Timeline({ connection }: Props) {
  const query = useInfiniteQuery(timelineQuery(useWorkspace(), connection.id));
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = query;
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
  const lastWrite = entries.find(({ kind }) => kind === "write")?.id;
  return (
    <section className="panel" aria-label="Timeline">
      <header>
        <h2>Timeline</h2>
      </header>
      {isPending ? <Loading label="Loading the timeline" /> : null}
      {error ? (
        <div className="body">
          <Problem error={error} onRetry={refetch} />
        </div>
      ) : null}
      {data !== undefined && entries.length === 0 ? (
        <Empty title="Nothing has happened yet." />
      ) : (
        <ol className="timeline">
          {entries.map((entry) => (
            <Entry
              key={entry.id}
              entry={entry}
              connection={connection}
              isLastWrite={entry.id === lastWrite}
            />
          ))}
        </ol>
      )}
      {hasNextPage ? (
        <footer>
          <button
            type="button"
            className="button small"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show older
          </button>
        </footer>
      ) : null}
    </section>
  );
}

const icons: Readonly<Record<TimelineEntry["kind"], IconName>> = {
  state: "clock",
  check: "search",
  write: "globe",
  certificate: "lock",
  delivery: "webhook",
  visit: "traffic",
  action: "customer",
};

interface EntryProps extends Props {
  readonly entry: TimelineEntry;
  /** Only the last one can be undone: an undo takes back all that we wrote. */
  readonly isLastWrite: boolean;
}

function Entry({ entry, connection, isLastWrite }: EntryProps) {
  const actor = entryActor(entry);
  const details = entryDetails(entry);
  return (
    <li>
      <Icon name={icons[entry.kind]} />
      <div>
        <p className="breakable">
          {entry.kind === "delivery" ? (
            <DeliveryLink connection={connection}>{entryTitle(entry)}</DeliveryLink>
          ) : (
            entryTitle(entry)
          )}
          {actor === null ? null : <span className="muted"> by {actor}</span>}
        </p>
        {details === "" ? null : <p className="sub">{details}</p>}
        {entry.plan === null ? null : (
          <WritePlan entry={entry} connection={connection} isLastWrite={isLastWrite} />
        )}
      </div>
      <Ago at={entry.created_at} />
    </li>
  );
}

function DeliveryLink({ connection, children }: Props & { readonly children: string }) {
  const { environment } = useWorkspace();
  return (
    <Link
      to="/$environment/webhooks/deliveries"
      params={{ environment }}
      search={{ connection: connection.id }}
    >
      {children}
    </Link>
  );
}

/** What the write changed in the customer's zone, and the way back. */
function WritePlan({ entry, connection, isLastWrite }: EntryProps) {
  const { may } = useWorkspace();
  const canUndo = isLastWrite && may("developer") && connection.state !== "archived";
  return (
    <details>
      <summary>The plan</summary>
      <ChangeTable label="What was written" changes={entry.plan ?? []} />
      {canUndo && entry.details["outcome"] === "applied" ? (
        <DnsWriteButton connection={connection} kind="revert" />
      ) : null}
    </details>
  );
}
