import type { DomainCheck } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../action.ts";
import { apiCommand, examples } from "./api-command.ts";
import { textOrNull } from "./input.ts";
import { applicationId } from "./references.ts";
import { paint, wrap } from "./text/paint.ts";
import { formatFields, orDash, recordTable, yesNo } from "./text/table.ts";

export function addDomains(program: Command, action: RegisterAction): void {
  const domains = program
    .command("domains")
    .description("facts about a domain before it is connected");
  const check = domains
    .command("check")
    .description("find a domain's DNS provider and conflicting records; changes nothing")
    .argument("<hostname>")
    .option("--app <app>", "against the records of this application, by id or name");
  examples(
    check,
    "mooring domains check shop.acme.com",
    "mooring domains check shop.acme.com --json | jq -r .provider_slug",
  );
  apiCommand(action, check, async ({ client, output, args: [domain = ""], options, width }) => {
    const app = textOrNull(options["app"]);
    const found = await client.domains.check({
      domain,
      ...(app === null ? {} : { application_id: await applicationId(client, app) }),
    });
    output.result(checkText(found, width), found);
    return undefined;
  });
}

function checkText(found: DomainCheck, width: number | null): string {
  const fields = formatFields([
    ["Domain", `${found.domain}${found.apex ? " (apex)" : ""}`],
    ["Registered", yesNo(found.registered)],
    [
      "Provider",
      found.provider === null ? "unknown" : `${found.provider} (${found.provider_slug})`,
    ],
    ["Nameserver", orDash(found.nameserver)],
    ["Setup", setupText(found)],
    ["DNSSEC", found.dnssec],
    ["Certificate", caaText(found.caa_allows)],
  ]);
  const conflicts =
    found.record_conflicts.length === 0
      ? []
      : ["", "In conflict", recordTable(found.record_conflicts)];
  const warnings = found.warnings.map(
    (one) => `${paint("yellow", "!")} ${wrap(one, width, "  ").trimStart()}`,
  );
  return [fields, ...conflicts, ...(warnings.length > 0 ? ["", ...warnings] : [])].join("\n");
}

function setupText({ setup_type, domain_connect, auto_configurable }: DomainCheck): string {
  if (domain_connect) return `${setup_type}, by consent at the provider`;
  return auto_configurable ? `${setup_type}, with a credential` : setup_type;
}

function caaText(isAllowed: boolean | null): string {
  return isAllowed === null
    ? "CAA could not be read"
    : isAllowed
      ? "CAA allows it"
      : paint("red", "CAA forbids it");
}
