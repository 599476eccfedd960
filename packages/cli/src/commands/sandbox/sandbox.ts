import type { DnsRecord, ReplaceZone, SandboxZone, SandboxZoneSummary } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand, examples } from "../api-command.ts";
import { usageFailure } from "../explain.ts";
import { isRecordList, isTextList, parsedJson, readInput, textOrNull } from "../input.ts";
import { pageQuery, showPage, withPaging } from "../paging.ts";
import { connectionId } from "../references.ts";
import { type Column, formatTime, recordTable } from "../text/table.ts";
import { parseZoneText, type ZoneRecord } from "./zone-text.ts";

const columns: readonly Column<SandboxZoneSummary>[] = [
  { heading: "ZONE", cell: ({ zone }) => zone },
  { heading: "RECORDS", cell: ({ record_count }) => String(record_count) },
  { heading: "CHANGED", cell: ({ updated_at }) => formatTime(updated_at) },
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
  const show = sandbox.command("show").description("the records of a zone").argument("<zone>");
  examples(show, "mooring sandbox show acme.test");
  apiCommand(action, show, async ({ client, output, args: [zone = ""] }) => {
    const found = await client.sandbox.get(zone);
    output.result(zoneText(found), found);
    return undefined;
  });
  addPut(sandbox, action);
  addPublish(sandbox, action);
  const clear = sandbox
    .command("clear")
    .description("empty a zone and release its name")
    .argument("<zone>");
  examples(clear, "mooring sandbox clear acme.test");
  apiCommand(action, clear, async ({ client, output, args: [zone = ""] }) => {
    await client.sandbox.delete(zone);
    output.result(`${zone} is empty and free`, { zone, cleared: true });
    return undefined;
  });
}

/** Whether a DNS form would replace the old record; a CNAME excludes others (RFC 1034 §3.6.2). */
function isReplaced(old: DnsRecord, requested: DnsRecord): boolean {
  if (old.host !== requested.host) return false;
  return old.type === requested.type || old.type === "CNAME" || requested.type === "CNAME";
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
    .description("add the records of a connection to its zone, as its customer would")
    .argument("<connection>", "id or hostname");
  examples(
    publish,
    "mooring sandbox publish shop.acme.test && mooring connections watch shop.acme.test",
  );
  apiCommand(action, publish, async ({ client, output, args }) => {
    const found = await client.connections.get(await connectionId(client, args[0]));
    const zone = found.hostname.split(".").slice(-2).join(".");
    const requested = found.needed_records
      .filter(({ optional }) => !optional)
      .map(({ host, type, value, ttl, priority }) => ({ host, type, value, ttl, priority }));
    const before = await client.sandbox.get(zone);
    const others = before.records.filter(
      (one) => !requested.some((record) => isReplaced(one, record)),
    );
    const written = await client.sandbox.replace(zone, {
      records: [...others, ...requested],
      nameservers: before.nameservers,
    });
    output.result(zoneText(written), written);
    return undefined;
  });
}

type Records = ReplaceZone["records"];

function addPut(sandbox: Command, action: RegisterAction): void {
  const put = sandbox
    .command("put")
    .description("set all records of a zone; records that are not given are removed")
    .argument("<zone>", "a name directly under .test")
    .argument("[record...]", "host type value")
    .option("--file <file>", "zone text or a JSON list of records; - is stdin")
    .option("--add", "add to the records of the zone instead of replacing them")
    .option("--nameserver <name...>", "its name servers, from which a provider is detected");
  examples(
    put,
    "mooring sandbox put acme.test shop CNAME qk7f3xm2vd5hzt6ycr4lwbs3np.edge.localhost",
    "mooring sandbox put acme.test @ TXT 'v=spf1 -all' --add",
    "mooring sandbox put acme.test --file zone.txt",
    "# A zone file's line is: host [ttl] [IN] type value",
    "printf 'shop CNAME edge.localhost\\n@ MX 10 mail.acme.test\\n' | mooring sandbox put acme.test --file -",
  );
  apiCommand(action, put, async (call) => {
    const [zone = ""] = call.args;
    const records = await recordsIn(call, zone);
    const servers = call.options["nameserver"];
    const before = call.options["add"] === true ? await call.client.sandbox.get(zone) : null;
    const nameservers = isTextList(servers) ? servers : before?.nameservers;
    const written = await call.client.sandbox.replace(zone, {
      records: [...(before?.records ?? []), ...records],
      ...(nameservers === undefined ? {} : { nameservers }),
    });
    call.output.result(zoneText(written), written);
    return undefined;
  });
}

async function recordsIn({ args, options }: ApiCall, zone: string): Promise<Records> {
  const [, host, type, ...value] = args;
  const file = textOrNull(options["file"]);
  if (file !== null) {
    if (host !== undefined) throw usageFailure("give --file or one record, not both");
    return parseRecords(await readInput(file), zone);
  }
  if (host === undefined) return [];
  if (type === undefined || value.length === 0) throw usageFailure("a record is host type value");
  return [oneRecord(host, type.toUpperCase(), value.join(" "))];
}

/** Splits the priority from the target, as in a zone file. */
function oneRecord(host: string, type: string, value: string): ZoneRecord {
  const found = type === "MX" || type === "SRV" ? /^(\d{1,5}) (.+)$/.exec(value) : null;
  return {
    host,
    type,
    value: found?.[2] ?? value,
    ttl: null,
    priority: found ? Number(found[1]) : null,
  };
}

function parseRecords(content: string, zone: string): Records {
  const value = parsedJson(content);
  if (value === undefined) return parseZoneText(content, zone);
  const list =
    typeof value === "object" && value !== null && "records" in value ? value.records : value;
  if (isRecordList(list)) return list;
  throw usageFailure("JSON is a list of records with host, type and value");
}
