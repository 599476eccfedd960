import type { Connection, ConnectionDetail, UpdateConnection } from "@mooring/sdk";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand, examples } from "../api-command.ts";
import { edgeLine, ruleChangesIn } from "../applications/edge-settings.ts";
import { usageFailure } from "../explain.ts";
import { isTextList, textOrNull } from "../input.ts";
import { connectionId } from "../references.ts";
import { formatFields } from "../text/table.ts";

export function addUpdate(connections: Command, action: RegisterAction): void {
  const update = connections
    .command("update")
    .argument("<connection>", "id or hostname")
    .description("change how the edge serves a domain, or whose it is; what is not given stays")
    .option("--redirect-to <hostname>", "another domain of the application; none ends the redirect")
    .option("--origin-url <url>", "where the edge proxies it to; none: as the application")
    .addOption(
      new Option(
        "--origin-host-header <kind>",
        "the Host header that the origin gets; none: as the application",
      ).choices(["preserve", "origin", "none"]),
    )
    .option("--customer-ref <ref>", "your id of the customer whose domain it is; none: nobody's")
    .option(
      "--edge <rule...>",
      "rules of its own, as deny='[\"192.0.2.0/24\"]'; off, or null resets",
    );
  examples(
    update,
    "mooring connections update acme.com --redirect-to www.acme.com",
    "mooring connections update acme.com --redirect-to none",
    "mooring connections update shop.acme.com --origin-url https://eu.example.com",
    "mooring connections update shop.acme.com --customer-ref customer-42",
    "mooring connections update shop.acme.com --edge maintenance=off rate_limit=null",
  );
  apiCommand(action, update, async ({ client, output, args, options }) => {
    const edge = options["edge"];
    const body = {
      ...changesIn(options),
      ...(isTextList(edge) ? { edge: await ruleChangesIn(edge) } : {}),
    };
    if (Object.keys(body).length === 0) throw usageFailure("say what to change: see --help");
    const id = await connectionId(client, args[0]);
    const changed = await client.connections.update(id, body);
    const fields: [string, string | null][] = [["Hostname", changed.hostname]];
    output.result(formatFields([...fields, ...settingRows(changed)]), changed);
    return undefined;
  });
}

function changesIn(options: Readonly<Record<string, unknown>>): UpdateConnection {
  const target = textOrNull(options["redirectTo"]);
  const url = textOrNull(options["originUrl"]);
  const header = options["originHostHeader"];
  const customer = textOrNull(options["customerRef"]);
  return {
    ...(target === null ? {} : { redirect_to: orNull(target) }),
    ...(url === null ? {} : { origin_url: orNull(url) }),
    ...(header === "preserve" || header === "origin" ? { origin_host_header: header } : {}),
    ...(header === "none" ? { origin_host_header: null } : {}),
    ...(customer === null ? {} : { customer_ref: orNull(customer) }),
  };
}

function orNull(text: string): string | null {
  return text === "none" ? null : text;
}

type Settings = Pick<
  Connection,
  "redirect_to" | "origin_url" | "origin_host_header" | "customer_ref"
>;

/** What the connection sets itself; rows without a value are not shown. */
export function settingRows(connection: Settings): [string, string | null][] {
  return [
    ["Customer", connection.customer_ref],
    ["Redirects to", connection.redirect_to],
    ["Origin", connection.origin_url],
    ["Host header", connection.origin_host_header],
  ];
}

/** Rules that the connection sets itself, in one line; null when it sets none. */
export function rulesLine({ edge }: Pick<ConnectionDetail, "edge">): string | null {
  return edge === null ? null : edgeLine(edge);
}
