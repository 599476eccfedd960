import { toAbsolute, toRelative } from "../../src/name.ts";
import { readTarget, splitCaa, splitSrv } from "../../src/presentation.ts";
import { printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = { sub_auth_id: "1234", auth_password: "cloudns password & 0123456789" };
const ttls = [
  60, 300, 900, 1_800, 3_600, 21_600, 43_200, 86_400, 172_800, 259_200, 604_800, 1_209_600,
  2_592_000,
];

export function startCloudns(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, auth_password: "cloudns-revoked-99" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: () =>
      failure("Request blocked. 192.0.2.1 is sending more than 20 requests per second."),
    malformed: failure,
  });
}

/** The names of the parameters are what matters; the method does not. */
function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const query = request.url.searchParams;
  const password = query.get("auth-password");
  if (query.get("sub-auth-id") !== testKeys.sub_auth_id || password !== testKeys.auth_password) {
    return failure(
      `Invalid authentication, incorrect sub-auth-id, sub-auth-user or auth-password. ${password}`,
    );
  }
  const [group, command] = request.segments;
  if (group !== "dns") return { status: 404 };
  if (command === "list-zones.json") return listZones(query, store);
  const zone = store.zone(query.get("domain-name") ?? "");
  if (zone === null) return failure("Missing domain-name");
  return act(command ?? "", query, zone, store);
}

function act(
  command: string,
  query: URLSearchParams,
  zone: StoredZone,
  store: ZoneStore,
): SimulatedAnswer {
  const id = query.get("record-id") ?? "";
  switch (command) {
    case "records.json": {
      const shown = zone.records.map((record) => [record.id, present(record, zone.name)]);
      // An empty map is written as a list.
      return { status: 200, body: shown.length === 0 ? [] : Object.fromEntries(shown) };
    }
    case "add-record.json":
      return answer(createOne(store, zone, parse(query, zone, "")));
    case "mod-record.json":
      return answer(updateOne(store, zone, id, parse(query, zone, id)));
    case "delete-record.json":
      return answer(deleteOne(store, zone, id));
    default:
      return { status: 404 };
  }
}

function listZones(query: URLSearchParams, store: ZoneStore): SimulatedAnswer {
  const size = Number(query.get("rows-per-page"));
  if (![10, 20, 30, 50, 100].includes(size)) {
    return failure("Wrong or missing required parameter 'rows-per-page'.");
  }
  const page = Number(query.get("page"));
  const shown = slicePage(store.zones(), page, size).items.map(({ name, records }) => {
    const type = records.find(({ extras }) => "zoneType" in extras)?.extras["zoneType"];
    return { name, type: type ?? "master", zone: "domain", status: "1" };
  });
  return { status: 200, body: shown };
}

/** Numbers are texts, apart from the status; targets have no closing dot. */
function present(record: StoredRecord, zone: string): unknown {
  const { id, type, value, priority, extras } = record;
  const relative = toRelative(record.name, zone);
  const host = relative === "@" ? "" : relative;
  const base = { id, type, host, record: value, ttl: String(record.ttl), failover: "0", status: 1 };
  if (type === "CAA") {
    const { flags, tag, text } = splitCaa(value);
    return { ...base, record: "", caa_flag: String(flags), caa_type: tag, caa_value: text };
  }
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    const parts = { priority: String(priority), weight: String(weight), port: String(port) };
    return { ...base, ...parts, record: target };
  }
  return { ...base, ...(priority === null ? {} : { priority: String(priority) }), ...extras };
}

/** The type of a record that exists stays what it is. */
function parse(query: URLSearchParams, zone: StoredZone, id: string): RecordInput {
  const input = (key: string) => {
    const value = query.get(key);
    if (value === null) throw new SyntaxError(`Missing ${key}`);
    return value;
  };
  const type = zone.records.find((record) => record.id === id)?.type ?? input("record-type");
  const host = input("host");
  const ttl = Number(input("ttl"));
  if (host === "@" || host.endsWith(zone.name)) throw new SyntaxError("Invalid host");
  if (!ttls.includes(ttl)) throw new SyntaxError("Invalid TTL");
  const base = { name: toAbsolute(host, zone.name), type, ttl };
  const data = input("record");
  if (type === "TXT" && /["`]|\s$|^$/.test(data)) throw new SyntaxError("Invalid TXT record");
  if (type === "NS" && data.endsWith(`.${zone.name}.`)) throw new SyntaxError("Invalid NS record");
  switch (type) {
    case "CAA":
      return {
        ...base,
        value: printCaa(Number(input("caa_flag")), input("caa_type"), input("caa_value")),
      };
    case "SRV": {
      const value = `${input("weight")} ${input("port")} ${readTarget(data, null)}`;
      return { ...base, priority: Number(input("priority")), value };
    }
    case "MX":
      return { ...base, priority: Number(input("priority")), value: readTarget(data, null) };
    default:
      return { ...base, value: type === "TXT" ? data : readTarget(data, null) };
  }
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) {
    const body = { status: "Success", statusDescription: "The record was changed successfully." };
    return { status: 200, body };
  }
  if (outcome.why === "missing") return failure("Invalid record-id param.");
  return failure(
    outcome.why === "duplicate" ? "The record already exists." : `Invalid: ${outcome.message}`,
  );
}

function failure(statusDescription: string): SimulatedAnswer {
  return { status: 200, body: { status: "Failed", statusDescription } };
}
