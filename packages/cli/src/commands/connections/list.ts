import {
  type Connection,
  connectionStates,
  type ListConnections,
  type ListedConnection,
} from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand, examples } from "../api-command.ts";
import { isTextList, textOrNull } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { applicationId } from "../references.ts";
import { type Column, formatTime, orDash, painted } from "../text/table.ts";

const columns: readonly Column<Connection>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "HOSTNAME", cell: ({ hostname }) => hostname, isElastic: true },
  { heading: "STATE", cell: ({ state }) => painted(state) },
  { heading: "PROVIDER", cell: ({ provider }) => orDash(provider) },
  { heading: "ERROR", cell: ({ error_code }) => orDash(error_code) },
  { heading: "CREATED", cell: ({ created_at }) => formatTime(created_at) },
];

/** By time in a state, the cause matters more than the day of its creation. */
const stuckColumns: readonly Column<ListedConnection>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "HOSTNAME", cell: ({ hostname }) => hostname, isElastic: true },
  { heading: "STATE", cell: ({ state }) => painted(state) },
  { heading: "SINCE", cell: ({ state_since }) => formatTime(state_since) },
  { heading: "WHO", cell: ({ summary }) => orDash(summary?.actor ?? null) },
  {
    heading: "FINDING",
    cell: ({ summary, error_code }) => orDash(summary?.title ?? error_code),
    isElastic: true,
  },
];

export function addList(connections: Command, action: RegisterAction): void {
  const list = withPaging(connections.command("list"))
    .description("list the connections, newest first")
    .addOption(
      new Option("--state <state...>", "only those in one of these states").choices(
        connectionStates,
      ),
    )
    .option("--q <text>", "only those with this part of the hostname or customer")
    .option("--hostname <hostname>", "only those of this hostname")
    .option("--customer-ref <ref>", "only those of this customer of yours")
    .option("--batch-id <id>", "only those of this batch")
    .option("--app <app>", "only those of this application, by id or name")
    .option("--error-code <code>", "only those with this error code")
    .option("--provider <slug>", "only those at this DNS provider")
    .option("--wildcard", "only wildcards")
    .option("--no-wildcard", "no wildcards")
    .option("--dangling", "only archived ones whose names still resolve to the service")
    .addOption(
      new Option(
        "--sort <order>",
        "stuck_since: longest in its state first, with who must act",
      ).choices(["created", "stuck_since"]),
    );
  examples(
    list,
    "mooring connections list --state live --all",
    "mooring connections list --state stalled failed --sort stuck_since",
    "mooring connections list --q acme --provider cloudflare",
    "mooring connections list --customer-ref customer-42",
    "mooring connections list --json | jq -r '.data[] | [.hostname, .state] | @tsv'",
  );
  apiCommand(action, list, async (call) => {
    const query = await listQuery(call);
    const empty = "There is no such connection: mooring connections create HOSTNAME";
    const shown = query.sort === "stuck_since" ? stuckColumns : columns;
    await showPage(call, call.client.connections.list(query), shown, empty);
    return undefined;
  });
}

async function listQuery({ client, options }: ApiCall): Promise<ListConnections> {
  const states = options["state"];
  const app = textOrNull(options["app"]);
  const { wildcard } = options;
  return {
    ...pageQuery(options),
    ...(isTextList(states)
      ? { state: connectionStates.filter((state) => states.includes(state)) }
      : {}),
    ...textFilters(options),
    ...(app === null ? {} : { application_id: await applicationId(client, app) }),
    ...(typeof wildcard === "boolean" ? { wildcard: wildcard ? "true" : "false" } : {}),
    ...(options["dangling"] === true ? { dangling: "true" as const } : {}),
    ...(options["sort"] === "stuck_since" ? { sort: "stuck_since" } : {}),
  };
}

function textFilters(options: ApiCall["options"]): ListConnections {
  const names = [
    ["q", "q"],
    ["hostname", "hostname"],
    ["customerRef", "customer_ref"],
    ["batchId", "batch_id"],
    // The API says which codes there are.
    ["errorCode", "error_code"],
    ["provider", "provider"],
  ] as const;
  const filters = names.map(([option, name]) => [name, textOrNull(options[option])] as const);
  return Object.fromEntries(filters.filter(([, value]) => value !== null));
}
