import type { ConnectionSummary } from "@mooring/sdk";
import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../api/workspace.tsx";
import { builtInViews, type DomainSearch } from "../domains/domain-search.ts";

interface Tile {
  readonly name: string;
  readonly count: number;
  readonly tone: "" | "good" | "wait" | "bad";
  readonly search: DomainSearch;
}

/** Each number leads to the domains that it counts. */
export function StateCounts({ summary }: { readonly summary: ConnectionSummary }) {
  const { environment } = useWorkspace();
  return (
    <ul className="counts">
      {stateTiles(summary).map(({ name, count, tone, search }) => (
        <li key={name} className={count === 0 ? "" : tone}>
          <Link
            className="panel"
            to="/$environment/domains"
            params={{ environment }}
            search={search}
          >
            <span className="muted">{name}</span>
            <span className="count">{count.toLocaleString()}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function stateTiles(summary: ConnectionSummary): readonly Tile[] {
  const count = ({ state = [], stuck }: DomainSearch) =>
    stuck === "true"
      ? summary.stuck
      : state.reduce((sum, one) => sum + (summary.by_state[one] ?? 0), 0);
  const tones = { Live: "good", "On the way": "", Stuck: "wait", Drifted: "bad" } as const;
  const tiles = Object.entries(tones).flatMap(([name, tone]) => {
    const view = builtInViews.find((one) => one.name === name);
    return view === undefined
      ? []
      : [{ name, tone, count: count(view.search), search: view.search }];
  });
  return [
    ...tiles,
    {
      name: "At risk",
      tone: "wait",
      count: atRiskCodes.reduce((sum, code) => sum + (summary.by_error_code[code] ?? 0), 0),
      search: { state: ["live"], error: "certificate_at_risk" },
    },
  ];
}

/** Codes of a domain that is live and in trouble. */
const atRiskCodes = ["certificate_at_risk", "certificate_expired", "origin_unreachable"];
