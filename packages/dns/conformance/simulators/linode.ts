import { toAbsolute, toRelative } from "../../src/name.ts";
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
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const apiToken = "linode-token-0123456789";
const maxPerPage = 25;
const defaultTtl = 86_400;
const ttlSteps = [
  30, 120, 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200,
];

export function startLinode(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "linode-token-revoked" },
    missingZone: { id: "999999", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(401, `Invalid Token ${input}`);
  const [, resource, domain, kind, id = ""] = request.segments;
  if (resource !== "domains") return failure(404, "Not found");
  if (domain === undefined) {
    return page(
      request,
      store.zones().map((zone) => ({ id: zone.id, domain: zone.name, type: "master" })),
    );
  }
  const zone = store.zone(domain);
  if (zone === null || kind !== "records") return failure(404, "Not found");
  switch (request.method) {
    case "GET":
      return page(
        request,
        zone.records.map((record) => present(record, zone.name)),
      );
    case "POST":
      // As observed: a new record gets the zone's TTL whatever the request says.
      return answer(createOne(store, zone, { ...parse(request, zone), ttl: defaultTtl }), zone);
    case "PUT":
      return answer(updateOne(store, zone, id, parse(request, zone)), zone);
    case "DELETE":
      return answer(deleteOne(store, zone, id), zone);
    default:
      return failure(405, "Method not allowed");
  }
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(maxPerPage, Number(request.url.searchParams.get("page_size") ?? 100));
  const { items: data, pages } = slicePage(items, at, size);
  return { status: 200, body: { data, page: at, pages, results: items.length } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority, value } = record;
  const relative = toRelative(record.name, zone);
  const name = relative === "@" ? "" : (relative ?? "");
  const base = { id: Number(id), type, name, ttl_sec: ttl, priority: priority ?? 0 };
  if (type === "CAA") {
    const [, , tag, target] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? [];
    return { ...base, tag, target };
  }
  if (type === "MX") return { ...base, target: value === "." ? "" : value };
  if (type !== "SRV") return { ...base, target: value };
  const [service = "", protocol = "", ...rest] = name.split(".");
  const [weight, port, target] = value.split(" ");
  const labels = { service: service.slice(1), protocol: protocol.slice(1), name: rest.join(".") };
  const shown = target === "." ? "" : target;
  return { ...base, ...labels, weight: Number(weight), port: Number(port), target: shown };
}

const wire = object({
  type: text,
  name: text,
  target: text,
  ttl_sec: number,
  priority: optional(number, null),
  weight: optional(number, 0),
  port: optional(number, 0),
  service: optional(text, ""),
  protocol: optional(text, ""),
  tag: optional(text, ""),
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const input = wire(JSON.parse(request.body), "");
  const { type, priority, target } = input;
  const ttl = ttlSteps.find((step) => step >= input.ttl_sec) ?? defaultTtl;
  const isNull = type === "SRV" && target === ".";
  if (target.endsWith(".") && type !== "TXT" && !isNull)
    throw new SyntaxError("target must not end with a dot");
  if (type === "SRV") {
    const labels = [
      `_${input.service}`,
      `_${input.protocol}`,
      ...(input.name === "" ? [] : [input.name]),
    ];
    const value = `${input.weight} ${input.port} ${target}`;
    return { name: toAbsolute(labels.join("."), zone), type, ttl, priority, value };
  }
  const named = type === "MX" && target === "" ? "." : target;
  const value = type === "CAA" ? printCaa(0, input.tag, target) : named;
  return { name: toAbsolute(input.name, zone), type, ttl, priority, value };
}

function answer(outcome: Outcome, zone: StoredZone): SimulatedAnswer {
  if (outcome.done) return { status: 200, body: present(outcome.record, zone.name) };
  return failure(outcome.why === "missing" ? 404 : 400, outcome.message);
}

function failure(status: number, reason: string): SimulatedAnswer {
  return { status, body: { errors: [{ reason }] } };
}
