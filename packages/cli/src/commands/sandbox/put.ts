import type { ReplaceZone, SandboxZone } from "@mooring/sdk";
import type { Command } from "commander";
import type { RegisterAction } from "../../action.ts";
import { type ApiCall, apiCommand } from "../api-command.ts";
import { given } from "../client.ts";
import { examples } from "../examples.ts";
import { usageFailure } from "../explain.ts";
import { isTextList, parsedJson, readInput } from "../input.ts";
import { parseZoneText, type ZoneRecord } from "./zone-text.ts";

type Records = ReplaceZone["records"];

export function addPut(
  sandbox: Command,
  action: RegisterAction,
  zoneText: (zone: SandboxZone) => string,
): void {
  const put = sandbox
    .command("put")
    .description("say all that a zone holds; what is not said is gone")
    .argument("<zone>", "a name directly under .test")
    .argument("[record...]", "host type value")
    .option("--file <file>", "zone text or a JSON list of records; - is stdin")
    .option("--add", "keep what the zone holds besides")
    .option("--nameserver <name...>", "its apparent servers, from which a provider is detected");
  examples(
    put,
    "mooring sandbox put acme.test shop CNAME edge.localhost",
    "mooring sandbox put acme.test _service-challenge.shop TXT service-verify=… --add",
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
  const file = given(options["file"]);
  if (file !== null) {
    if (host !== undefined) throw usageFailure("give --file or one record, not both");
    return parseRecords(await readInput(file), zone);
  }
  if (host === undefined) return [];
  if (type === undefined || value.length === 0) throw usageFailure("a record is host type value");
  return [oneRecord(host, type.toUpperCase(), value.join(" "))];
}

/** As a zone file has it, the priority in front of the target. */
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
  if (isRecords(list)) return list;
  throw usageFailure("JSON is a list of records with host, type and value");
}

/** Its outline; the API says what is wrong with a record. */
function isRecords(value: unknown): value is Records {
  const names = ["host", "type", "value"];
  return (
    Array.isArray(value) &&
    value.every(
      (one) => typeof one === "object" && one !== null && names.every((name) => name in one),
    )
  );
}
