import type { NewConnection } from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { textOrNull } from "../input.ts";
import { applicationId } from "../references.ts";
import { type Column, formatTable, orDash, painted } from "../text/table.ts";
import { neededText } from "./needed-text.ts";

const columns: readonly Column<NewConnection>[] = [
  { heading: "HOSTNAME", cell: ({ hostname }) => hostname, isElastic: true },
  { heading: "ID", cell: ({ id }) => id },
  { heading: "STATE", cell: ({ state }) => painted(state) },
  { heading: "REDIRECTS TO", cell: ({ redirect_to }) => orDash(redirect_to) },
];

export function addPair(connections: Command, action: RegisterAction): void {
  const pair = connections
    .command("pair")
    .argument("<domain>", "a registered domain like acme.com, or its www")
    .description("start connecting a domain and its www; one redirects to the other")
    .option("--app <app>", "id or name (default: MOORING_APP, else the only one)")
    .addOption(
      new Option("--canonical <which>", "the one visitors stay on (default: the given)").choices([
        "apex",
        "www",
      ]),
    )
    .option("--customer-ref <ref>", "your id of the customer whose domain it is")
    .option("--cutover", "prepare both first: either serves visitors elsewhere now");
  examples(
    pair,
    "mooring connections pair acme.com",
    "mooring connections pair acme.com --canonical www --customer-ref customer-42",
    "mooring connections pair acme.com --cutover",
  );
  apiCommand(action, pair, async ({ client, output, args, options, width }) => {
    const { canonical } = options;
    const customer = textOrNull(options["customerRef"]);
    const made = await client.connections.createPair({
      application_id: await applicationId(client, options["app"]),
      hostname: args[0] ?? "",
      ...(canonical === "apex" || canonical === "www" ? { canonical } : {}),
      ...(customer === null ? {} : { customer_ref: customer }),
      ...(options["cutover"] === true ? { cutover: true } : {}),
    });
    const needed = made.connections.flatMap(({ needed_records }) => needed_records);
    const lines = [formatTable(columns, made.connections, width), ...neededText(needed)];
    output.result(lines.join("\n"), made);
    return undefined;
  });
}
