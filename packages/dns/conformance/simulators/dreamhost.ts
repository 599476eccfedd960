import { absoluteTarget, parseData, presentData } from "../../src/presentation.ts";
import { parseRecord, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne } from "./single-records.ts";

const testKeys = { api_key: "1A2B3C4D5E6F7G8H" };
/** The one TTL that all records have. */
const ttlSeconds = 14_400;
const addedTypes = ["A", "CNAME", "NS", "NAPTR", "SRV", "TXT", "AAAA"];

export async function startDreamhost(): Promise<Backend> {
  const backend = await startSimulator({
    credentials: testKeys,
    wrongCredentials: { api_key: "9Z9Z9Z9Z9Z9Z9Z9Z" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: () => failure("slow_down_bucko\ttoo many commands in this hour"),
    malformed: (message) => failure(`invalid_value\t${message}`),
  });
  return {
    ...backend,
    seed: (zone, records) =>
      backend.seed(
        zone,
        records.map((record) => ({ ...record, ttl: ttlSeconds })),
      ),
  };
}

/** Commands are in the query of a GET, the key too; every answer has status 200. */
function handle({ method, url }: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const query = Object.fromEntries(url.searchParams);
  if (method !== "GET" || query["format"] !== "json") return failure("no_such_cmd");
  if (query["key"] !== testKeys.api_key) return failure(`invalid_api_key\t${query["key"]}`);
  switch (query["cmd"]) {
    case "dns-list_records":
      return success(store.zones().flatMap(listZone));
    case "dns-add_record":
      return add(query, store);
    case "dns-remove_record":
      return remove(query, store);
    default:
      return failure("no_such_cmd");
  }
}

/** All records of all zones in one list, each zone with NS records that cannot be edited. */
function listZone(zone: StoredZone): readonly unknown[] {
  const servers = [1, 2, 3].map((number) => ({
    account_id: "1",
    zone: zone.name,
    record: zone.name,
    type: "NS",
    value: `ns${number}.dreamhost.com.`,
    comment: "",
    editable: "0",
  }));
  const records = zone.records.map((record) => ({
    account_id: "1",
    zone: zone.name,
    record: record.name,
    type: record.type,
    value: toValue(record),
    comment: "",
    editable: String(record.extras["editable"] ?? "1"),
  }));
  return [...servers, ...records];
}

/** Zone-file data, but texts are bare. */
function toValue(record: StoredRecord): string {
  const parsed = parseRecord(record);
  if (!parsed.ok || record.type === "TXT") return record.value;
  return presentData(parsed.record);
}

type Query = Readonly<Record<string, string>>;

function findZone(name: string, store: ZoneStore): StoredZone | undefined {
  return store
    .zones()
    .filter((one) => name === one.name || name.endsWith(`.${one.name}`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

function add({ record = "", type = "", value = "" }: Query, store: ZoneStore): SimulatedAnswer {
  if (record === "") return failure("no_record");
  if (value === "") return failure("no_value");
  if (!addedTypes.includes(type)) return failure(`invalid_type\t${type}`);
  const zone = findZone(record, store);
  if (zone === undefined) return failure("no_such_zone");
  const outcome = createOne(store, zone, readInput(record, type, value));
  if (outcome.done) return success("record_added");
  const codes = {
    missing: "no_such_record",
    duplicate: "record_already_exists_remove_first",
    clash: type === "CNAME" ? "CNAME_must_be_only_record" : "CNAME_already_on_record",
    invalid: "invalid_value",
  };
  return failure(codes[outcome.why]);
}

/** A target without its closing dot gets one. */
function readInput(name: string, type: string, value: string): RecordInput {
  if (type === "TXT") {
    if (/["\\]/.test(value)) throw new SyntaxError("quotes");
    return { name, type, value, ttl: ttlSeconds };
  }
  const hasTarget = type === "CNAME" || type === "NS" || type === "SRV";
  const parsed = parseData(type, hasTarget ? absoluteTarget(value) : value, null);
  if (parsed === null) throw new SyntaxError(value);
  return { name, type, ttl: ttlSeconds, ...parsed };
}

/** Only the value as it is listed is found. */
function remove({ record, type, value }: Query, store: ZoneStore): SimulatedAnswer {
  const zone = findZone(record ?? "", store);
  const named = zone?.records.filter((one) => one.name === record) ?? [];
  if (zone === undefined || named.length === 0) return failure("no_such_record");
  const found = named.filter((one) => one.type === type);
  if (found.length === 0) return failure("no_such_type");
  const one = found.find((candidate) => toValue(candidate) === value);
  if (one === undefined) return failure("no_such_value");
  if (one.extras["editable"] === "0" || !addedTypes.includes(one.type)) {
    return failure("not_editable");
  }
  deleteOne(store, zone, one.id);
  return success("record_removed");
}

function success(data: unknown): SimulatedAnswer {
  return { status: 200, body: { result: "success", data } };
}

function failure(data: string): SimulatedAnswer {
  return { status: 200, body: { result: "error", data } };
}
