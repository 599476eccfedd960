import { presentData, readTarget } from "../../src/presentation.ts";
import { parseRecord, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = {
  server: "https://server.example.net:2222",
  username: "shop",
  login_key: "directadmin-key-0123456789",
};

export function startDirectadmin(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, login_key: "directadmin-key-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(200, "Error adding record", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const login = Buffer.from(`${testKeys.username}:${testKeys.login_key}`).toString("base64");
  if (request.headers.authorization !== `Basic ${login}`) {
    return { status: 401, body: `<html>${String(request.headers.authorization)}</html>` };
  }
  const [command] = request.segments;
  if (command === "CMD_API_SHOW_DOMAINS") {
    return { status: 200, body: store.zones().map(({ name }) => name) };
  }
  const zone = store.zone(request.url.searchParams.get("domain") ?? "");
  if (command !== "CMD_API_DNS_CONTROL" || zone === null) {
    return failure(500, "Cannot View Dns Record", "You do not own that domain");
  }
  if (request.method === "GET") return { status: 200, body: presentZone(zone) };
  const fields = new URLSearchParams(request.body);
  const action = fields.get("action") ?? "";
  if (action === "add") return write(store, zone, [], [parse(fields, zone.name)]);
  const ids = selected(fields, zone);
  if (ids.length === 0) return failure(200, "Error deleting records", "No such record");
  if (action === "select") return write(store, zone, ids, []);
  if (action === "edit") return write(store, zone, ids, [parse(fields, zone.name)]);
  return failure(200, "Unknown action", action);
}

function presentZone(zone: StoredZone): unknown {
  const records = zone.records.map((record) => {
    const [name, value] = nameAndValue(record, zone.name);
    const shown = { type: record.type, name, value, combined: `name=${name}&value=${value}` };
    return { ...shown, ttl: String(record.ttl) };
  });
  return { records, dns_ttl: "1", allow_dns_underscore: "1", full_mx_records: "1" };
}

/** The name is short where it was entered so; each second record stands for those. */
function nameAndValue(record: StoredRecord, zone: string): readonly [string, string] {
  const isShort = Number(record.id) % 2 === 0 && record.name !== zone;
  const name = isShort ? record.name.slice(0, -zone.length - 1) : `${record.name}.`;
  const parsed = parseRecord(record);
  const isText = record.type === "TXT" || !parsed.ok;
  return [name, isText ? record.value : presentData(parsed.record)];
}

/** The number after the type counts the given ones; name and value say which record it is. */
function selected(fields: URLSearchParams, zone: StoredZone): readonly string[] {
  return [...fields].flatMap(([key, value]) => {
    const type = /^([a-z]+)recs\d+$/.exec(key)?.[1]?.toUpperCase();
    const found = zone.records.find((record) => {
      const [name, shown] = nameAndValue(record, zone.name);
      return record.type === type && value === `name=${name}&value=${shown}`;
    });
    return found === undefined ? [] : [found.id];
  });
}

function parse(fields: URLSearchParams, zone: string): RecordInput {
  const [type = "", name = "", value = ""] = ["type", "name", "value"].map((key) =>
    String(fields.get(key) ?? ""),
  );
  if (type === "TXT" && Buffer.byteLength(value) > 255) throw new SyntaxError("too long");
  const common = { name: readTarget(name, zone), type, ttl: Number(fields.get("ttl") ?? 14_400) };
  const [first = "", second = "", third = "", fourth = ""] = value.split(" ");
  switch (type) {
    case "MX":
      return { ...common, value: readTarget(second, zone), priority: Number(first) };
    case "SRV": {
      const target = readTarget(fourth, zone);
      return { ...common, value: `${second} ${third} ${target}`, priority: Number(first) };
    }
    case "CNAME":
    case "NS":
      return { ...common, value: readTarget(value, zone) };
    default:
      return { ...common, value };
  }
}

function write(
  store: ZoneStore,
  zone: StoredZone,
  ids: readonly string[],
  inputs: readonly RecordInput[],
): SimulatedAnswer {
  const problem = store.replace(zone, ids, inputs);
  if (problem !== null && !problem.ok) return failure(200, "Error adding record", problem.message);
  const success = inputs.length === 0 ? "Records Deleted" : "record added";
  return { status: 200, body: { result: "", success } };
}

function failure(status: number, error: string, result: string): SimulatedAnswer {
  return { status, body: { error, result } };
}
