import { toAbsolute, toUnicode } from "../../src/name.ts";
import { quoteTxt, unquoteTxt } from "../../src/presentation.ts";
import {
  anything,
  list,
  number,
  object,
  optional,
  text,
} from "../../src/providers/adapter/json.ts";
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

const apiToken = "cf-token-0123456789";
const zonesPerPage = 20;

export function startCloudflare(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "cf-token-revoked-99" },
    missingZone: { id: "zone0", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, 1004, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.headers.authorization !== `Bearer ${apiToken}`) {
    return failure(403, 9109, `Invalid access token ${request.headers.authorization}`);
  }
  const [, , resource, zoneId, kind, action] = request.segments;
  if (resource !== "zones") return failure(404, 7000, "No route for that URI");
  if (zoneId === undefined) return listZones(request, store);
  const zone = store.zone(zoneId);
  if (zone === null || kind !== "dns_records") return failure(404, 7003, "Could not route to zone");
  if (request.method === "GET") return listRecords(request, zone);
  if (request.method === "POST" && action === "batch") return batch(request, zone, store);
  return failure(405, 10405, "Method not allowed");
}

function listZones(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const zones = store.zones().map(({ id, name }) => ({
    id,
    name: toUnicode(name),
    status: "active",
    type: "full",
    name_servers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
  }));
  return page(request, zones, zonesPerPage);
}

function page(request: SimulatedRequest, items: readonly unknown[], most: number): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(most, Number(request.url.searchParams.get("per_page") ?? most));
  const { items: result, pages } = slicePage(items, at, size);
  const info = { page: at, per_page: size, total_count: items.length, total_pages: pages };
  return { status: 200, body: { success: true, errors: [], result, result_info: info } };
}

function listRecords(request: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  return page(request, zone.records.map(present), 50);
}

function present(record: StoredRecord): unknown {
  const { id, type, name, ttl, extras } = record;
  const base = {
    id,
    type,
    name: toUnicode(name),
    ttl,
    proxied: extras["proxied"] === true,
    meta: extras["meta"] ?? {},
  };
  if (type === "TXT") return { ...base, content: quoteTxt(record.value) };
  if (type === "MX") return { ...base, content: record.value, priority: record.priority };
  if (type === "CAA") {
    const [, flags, tag, value] = /^(\d+) (\S+) "(.*)"$/.exec(record.value) ?? [];
    return { ...base, content: record.value, data: { flags: Number(flags), tag, value } };
  }
  if (type === "SRV") {
    const [weight, port, target] = record.value.split(" ");
    const data = { priority: record.priority, weight: Number(weight), port: Number(port), target };
    return { ...base, content: `${weight}\t${port}\t${target}`, priority: record.priority, data };
  }
  return {
    ...base,
    content: record.value,
    ...(extras["data"] === undefined ? {} : { data: extras["data"] }),
  };
}

const wireShape = {
  type: text,
  name: text,
  content: optional(text, null),
  ttl: number,
  priority: optional(number, null),
  proxied: optional(anything, undefined),
  data: optional(anything, null),
};
const wire = object(wireShape);
const batchBody = object({
  deletes: optional(list(object({ id: text })), []),
  patches: optional(list(object({ id: text, ...wireShape })), []),
  posts: optional(list(wire), []),
});

function batch(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { deletes, patches, posts } = batchBody(JSON.parse(request.body), "");
  const all = [...patches, ...posts];
  const badTtl = all.find(({ ttl }) => ttl !== 1 && (ttl < 60 || ttl > 86_400));
  if (badTtl !== undefined) return failure(400, 9021, `Invalid TTL ${badTtl.ttl}`);
  const proxied = all.find(
    ({ type, proxied: flag }) => ["A", "AAAA", "CNAME"].includes(type) && flag === undefined,
  );
  // The dashboard's default; a caller that leaves the switch out gets a proxied record.
  if (proxied !== undefined) return failure(400, 1004, `${proxied.name} would be proxied`);
  const ids = [...deletes, ...patches].map(({ id }) => id);
  const unknown = ids.find((id) => !zone.records.some((record) => record.id === id));
  if (unknown !== undefined) return failure(404, 81044, "Record does not exist");
  const problem = store.replace(
    zone,
    ids,
    all.map((one) => parse(one, zone.name)),
  );
  for (const { name, type } of all.filter(({ proxied: flag }) => flag === true)) {
    zone.records = zone.records.map((one) =>
      one.name === name && one.type === type ? { ...one, extras: { proxied: true } } : one,
    );
  }
  if (problem === null) return { status: 200, body: { success: true, errors: [], result: {} } };
  if (problem.ok) return failure(500, 1, "unreachable");
  return failure(400, problem.problem === "clash" ? 81054 : 81057, problem.message);
}

function parse(input: ReturnType<typeof wire>, zone: string): RecordInput {
  const name = input.name.endsWith(zone) ? input.name : toAbsolute(input.name, zone);
  const base = { name, type: input.type, ttl: input.ttl };
  const content = input.content;
  if (input.type === "CAA") {
    const { flags, tag, value } = object({ flags: number, tag: text, value: text })(
      input.data,
      "data",
    );
    return { ...base, value: printCaa(flags, tag, value) };
  }
  if (input.type === "SRV") {
    const shape = object({ priority: number, weight: number, port: number, target: text });
    const { priority, weight, port, target } = shape(input.data, "data");
    return { ...base, value: `${weight} ${port} ${target}`, priority };
  }
  if (input.type === "TXT") return { ...base, value: unquoteTxt(text(content, "content")) ?? "" };
  return { ...base, value: text(content, "content"), priority: input.priority };
}

function failure(status: number, code: number, message: string): SimulatedAnswer {
  const body = { success: false, errors: [{ code, message }], messages: [], result: null };
  return { status, body };
}
