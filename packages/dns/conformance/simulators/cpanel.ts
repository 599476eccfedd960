import { presentData, readTarget, splitCaa, splitTxt } from "../../src/presentation.ts";
import { list, number, object, text } from "../../src/providers/adapter/json.ts";
import { parseRecord, printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = {
  server: "https://server.example.net:2083",
  username: "shop",
  api_token: "CPANELTOKEN0123456789",
};
/** Where the records begin: a comment, `$TTL`, and the SOA over several lines are before them. */
const firstLine = 9;
const firstSerial = 2_026_111_801;

export function startCpanel(): Promise<Backend> {
  /** The file's serial number is part of every change. */
  const changes = new Map<string, number>();
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_token: "CPANELTOKENREVOKED" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, changes),
    malformed: (message) => refused(message),
  });
}

function handle(
  request: SimulatedRequest,
  store: ZoneStore,
  changes: Map<string, number>,
): SimulatedAnswer {
  const { username, api_token } = testKeys;
  if (request.headers.authorization !== `cpanel ${username}:${api_token}`) {
    return { status: 401, body: `<html>Access denied ${request.headers.authorization}</html>` };
  }
  const call = request.segments.join("/");
  if (call === "execute/DomainInfo/list_domains") return succeeded(listDomains(store));
  const fields =
    request.method === "POST" ? new URLSearchParams(request.body) : request.url.searchParams;
  const zone = store.zone(fields.get("zone") ?? "");
  if (zone === null) {
    return refused(`You do not control a DNS zone named “${fields.get("zone")}”.`);
  }
  const serial = String(firstSerial + (changes.get(zone.id) ?? 0));
  if (call === "execute/DNS/parse_zone") return succeeded(presentZone(zone, serial));
  if (call !== "execute/DNS/mass_edit_zone")
    return refused("The system could not find the function.");
  if (fields.get("serial") !== serial) {
    return refused(
      `The given serial number (${fields.get("serial")}) does not match the DNS zone’s.`,
    );
  }
  const answer = massEdit(fields, zone, store);
  if (answer === null) changes.set(zone.id, (changes.get(zone.id) ?? 0) + 1);
  return answer ?? succeeded({ new_serial: String(Number(serial) + 1) });
}

/** The first one is the account's main domain; the others are addon domains and aliases. */
function listDomains(store: ZoneStore): unknown {
  const [main = "main.example", ...others] = store.zones().map(({ name }) => name);
  return {
    main_domain: main,
    addon_domains: others.filter((_, index) => index % 2 === 0),
    parked_domains: others.filter((_, index) => index % 2 === 1),
    sub_domains: [`blog.${main}`],
  };
}

function presentZone(zone: StoredZone, serial: string): readonly unknown[] {
  const soa = ["ns1.example.net.", "root.example.net.", serial, "3600", "1800", "1209600", "86400"];
  const head = { type: "record", record_type: "SOA", ttl: 86_400 };
  return [
    { line_index: 0, type: "comment", text_b64: encode("; cPanel first:11.110") },
    { line_index: 1, type: "control", text_b64: encode("$TTL 14400") },
    { line_index: 2, ...head, dname_b64: encode(`${zone.name}.`), data_b64: soa.map(encode) },
    ...zone.records.map((record, index) => ({
      line_index: firstLine + index,
      type: "record",
      record_type: record.type,
      ttl: record.ttl,
      dname_b64: encode(`${record.name}.`),
      data_b64: presentFields(record).map(encode),
    })),
  ];
}

function presentFields(stored: StoredRecord): readonly string[] {
  if (stored.type === "TXT") return splitTxt(stored.value).map((bytes) => bytes.toString("utf8"));
  if (stored.type === "CAA") {
    const { flags, tag, text: issuer } = splitCaa(stored.value);
    return [String(flags), tag, issuer];
  }
  const parsed = parseRecord(stored);
  // An alias is no record of a zone file: what the file has at the apex is a CNAME.
  return parsed.ok ? presentData(parsed.record).split(" ") : [stored.value];
}

const added = object({ dname: text, ttl: number, record_type: text, data: list(text) });
const edited = object({
  line_index: number,
  dname: text,
  ttl: number,
  record_type: text,
  data: list(text),
});

/** All of it or nothing; lines are those before the change. */
function massEdit(
  fields: URLSearchParams,
  zone: StoredZone,
  store: ZoneStore,
): SimulatedAnswer | null {
  const edits = fields.getAll("edit").map((one) => edited(JSON.parse(one), ""));
  const additions = fields.getAll("add").map((one) => added(JSON.parse(one), ""));
  const lines = [...fields.getAll("remove").map(Number), ...edits.map((one) => one.line_index)];
  const ids = lines.map((line) => zone.records[line - firstLine]?.id ?? null);
  if (ids.includes(null) || new Set(ids).size < ids.length) return refused("No record is at line.");
  const inputs = [...edits, ...additions].map((one) => parse(one, zone.name));
  const problem = store.replace(
    zone,
    ids.flatMap((id) => id ?? []),
    inputs,
  );
  return problem === null || problem.ok ? null : refused(problem.message);
}

/** A name without a closing dot is relative to the zone, in the data as well. */
function parse(wire: ReturnType<typeof added>, zone: string): RecordInput {
  const { record_type: type, ttl, data } = wire;
  const name = readTarget(wire.dname, zone);
  if (type === "TXT") {
    if (data.some((one) => Buffer.byteLength(one) > 255)) throw new SyntaxError("TXT is too long");
    return { name, type, ttl, value: data.join("") };
  }
  const [first = "", second = "", third = ""] = data;
  if (type === "CAA") return { name, type, ttl, value: printCaa(Number(first), second, third) };
  const target = (one: string) => readTarget(one, zone);
  if (type === "MX") return { name, type, ttl, priority: Number(first), value: target(second) };
  if (type === "SRV") {
    const value = `${second} ${third} ${target(data[3] ?? "")}`;
    return { name, type, ttl, priority: Number(first), value };
  }
  if (data.length !== 1) throw new SyntaxError(`${type} takes one value`);
  return { name, type, ttl, value: type === "CNAME" || type === "NS" ? target(first) : first };
}

function encode(value: string): string {
  return Buffer.from(value, "utf8").toString("base64");
}

function succeeded(data: unknown): SimulatedAnswer {
  const metadata = { transformed: 1 };
  return {
    status: 200,
    body: { status: 1, data, errors: null, messages: null, warnings: null, metadata },
  };
}

/** Also failures have status 200. */
function refused(message: string): SimulatedAnswer {
  return {
    status: 200,
    body: { status: 0, data: null, errors: [message], messages: null, metadata: {} },
  };
}
