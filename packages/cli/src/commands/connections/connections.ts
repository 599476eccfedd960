import type {
  ConnectionDetail,
  CreateConnectionBatch,
  NewConnection,
  TimelineEntry,
} from "@mooring/sdk";
import { type Command, Option } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand, examples } from "../api-command.ts";
import { textOrNull } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { applicationId, connectionId } from "../references.ts";
import { paint } from "../text/paint.ts";
import {
  type Column,
  formatFields,
  formatTable,
  formatTime,
  orDash,
  painted,
  recordColumns,
  recordTable,
} from "../text/table.ts";
import { addApply, addRevert } from "./apply.ts";
import { addCertificate } from "./certificate.ts";
import { addCheck, addDiagnose, addVerify } from "./check.ts";
import { addCutover } from "./cutover.ts";
import { addList } from "./list.ts";
import { neededText } from "./needed-text.ts";
import { addPair } from "./pair.ts";
import { isProvenByText, isSeen } from "./steps.ts";
import { addSummary } from "./summary.ts";
import { addUpdate, rulesLine, settingRows } from "./update.ts";
import { addWatch, watchConnection, withWatchOptions } from "./watch.ts";

export function addConnections(program: Command, action: RegisterAction): void {
  const connections = program
    .command("connections")
    .description("your customers' domains, each by its id or hostname");
  addCreate(connections, action);
  addPair(connections, action);
  addList(connections, action);
  addSummary(connections, action);
  const show = withConnection(connections.command("show")).description(
    "one connection with its records and certificate",
  );
  examples(show, "mooring connections show shop.acme.com");
  apiCommand(action, show, async ({ client, output, args }) => {
    const found = await client.connections.get(await connectionId(client, args[0]));
    output.result(detailText(found), found);
    return undefined;
  });
  addWatch(connections, action);
  addVerify(connections, action);
  addCheck(connections, action);
  addDiagnose(connections, action);
  addApply(connections, action);
  addRevert(connections, action);
  addCutover(connections, action);
  addUpdate(connections, action);
  addCertificate(connections, action);
  addEvents(connections, action);
  addDelete(connections, action);
}

function withConnection(command: Command): Command {
  return command.argument("<connection>", "id or hostname");
}

const entryColumns: readonly Column<TimelineEntry>[] = [
  { heading: "TIME", cell: ({ created_at }) => formatTime(created_at) },
  { heading: "KIND", cell: ({ kind }) => kind },
  { heading: "WHAT", cell: whatHappened },
  { heading: "ERROR", cell: ({ error_code }) => orDash(error_code) },
  { heading: "BY", cell: ({ actor }) => orDash(actor?.name ?? actor?.kind ?? null) },
];

const entryKinds = [
  "state",
  "check",
  "write",
  "certificate",
  "delivery",
  "visit",
  "action",
] as const;

function whatHappened({ kind, from_state, to_state, details }: TimelineEntry): string {
  if (to_state !== null && from_state !== to_state) {
    return `${from_state === null ? "" : `${from_state} → `}${painted(to_state)}`;
  }
  const facts = Object.entries(details).map(([name, value]) => `${name}=${plain(value)}`);
  return facts.length > 0 ? facts.join(" ") : kind;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function addEvents(connections: Command, action: RegisterAction): void {
  const events = withPaging(withConnection(connections.command("events"))).description(
    "what happened to a connection, newest first",
  );
  const kinds = new Option("--kind <kind...>", "only these; `action` is who did what");
  events.addOption(kinds.choices(entryKinds));
  examples(
    events,
    "mooring connections events shop.acme.com --limit 50",
    "mooring connections events shop.acme.com --kind action",
  );
  apiCommand(action, events, async (call) => {
    const id = await connectionId(call.client, call.args[0]);
    const asked = call.options["kind"];
    const kind = entryKinds.filter((one) => Array.isArray(asked) && asked.includes(one));
    const query = { ...pageQuery(call.options), ...(kind.length === 0 ? {} : { kind }) };
    const listing = call.client.connections.events(id, query);
    await showPage(call, listing, entryColumns, "Nothing has happened yet.");
    return undefined;
  });
}

function addDelete(connections: Command, action: RegisterAction): void {
  const remove = withConnection(connections.command("delete"))
    .description("archive a connection and free its hostname")
    .option("--revert-dns", "remove the records that a stored credential wrote");
  examples(remove, "mooring connections delete shop.acme.com --revert-dns");
  apiCommand(action, remove, async ({ client, output, args, options }) => {
    const id = await connectionId(client, args[0]);
    const query = options["revertDns"] === true ? ({ revert_dns: "true" } as const) : {};
    const archived = await client.connections.delete(id, query);
    output.result(`${archived.hostname} is ${painted(archived.state)}`, archived);
    return undefined;
  });
}

function addCreate(connections: Command, action: RegisterAction): void {
  const create = withWatchOptions(connections.command("create"))
    .description("start connecting a domain, or continue with one")
    .argument("<hostname...>", "one, or several at once")
    .option(
      "--app <app>",
      "id or name of the application (default: MOORING_APP, else the only one)",
    )
    .option("--customer-ref <ref>", "your id of the customer whose domain it is")
    .option("--contest", "also when somebody else has the domain: prove that it is yours")
    .option("--cutover", "prepare everything before a domain that is in use is moved")
    .option("--watch", "show the steps until the domain is live");
  examples(
    create,
    "mooring connections create shop.acme.com",
    "mooring connections create shop.acme.com --customer-ref customer-42",
    "mooring connections create shop.acme.com --app Shop --watch",
    "mooring connections create a.example.com b.example.com c.example.com",
  );
  apiCommand(action, create, async (call) => {
    const customer = textOrNull(call.options["customerRef"]);
    const whose = {
      application_id: await applicationId(call.client, call.options["app"]),
      ...(customer === null ? {} : { customer_ref: customer }),
    };
    const [hostname = "", ...others] = call.args;
    if (others.length > 0) return createMany(call, whose);
    const contest = call.options["contest"] === true ? { contest: true } : {};
    const cutover = call.options["cutover"] === true ? { cutover: true } : {};
    const made = await call.client.connections.create({
      ...whose,
      hostname,
      ...contest,
      ...cutover,
    });
    return conclude(call, made);
  });
}

async function conclude({ client, output, options }: ApiCall, made: NewConnection) {
  if (options["watch"] !== true) {
    output.result(madeText(made), made);
    return exitCode.done;
  }
  output.item(madeText(made), made);
  return watchConnection(client, output, made.id, options);
}

/** The new connection with the records that the customer adds to DNS. */
function madeText(made: NewConnection): string {
  const fields = formatFields([
    ["Hostname", made.hostname],
    ["Id", made.id],
    ["State", painted(made.state)],
    ["Provider", orDash(made.provider)],
    ["Setup", made.setup_type],
  ]);
  const lines = [fields, ...neededText(made.needed_records)];
  return [...lines, "", `Then: mooring connections watch ${made.hostname}`, ""].join("\n");
}

async function createMany(
  { client, output, args, width }: ApiCall,
  whose: Omit<CreateConnectionBatch, "hostnames">,
): Promise<number> {
  const batch = await client.connections.createBatch({ ...whose, hostnames: args });
  const text = formatTable(
    [
      { heading: "HOSTNAME", cell: ({ hostname }) => hostname, isElastic: true },
      { heading: "RESULT", cell: ({ status }) => painted(status) },
      { heading: "ID", cell: ({ connection }) => orDash(connection?.id ?? null) },
      { heading: "ERROR", cell: ({ error }) => error?.message ?? "–", isElastic: true },
    ],
    batch.results,
    width,
  );
  output.result(text, batch);
  const hasFailed = batch.results.some(({ status }) => status === "failed");
  return hasFailed ? exitCode.failed : exitCode.done;
}

function detailText(connection: ConnectionDetail): string {
  const { certificate, desired_records, pending_records } = connection;
  const fields = formatFields([
    ["Hostname", connection.hostname],
    ["Id", connection.id],
    ["State", painted(connection.state)],
    ["Error", connection.error_code === null ? null : paint("red", connection.error_code)],
    ["Contest", contestText(connection)],
    ["Ownership", ownershipText(connection)],
    ["Provider", orDash(connection.provider)],
    ["Setup", connection.setup_type],
    ["Application", connection.application_id],
    ["Batch", connection.batch_id],
    ...settingRows(connection),
    ["Rules", rulesLine(connection)],
    ["Certificate", certificateText(certificate)],
    ["Created", formatTime(connection.created_at)],
  ]);
  const records = formatTable(
    [
      ...recordColumns,
      {
        heading: "SEEN",
        cell: (record) => (isSeen(connection, record) ? paint("green", "yes") : "no"),
      },
    ],
    desired_records,
    null,
  );
  return [
    fields,
    ...(isProvenByText(connection) ? ["", "Proof of ownership", challengeTable(connection)] : []),
    "",
    "Records",
    records,
    ...(pending_records === null
      ? []
      : ["", "To be published instead of these", recordTable(pending_records)]),
  ].join("\n");
}

function ownershipText({ ownership }: ConnectionDetail): string | null {
  if (ownership === null) return null;
  return `proven by ${ownership.method} at ${formatTime(ownership.proven_at)}`;
}

/** Of a holder: it must prove the name again by then. Of a prover: it gets the name then. */
function contestText({ contest, state }: ConnectionDetail): string | null {
  if (contest === null) return null;
  const deadline = formatTime(contest.deadline);
  const isProver = state === "pending_ownership" || state === "verifying";
  return isProver
    ? `the name passes to this connection at ${deadline}, unless its holder proves it`
    : paint("red", `somebody else has proven the name; prove it again before ${deadline}`);
}

function certificateText(certificate: ConnectionDetail["certificate"]): string {
  const { status, ca, not_after, next_attempt_at, last_error } = certificate;
  const by = ca === null ? "" : ` by ${ca}`;
  const until = not_after === null ? "" : ` until ${formatTime(not_after)}`;
  const next = next_attempt_at === null ? "" : `, next attempt at ${formatTime(next_attempt_at)}`;
  const why = last_error === null ? "" : ` (${last_error.detail})`;
  return `${status === "none" ? "none" : painted(status)}${by}${until}${next}${why}`;
}

function challengeTable({
  ownership_challenge: { name, value },
}: Pick<ConnectionDetail, "ownership_challenge">): string {
  return recordTable([{ host: name, type: "TXT", value, ttl: null, priority: null }]);
}
