import { type ConnectionState, connectionStates } from "@mooring/sdk";
import { compact, readChoice, readText, readTexts, type SearchRecord } from "../app/search-text.ts";
import { type Actor, actors } from "./state-text.ts";

/** The filters of the table of domains, which are its URL. */
export interface DomainSearch {
  readonly q?: string;
  readonly state?: readonly ConnectionState[];
  readonly application?: string;
  readonly provider?: string;
  readonly error?: string;
  readonly actor?: readonly Actor[];
  readonly stuck?: "true";
  readonly customer?: string;
  readonly wildcard?: "true" | "false";
  /** In days. */
  readonly ends?: "30";
  readonly dangling?: "true";
  readonly sort?: "stuck_since";
  readonly cursor?: string;
}

export function readDomainSearch(search: SearchRecord): DomainSearch {
  const states = readTexts(search, "state");
  const known = connectionStates.filter((state) => states.includes(state));
  const moves = readTexts(search, "actor");
  const knownMoves = actors.filter((actor) => moves.includes(actor));
  return compact<DomainSearch>({
    q: readText(search, "q"),
    state: known.length > 0 ? known : undefined,
    application: readText(search, "application"),
    provider: readText(search, "provider"),
    error: readText(search, "error"),
    actor: knownMoves.length > 0 ? knownMoves : undefined,
    stuck: readChoice(search, "stuck", ["true"]),
    customer: readText(search, "customer"),
    wildcard: readChoice(search, "wildcard", ["true", "false"]),
    ends: readChoice(search, "ends", ["30"]),
    dangling: readChoice(search, "dangling", ["true"]),
    sort: readChoice(search, "sort", ["stuck_since"]),
    cursor: readText(search, "cursor"),
  });
}

export interface SavedView {
  readonly name: string;
  readonly search: DomainSearch;
}

/** Views that everybody has. */
export const builtInViews: readonly SavedView[] = [
  { name: "All", search: {} },
  { name: "Your move", search: { actor: ["tenant"], sort: "stuck_since" } },
  { name: "Live", search: { state: ["live"] } },
  {
    name: "On the way",
    search: {
      state: [
        "created",
        "pending_ownership",
        "verifying",
        "verified",
        "dns_writing",
        "propagating",
        "issuing_cert",
      ],
    },
  },
  { name: "Stuck", search: { stuck: "true", sort: "stuck_since" } },
  { name: "Drifted", search: { state: ["drifted"], sort: "stuck_since" } },
  { name: "Registration ends", search: { ends: "30" } },
  { name: "Left behind", search: { dangling: "true" } },
];

export function isSameView(a: DomainSearch, b: DomainSearch): boolean {
  return viewText(a) === viewText(b);
}

function viewText({ cursor: _page, ...search }: DomainSearch): string {
  return JSON.stringify(Object.entries(search).sort(([a], [b]) => a.localeCompare(b)));
}
