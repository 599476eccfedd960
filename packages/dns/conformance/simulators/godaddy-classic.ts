import { toAbsolute, toRelative } from "../../src/name.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { registeredIn } from "./godaddy.ts";

const testKeys = { api_key: "classic-key", api_secret: "classic-secret" };
const domainsPerPage = 25;
const recordsPerPage = 40;

/** Version 1 of the interface, for classic keys. */
export function startGodaddyClassic(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_secret: "revoked-secret" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, "INVALID_BODY", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.headers.authorization !== `sso-key ${testKeys.api_key}:${testKeys.api_secret}`) {
    return failure(401, "UNABLE_TO_AUTHENTICATE", "Unauthorized");
  }
  const [version, resource, domain, kind, type, name] = request.segments;
  if (version !== "v1" || resource !== "domains") return failure(404, "NOT_FOUND", "no");
  if (domain === undefined) return listDomains(request, store);
  const zone = store.zone(domain);
  if (zone === null || kind !== "records") return failure(404, "UNKNOWN_DOMAIN", "not registered");
  if (type === undefined || name === undefined) {
    return request.method === "GET"
      ? listRecords(request, zone)
      : failure(405, "NO", "too dangerous");
  }
  return writeSet(request, zone, store, type, toAbsolute(name, zone.name));
}

function listDomains(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const all = registeredIn(store);
  const marker = request.url.searchParams.get("marker");
  const from = all.findIndex(({ name }) => name === marker) + 1;
  const shown = all.slice(from, from + domainsPerPage);
  return { status: 200, body: shown.map(readDomain) };
}

/** The servers are those that the registry delegates to, of any operator. */
function readDomain({ name }: StoredZone): unknown {
  return { domain: name, status: "ACTIVE", nameServers: ["ns1.elsewhere.example"] };
}

function listRecords(request: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  const page = Number(request.url.searchParams.get("offset") ?? 1);
  const { items, pages } = slicePage(zone.records, page, recordsPerPage);
  if (page > pages) return failure(422, "INVALID_OFFSET", "beyond the last page");
  return { status: 200, body: items.map((record) => present(record, zone.name)) };
}

function present(record: StoredRecord, zone: string): unknown {
  const { type, ttl, priority, value } = record;
  const name = toRelative(record.name, zone) ?? "";
  if (type === "MX") return { name, type, ttl, priority, data: value };
  if (type === "CNAME" && value === zone) return { name, type, ttl, data: "@" };
  if (type !== "SRV") return { name, type, ttl, data: value };
  const [service, protocol, ...rest] = name.split(".");
  const [weight, port, data] = value.split(" ");
  const owner = rest.length === 0 ? "@" : rest.join(".");
  const fields = { service, protocol, weight: Number(weight), port: Number(port), priority };
  return { name: owner, type, ttl, data, ...fields };
}

const body = list(object({ data: text, ttl: number, priority: optional(number, null) }));

/** The set becomes what the body says; everything else of that name and type is deleted. */
function writeSet(
  request: SimulatedRequest,
  zone: StoredZone,
  store: ZoneStore,
  type: string,
  name: string,
): SimulatedAnswer {
  const old = zone.records.filter((record) => record.name === name && record.type === type);
  const ids = old.map(({ id }) => id);
  if (request.method === "DELETE") {
    if (ids.length === 0) return failure(404, "NOT_FOUND", "no such set");
    store.replace(zone, ids, []);
    return { status: 204 };
  }
  if (request.method !== "PUT") return failure(405, "METHOD_NOT_ALLOWED", "no");
  const rows = body(JSON.parse(request.body), "");
  if (rows.some(({ ttl, data }) => ttl < 600 || data.trim() === "" || data.length > 512)) {
    return failure(422, "INVALID_BODY", "ttl or data");
  }
  const inputs = rows.map(({ data, ttl, priority }) => ({
    name,
    type,
    value: data,
    ttl,
    priority,
  }));
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 200, body: {} };
  return failure(
    422,
    problem.problem === "invalid" ? "INVALID_BODY" : "DUPLICATE_RECORD",
    problem.message,
  );
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { code, message, fields: [] } };
}
