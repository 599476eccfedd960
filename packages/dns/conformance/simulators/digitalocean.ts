import { toAbsolute, toRelative } from "../../src/name.ts";
import { readTarget } from "../../src/presentation.ts";
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
import type { AddResult, StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const apiToken = "dop_v1_0123456789";
const maxPerPage = 25;

export function startDigitalocean(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "dop_v1_revoked99" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, "unprocessable_entity", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`)
    return failure(401, "unauthorized", `Unable to authenticate ${input}`);
  const [, resource, domain, kind, id] = request.segments;
  if (resource !== "domains") return failure(404, "not_found", "no such resource");
  if (domain === undefined) {
    const domains = store.zones().map(({ name }) => ({ name, ttl: 1800, zone_file: null }));
    return page(request, "domains", domains);
  }
  const zone = store.zone(domain);
  if (zone === null || kind !== "records")
    return failure(404, "not_found", "The resource was not found");
  if (id !== undefined && !zone.records.some((record) => record.id === id)) {
    return failure(404, "not_found", "The record was not found");
  }
  switch (request.method) {
    case "GET":
      return page(
        request,
        "domain_records",
        zone.records.map((record) => present(record, zone.name)),
      );
    case "POST":
      return added(store.add(zone, parse(request, zone)), 201, zone);
    case "PUT":
      return changed(store.replace(zone, [id ?? ""], [parse(request, zone)]));
    case "DELETE":
      store.remove(zone, id ?? "");
      return { status: 204 };
    default:
      return failure(405, "method_not_allowed", "no");
  }
}

function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(maxPerPage, Number(request.url.searchParams.get("per_page") ?? 20));
  const { items: shown, hasMore } = slicePage(items, at, size);
  const next = `https://api.digitalocean.com${request.url.pathname}?page=${at + 1}`;
  const links = hasMore ? { pages: { next } } : {};
  return { status: 200, body: { [key]: shown, links, meta: { total: items.length } } };
}

/** Without closing dots, and the zone itself as "@". */
function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority } = record;
  const empty = { priority: null, port: null, weight: null, flags: null, tag: null };
  const base = { ...empty, id: Number(id), type, name: toRelative(record.name, zone), ttl };
  const shown = (target: string) => (target === zone ? "@" : target);
  if (type === "CAA") {
    const [, flags, tag, data] = /^(\d+) (\S+) "(.*)"$/.exec(record.value) ?? [];
    return { ...base, flags: Number(flags), tag, data };
  }
  if (type === "SRV") {
    const [weight, port, target = ""] = record.value.split(" ");
    return { ...base, priority, weight: Number(weight), port: Number(port), data: shown(target) };
  }
  const isTarget = type === "CNAME" || type === "MX" || type === "NS";
  return { ...base, priority, data: isTarget ? shown(record.value) : record.value };
}

const body = object({
  type: text,
  name: text,
  data: text,
  ttl: number,
  priority: optional(number, null),
  port: optional(number, null),
  weight: optional(number, null),
  flags: optional(number, null),
  tag: optional(text, null),
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const input = body(JSON.parse(request.body), "");
  if (input.ttl < 30) throw new SyntaxError("Ttl must be at least 30");
  const base = { name: toAbsolute(input.name, zone), type: input.type, ttl: input.ttl };
  const target = () => readTarget(input.data, zone);
  switch (input.type) {
    case "CAA":
      if (!input.data.endsWith(".")) throw new SyntaxError("Data needs to end with a dot (.)");
      return {
        ...base,
        value: printCaa(input.flags ?? -1, input.tag ?? "", input.data.slice(0, -1)),
      };
    case "SRV":
      return {
        ...base,
        priority: input.priority,
        value: `${input.weight} ${input.port} ${target()}`,
      };
    case "MX":
      return { ...base, priority: input.priority, value: target() };
    case "CNAME":
    case "NS":
      if (!input.data.endsWith(".")) throw new SyntaxError("Data needs to end with a dot (.)");
      return { ...base, value: target() };
    case "TXT":
      if (input.data.includes("\\")) throw new SyntaxError("Data contains an invalid character");
      return { ...base, value: input.data };
    default:
      return { ...base, value: input.data };
  }
}

function added(result: AddResult, status: number, zone: StoredZone): SimulatedAnswer {
  if (!result.ok) return failure(422, "unprocessable_entity", result.message);
  return { status, body: { domain_record: present(result.record, zone.name) } };
}

function changed(problem: AddResult | null): SimulatedAnswer {
  if (problem === null || problem.ok) return { status: 200, body: { domain_record: {} } };
  return failure(422, "unprocessable_entity", problem.message);
}

function failure(status: number, id: string, message: string): SimulatedAnswer {
  return { status, body: { id, message, request_id: "r-1" } };
}
