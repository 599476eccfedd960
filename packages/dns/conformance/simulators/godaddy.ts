import { toAbsolute, toRelative } from "../../src/name.ts";
import { absoluteTarget, readTarget } from "../../src/presentation.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import { printCaa } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const apiToken = "gd_pat_0123456789_deadbeef";
const domainsPerPage = 25;
const recordsPerPage = 40;

/** Version 3 of the interface. */
export function startGodaddy(): Promise<Backend> {
  return startSimulator({
    credentials: { personal_access_token: apiToken },
    wrongCredentials: { personal_access_token: "gd_pat_revoked_00000000" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, "VALIDATION_ERROR", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const given = request.headers.authorization;
  if (given !== `Bearer ${apiToken}`)
    return failure(401, "UNAUTHORIZED", `bad credentials ${given}`);
  const [version, api, resource, name, kind, id] = request.segments;
  if (version !== "v3" || api !== "domains") return failure(404, "NOT_FOUND", "no such interface");
  if (resource === "domain-names") return listDomains(request, store);
  const zone = store.zone(name ?? "");
  if (resource !== "zones" || zone === null || kind !== "dns-records") {
    return failure(404, "NOT_FOUND", "zone not found");
  }
  switch (request.method) {
    case "GET":
      return listRecords(request, zone);
    case "POST":
      return create(request, zone, store);
    case "PUT":
      // As observed at the real service: the body becomes the whole zone.
      zone.records = [];
      return { status: 200, body: {} };
    case "DELETE":
      // What an address without a key does is not documented; at worst, this.
      if (id === "") zone.records = [];
      return store.remove(zone, id ?? "") === null
        ? failure(404, "NOT_FOUND", "no record")
        : { status: 204 };
    default:
      return failure(405, "METHOD_NOT_ALLOWED", "no");
  }
}

/** A zone can be hosted whose domain is registered elsewhere; lists do not show it. */
export function registeredIn(store: ZoneStore): readonly StoredZone[] {
  return store.zones().filter(({ name }) => !name.startsWith("hosted."));
}

function listDomains(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const page = Number(request.url.searchParams.get("pageToken") ?? 1);
  const { items, hasMore } = slicePage(registeredIn(store), page, domainsPerPage);
  const next = { rel: "next", href: `/v3/domains/domain-names?pageToken=${page + 1}` };
  // These are the servers that the registry delegates to, of any operator.
  const shown = items.map(({ name }) => ({ domain: name, nameServers: ["ns1.elsewhere.example"] }));
  return { status: 200, body: { items: shown, links: hasMore ? [next] : [] } };
}

function listRecords(request: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  const page = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(recordsPerPage, Number(request.url.searchParams.get("pageSize") ?? 25));
  const { items, hasMore } = slicePage(zone.records, page, size);
  const next = { rel: "next", href: `?page=${page + 1}` };
  const shown = items.map((record) => present(record, zone.name));
  return { status: 200, body: { items: shown, links: hasMore ? [next] : [] } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id: recordId, type, ttl, priority, value } = record;
  const name = toRelative(record.name, zone) ?? "";
  const base = { recordId, type, ttl, name };
  if (type === "MX") return { ...base, priority, data: absoluteTarget(value) };
  if (type === "CAA") {
    const [, flag, tag, data] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? [];
    return { ...base, flag: Number(flag), tag, data };
  }
  if (type === "SRV") {
    const [service, protocol, ...rest] = name.split(".");
    const [weight, port, target] = value.split(" ");
    const fields = { service, protocol, priority, weight: Number(weight), port: Number(port) };
    return {
      ...base,
      ...fields,
      name: rest.length === 0 ? "@" : rest.join("."),
      data: absoluteTarget(target ?? ""),
    };
  }
  return { ...base, data: hasTarget(type) ? absoluteTarget(value) : value };
}

function hasTarget(type: string): boolean {
  return type === "CNAME" || type === "ALIAS";
}

const wire = object({
  name: text,
  type: text,
  data: text,
  ttl: number,
  priority: optional(number, null),
  service: optional(text, null),
  protocol: optional(text, null),
  port: optional(number, null),
  weight: optional(number, null),
  flag: optional(number, 0),
  tag: optional(text, ""),
});

function create(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const given = wire(JSON.parse(request.body), "");
  if (given.ttl < 600 || given.ttl > 86_400) return failure(422, "VALIDATION_ERROR", "ttl");
  if (given.type === "NS" || given.type === "SOA") return failure(409, "CONFLICT", "not mutable");
  // "For CNAME/ALIAS: the target hostname with trailing dot", by the vendor's specification.
  if (hasTarget(given.type) && !given.data.endsWith(".")) {
    return failure(422, "VALIDATION_ERROR", "data lacks the closing dot");
  }
  if (given.data.length > 512) return failure(400, "VALIDATION_ERROR", "data too long");
  const input = parse(given, zone.name);
  // A record is known by its name, type and data; the priority is not part of it.
  const isTwin = zone.records.some(
    ({ name, type, value }) => name === input.name && type === input.type && value === input.value,
  );
  if (isTwin) return failure(422, "VALIDATION_ERROR", "it exists", "DUPLICATE_RECORD");
  const result = store.add(zone, input);
  if (result.ok) return { status: 201, body: present(result.record, zone.name) };
  const issue = result.problem === "invalid" ? "INVALID" : "DUPLICATE_RECORD";
  return failure(422, "VALIDATION_ERROR", result.message, issue);
}

function parse(given: ReturnType<typeof wire>, zone: string): RecordInput {
  const { type, ttl, priority } = given;
  const host = readTarget(given.data, null);
  if (type === "SRV") {
    const owner = [given.service, given.protocol, ...(given.name === "@" ? [] : [given.name])].join(
      ".",
    );
    const value = `${given.weight} ${given.port} ${host}`;
    return { name: toAbsolute(owner, zone), type, ttl, priority, value };
  }
  const base = { name: toAbsolute(given.name, zone), type, ttl, priority };
  if (type === "CAA") return { ...base, value: printCaa(given.flag, given.tag, given.data) };
  return { ...base, value: type === "TXT" ? given.data : host };
}

function failure(status: number, name: string, message: string, issue = ""): SimulatedAnswer {
  const details = issue === "" ? [] : [{ issue, description: message }];
  return { status, body: { name, correlationId: "c-1", message, details } };
}
