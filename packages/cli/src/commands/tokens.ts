import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { apiCommand, examples } from "./api-command.ts";
import { textOrNull } from "./input.ts";
import { applicationId } from "./references.ts";
import { formatFields, formatTime } from "./text/table.ts";

export function addTokens(program: Command, action: RegisterAction): void {
  const tokens = program.command("tokens").description("short-lived tokens for the widget");
  const create = tokens
    .command("create")
    .description("mint a widget token, valid for an hour")
    .option("--app <app>", "id or name (default: MOORING_APP, else the only one)")
    .option("--customer-ref <ref>", "your id of the signed-in customer: it reaches theirs only")
    .option("--domain <hostname>", "the one hostname it may act on");
  examples(
    create,
    "mooring tokens create --customer-ref customer-42",
    "mooring tokens create --customer-ref customer-42 --domain shop.acme.com",
    "mooring tokens create --customer-ref customer-42 --json | jq -r .auth_token",
  );
  apiCommand(action, create, async ({ client, output, options }) => {
    const domain = textOrNull(options["domain"]);
    const customer = textOrNull(options["customerRef"]);
    const minted = await client.tokens.mint({
      application_id: await applicationId(client, options["app"]),
      ...(customer === null ? {} : { customer_ref: customer }),
      ...(domain === null ? {} : { domain }),
    });
    const fields = formatFields([
      ["Token", minted.auth_token],
      ["Expires", formatTime(minted.expires_at)],
    ]);
    output.result(fields, minted);
    return undefined;
  });
}
