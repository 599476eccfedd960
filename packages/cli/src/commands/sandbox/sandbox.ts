import type { DnsRecord, SandboxZone, SandboxZoneSummary } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { apiCommand } from "../api-command.ts";
import { examples } from "../examples.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { connectionId } from "../references.ts";
import { recordTable } from "../text/records.ts";
import type { Column } from "../text/table.ts";
import { timeOf } from "../text/words.ts";
import { addPut } from "./put.ts";

const columns: readonly Column<SandboxZoneSummary>[] = [
  { heading: "ZONE", cell: ({ zone }) => zone },
  { heading: "RECORDS", cell: ({ record_count }) => String(record_count) },
  { heading: "CHANGED", cell: ({ updated_at }) => timeOf(updated_at) },
  { heading: "NAMESERVERS", cell: ({ nameservers }) => nameservers.join(","), isElastic: true },
];

export function addSandbox(program: Command, action: RegisterAction): void {
  const sandbox = program
    .command("sandbox")
    .description("DNS zones under .test, to try everything without a domain; test keys only");
  const zones = withPaging(sandbox.command("zones")).description("list your zones");
  examples(zones, "mooring sandbox zones");
  apiCommand(action, zones, async (call) => {
    const listing = call.client.sandbox.list(pageQuery(call.options));
    await showPage(call, listing, columns, "There is no zone yet: mooring sandbox put ZONE …");
    return undefined;
  });
  const show = sandbox.command("show").description("what a zone holds").argument("<zone>");
  examples(show, "mooring sandbox show acme.test");
  apiCommand(action, show, async ({ client, output, args: [zone = ""] }) => {
    const found = await client.sandbox.get(zone);
    output.result(zoneText(found), found);
    return undefined;
  });
  addPut(sandbox, action, zoneText);
  addPublish(sandbox, action);
  const clear = sandbox
    .command("clear")
    .description("empty a zone and give it up")
    .argument("<zone>");
  examples(clear, "mooring sandbox clear acme.test");
  apiCommand(action, clear, async ({ client, output, args: [zone = ""] }) => {
    await client.sandbox.delete(zone);
    output.result(`${zone} is empty and free`, { zone, cleared: true });
    return undefined;
  });
}

/** What a customer's DNS form would replace; a CNAME stands alone (RFC 1034 §3.6.2). */
function makesWay(old: DnsRecord, wanted: DnsRecord): boolean {
  if (old.host !== wanted.host) return false;
  return old.type === wanted.type || old.type === "CNAME" || wanted.type === "CNAME";
}

function zoneText({ zone, nameservers, records }: SandboxZone): string {
  const head = `${zone} at ${nameservers.join(", ")}`;
  return records.length === 0
    ? `${head}\nThe zone is empty.`
    : `${head}\n\n${recordTable(records)}`;
}

function addPublish(sandbox: Command, action: RegisterAction): void {
  const publish = sandbox
    .command("publish")
    .description("add what a connection needs to its zone, as its customer would")
    .argument("<connection>", "id or hostname");
  examples(
    publish,
    "mooring sandbox publish shop.acme.test && mooring connections watch shop.acme.test",
  );
  apiCommand(action, publish, async ({ client, output, args }) => {
    const found = await client.connections.get(await connectionId(client, args[0]));
    const zone = found.hostname.split(".").slice(-2).join(".");
    const { name, value } = found.ownership_challenge;
    const wanted = [
      { host: name, type: "TXT", value, ttl: null, priority: null },
      ...found.desired_records,
    ];
    const before = await client.sandbox.get(zone);
    const kept = before.records.filter((one) => !wanted.some((record) => makesWay(one, record)));
    const written = await client.sandbox.replace(zone, {
      records: [...kept, ...wanted],
      nameservers: before.nameservers,
    });
    output.result(zoneText(written), written);
    return undefined;
  });
}
