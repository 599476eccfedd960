import type { Mooring, NewConnection } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../exit-code.ts";
import { type ApiCall, apiCommand } from "../api-command.ts";
import { examples } from "../examples.ts";
import { applicationId } from "../references.ts";
import { recordTable } from "../text/records.ts";
import { fieldsOf, tableOf } from "../text/table.ts";
import { orDash, painted } from "../text/words.ts";
import { challengeTable } from "./detail.ts";
import { watchConnection, withWatchOptions } from "./watch.ts";

export function addCreate(connections: Command, action: RegisterAction): void {
  const create = withWatchOptions(connections.command("create"))
    .description("start connecting a domain, or go on with one")
    .argument("<hostname...>", "one, or several at once")
    .option(
      "--app <app>",
      "id or name of the application (default: MOORING_APP, else the only one)",
    )
    .option("--watch", "stay and show the steps until it is live");
  examples(
    create,
    "mooring connections create shop.acme.com",
    "mooring connections create shop.acme.com --app Shop --watch",
    "mooring connections create a.example.com b.example.com c.example.com",
  );
  apiCommand(action, create, async (call) => {
    const application_id = await applicationId(call.client, call.options["app"]);
    const [hostname = "", ...others] = call.args;
    if (others.length > 0) return createMany(call, application_id);
    const made = await call.client.connections.create({ application_id, hostname });
    return conclude(call, made);
  });
}

async function conclude({ client, output, options }: ApiCall, made: NewConnection) {
  if (options["watch"] !== true) {
    output.result(await madeText(client, made), made);
    return exitCode.done;
  }
  output.item(await madeText(client, made), made);
  return watchConnection(client, output, made.id, options);
}

/** What the customer has to put into DNS, where they can find it. */
async function madeText(client: Mooring, made: NewConnection): Promise<string> {
  const { desired_records } = await client.connections.get(made.id);
  const fields = fieldsOf([
    ["Hostname", made.hostname],
    ["Id", made.id],
    ["State", painted(made.state)],
    ["Provider", orDash(made.provider)],
    ["Setup", made.setup_type],
  ]);
  const lines = [fields, "", "To prove ownership, add", challengeTable(made)];
  if (desired_records.length > 0) {
    lines.push("", "To send visitors here, add", recordTable(desired_records));
  }
  return [...lines, "", `Then: mooring connections watch ${made.hostname}`, ""].join("\n");
}

async function createMany(
  { client, output, args, width }: ApiCall,
  application_id: string,
): Promise<number> {
  const batch = await client.connections.createBatch({ application_id, hostnames: args });
  const text = tableOf(
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
