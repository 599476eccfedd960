import type { ConnectionDetail, TimelineEntry } from "@mooring/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { timelineQuery } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { stateLabel, words } from "./state.tsx";

/** State changes, checks, writes, certificates and deliveries, newest first. */
export function Timeline({ connection }: { readonly connection: ConnectionDetail }) {
  const query = useInfiniteQuery(timelineQuery(useWorkspace(), connection.id));
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = query;
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
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
            <Entry key={entry.id} entry={entry} />
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
};

function Entry({ entry }: { readonly entry: TimelineEntry }) {
  const details = Object.entries(entry.details).filter(([name]) => name !== "outcome");
  return (
    <li>
      <Icon name={icons[entry.kind]} />
      <div>
        <p>{titleOf(entry)}</p>
        {entry.error_code === null ? null : <p className="sub">{words(entry.error_code)}</p>}
        {details.length === 0 ? null : (
          <p className="sub">
            {details.map(([name, value]) => `${words(name)}: ${textOf(value)}`).join(" · ")}
          </p>
        )}
      </div>
      <Ago at={entry.created_at} />
    </li>
  );
}

function titleOf({ kind, from_state, to_state, details }: TimelineEntry): string {
  const outcome = details["outcome"];
  switch (kind) {
    case "state":
      return from_state === null || from_state === to_state
        ? stateLabel(to_state ?? "")
        : `${stateLabel(from_state)} → ${stateLabel(to_state ?? "")}`;
    case "write":
      return `DNS write${typeof outcome === "string" ? `: ${words(outcome).toLowerCase()}` : ""}`;
    case "certificate":
      return `Certificate${typeof outcome === "string" ? `: ${words(outcome).toLowerCase()}` : ""}`;
    case "delivery":
      return `Webhook ${typeof details["event_type"] === "string" ? details["event_type"] : ""}`;
    case "check":
      return "Check";
    default:
      return words(kind);
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
