import {
  type Connection,
  connectionStates,
  type ListConnections,
  type TimelineEntry,
} from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand } from "../api-command.ts";
import { given } from "../client.ts";
import { examples } from "../examples.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { connectionId } from "../references.ts";
import type { Column } from "../text/table.ts";
import { orDash, painted, timeOf } from "../text/words.ts";
import { addApply, addRevert } from "./apply.ts";
import { addCheck, addVerify } from "./check.ts";
import { addCreate } from "./create.ts";
import { detailOf } from "./detail.ts";
import { addDiagnose } from "./diagnose.ts";
import { addWatch } from "./watch.ts";

const columns: readonly Column<Connection>[] = [
  { heading: "ID", cell: ({ id }) => id },
  { heading: "HOSTNAME", cell: ({ hostname }) => hostname, isElastic: true },
  { heading: "STATE", cell: ({ state }) => painted(state) },
  { heading: "PROVIDER", cell: ({ provider }) => orDash(provider) },
  { heading: "ERROR", cell: ({ error_code }) => orDash(error_code) },
  { heading: "CREATED", cell: ({ created_at }) => timeOf(created_at) },
];

export function addConnections(program: Command, action: RegisterAction): void {
  const connections = program
    .command("connections")
    .description("your customers' domains, each by its id or hostname");
  addCreate(connections, action);
  addList(connections, action);
  const show = withConnection(connections.command("show")).description(
    "one connection with its records and certificate",
  );
  examples(show, "mooring connections show shop.acme.com");
  apiCommand(action, show, async ({ client, output, args }) => {
    const found = await client.connections.get(await connectionId(client, args[0]));
    output.result(detailOf(found), found);
    return undefined;
  });
  addWatch(connections, action);
  addVerify(connections, action);
  addCheck(connections, action);
  addDiagnose(connections, action);
  addApply(connections, action);
  addRevert(connections, action);
  addEvents(connections, action);
  addDelete(connections, action);
}

function withConnection(command: Command): Command {
  return command.argument("<connection>", "id or hostname");
}

function addList(connections: Command, action: RegisterAction): void {
  const list = withPaging(connections.command("list"))
    .description("list the connections, newest first")
    .addOption(new Option("--state <state>", "only those in this state").choices(connectionStates))
    .option("--hostname <hostname>", "only those of this hostname");
  examples(
    list,
    "mooring connections list --state live --all",
    "mooring connections list --json | jq -r '.data[] | [.hostname, .state] | @tsv'",
  );
  apiCommand(action, list, async (call) => {
    const hostname = given(call.options["hostname"]);
    const state = connectionStates.find((one) => one === call.options["state"]);
    const query: ListConnections = {
      ...pageQuery(call.options),
      ...(state === undefined ? {} : { state }),
      ...(hostname === null ? {} : { hostname }),
    };
    const empty = "There is no such connection: mooring connections create HOSTNAME";
    await showPage(call, call.client.connections.list(query), columns, empty);
    return undefined;
  });
}

const entryColumns: readonly Column<TimelineEntry>[] = [
  { heading: "TIME", cell: ({ created_at }) => timeOf(created_at) },
  { heading: "KIND", cell: ({ kind }) => kind },
  { heading: "WHAT", cell: whatHappened },
  { heading: "ERROR", cell: ({ error_code }) => orDash(error_code) },
];

function whatHappened({ kind, from_state, to_state, details }: TimelineEntry): string {
  if (to_state !== null && from_state !== to_state) {
    return `${from_state === null ? "" : `${from_state} → `}${painted(to_state)}`;
  }
  const known = Object.entries(details).map(([name, value]) => `${name}=${plain(value)}`);
  return known.length > 0 ? known.join(" ") : kind;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function addEvents(connections: Command, action: RegisterAction): void {
  const events = withPaging(withConnection(connections.command("events"))).description(
    "what happened to a connection, newest first",
  );
  examples(events, "mooring connections events shop.acme.com --limit 50");
  apiCommand(action, events, async (call) => {
    const id = await connectionId(call.client, call.args[0]);
    const listing = call.client.connections.events(id, pageQuery(call.options));
    await showPage(call, listing, entryColumns, "Nothing has happened yet.");
    return undefined;
  });
}

function addDelete(connections: Command, action: RegisterAction): void {
  const remove = withConnection(connections.command("delete"))
    .description("archive a connection and free its hostname")
    .option("--revert-dns", "take back the records that a stored credential wrote");
  examples(remove, "mooring connections delete shop.acme.com --revert-dns");
  apiCommand(action, remove, async ({ client, output, args, options }) => {
    const id = await connectionId(client, args[0]);
    const query = options["revertDns"] === true ? ({ revert_dns: "true" } as const) : {};
    const archived = await client.connections.delete(id, query);
    output.result(`${archived.hostname} is ${painted(archived.state)}`, archived);
    return undefined;
  });
}
