import { absoluteTarget, readTarget, splitCaa, splitSrv } from "../../src/presentation.ts";
import {
  anything,
  boolean,
  list,
  number,
  object,
  optional,
} from "../../src/providers/adapter/json.ts";
import { printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const apiToken = "1234$gcore-token-0123456789";
/** What a list has without `all`, and at most with a limit. */
const usualCount = 20;

export function startGcore(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "1234$gcore-token-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const { authorization } = request.headers;
  if (authorization !== `APIKey ${apiToken}`) return failure(401, `bad key ${authorization}`);
  const [dns, version, zones, name, second, type] = request.segments;
  if (dns !== "dns" || version !== "v2" || zones !== "zones") return failure(404, "not found");
  if (name === undefined) return listZones(request, store);
  const zone = store.zone(name);
  if (zone === null) return failure(404, "zone is not found");
  if (request.method === "GET" && second === "rrsets") return listSets(request, zone);
  if (second === undefined || type === undefined) return failure(404, "not found");
  return write(request, zone, second, type, store);
}

function listZones({ url }: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const limit = Number(url.searchParams.get("limit") ?? usualCount);
  const offset = Number(url.searchParams.get("offset") ?? 0);
  const all = store.zones();
  const zones = all
    .slice(offset, offset + Math.min(limit, 25))
    .map(({ id, name }) => ({ id: Number(id.slice(4)), name, enabled: true, status: "ok" }));
  return { status: 200, body: { zones, total_amount: all.length } };
}

function listSets({ url }: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  const all = groupSets(zone).map(presentSet);
  const rrsets = url.searchParams.get("all") === "true" ? all : all.slice(0, usualCount);
  return { status: 200, body: { rrsets, total_amount: all.length } };
}

/** Names in full, some of them with a closing dot. */
function presentSet({ name, type, ttl, records }: StoredSet): unknown {
  const { pickers, meta } = records[0]?.extras ?? {};
  return {
    name,
    type: type === "ALIAS" ? "CNAME" : type,
    ttl,
    ...(pickers === undefined ? {} : { pickers, filters: pickers }),
    ...(meta === undefined ? {} : { meta }),
    resource_records: records.map((record) => ({
      id: Number(record.id),
      content: presentContent(record),
      enabled: record.extras["enabled"] !== false,
      meta: record.extras["own"] ?? {},
    })),
  };
}

function presentContent({ type, value, priority }: StoredRecord): readonly unknown[] {
  switch (type) {
    case "MX":
      return [priority, absoluteTarget(value)];
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return [priority, weight, port, absoluteTarget(target)];
    }
    case "CAA": {
      const { flags, tag, text } = splitCaa(value);
      return [flags, tag, text];
    }
    case "HTTPS":
      return [1, ".", ["alpn", "h2"]];
    case "CNAME":
      return [absoluteTarget(value)];
    default:
      return [value];
  }
}

const body = object({
  ttl: number,
  resource_records: list(object({ content: list(anything), enabled: optional(boolean, true) })),
});

function write(
  request: SimulatedRequest,
  zone: StoredZone,
  name: string,
  type: string,
  store: ZoneStore,
): SimulatedAnswer {
  if (name !== zone.name && !name.endsWith(`.${zone.name}`)) return failure(400, "rrset name");
  const stored = groupSets(zone).find(
    (set) => set.name === name && (set.type === "ALIAS" ? "CNAME" : set.type) === type,
  );
  const ids = stored?.records.map(({ id }) => id) ?? [];
  if (request.method === "DELETE") {
    if (stored === undefined) return failure(404, "record is not found");
    store.replace(zone, ids, []);
    return { status: 200, body: {} };
  }
  if (request.method === "POST" && stored !== undefined) {
    return failure(409, "rrset is already exists");
  }
  const { ttl, resource_records: values } = body(JSON.parse(request.body), "");
  if (ttl < 120) return failure(400, "ttl is too short for the plan");
  const inputs = values.map(({ content }) => readInput(name, type, ttl, content));
  const problem = store.replace(zone, ids, inputs);
  if (problem !== null && !problem.ok) return failure(400, problem.message);
  return { status: 200, body: {} };
}

function readInput(
  name: string,
  type: string,
  ttl: number,
  fields: readonly unknown[],
): RecordInput {
  const [first, second, third, fourth] = fields.map(String);
  const base = { name, type, ttl };
  const rank = typeof fields[0] === "number" ? fields[0] : Number.NaN;
  switch (type) {
    case "MX":
      return { ...base, priority: rank, value: readTarget(second ?? "", null) };
    case "SRV":
      if (fourth === ".") throw new SyntaxError("empty target");
      return {
        ...base,
        priority: rank,
        value: `${second} ${third} ${readTarget(fourth ?? "", null)}`,
      };
    case "CAA":
      return { ...base, value: printCaa(rank, second ?? "", third ?? "") };
    case "CNAME":
    case "NS":
      return { ...base, value: readTarget(first ?? "", null) };
    default:
      return { ...base, value: first ?? "" };
  }
}

function failure(status: number, error: string): SimulatedAnswer {
  return { status, body: { error } };
}
