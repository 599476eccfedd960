import { type Decoder, list, number, object, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import { printCaa } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const apiKey = "ns1-key-0123456789";
/** About 2,500 at the real service. */
const itemsPerPage = 40;

export function startNs1(): Promise<Backend> {
  return startSimulator({
    credentials: { api_key: apiKey },
    wrongCredentials: { api_key: "ns1-key-revoked99" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers["x-nsone-key"];
  if (input !== apiKey) return failure(401, `Unauthorized ${String(input)}`);
  const [, resource, name, domain, type] = request.segments;
  if (resource !== "zones") return failure(404, "not found");
  if (name === undefined) {
    const zones = store
      .zones()
      .map((zone) => ({ zone: zone.name, dns_servers: ["dns1.p01.nsone.net"] }));
    return page(request, zones, (items) => items);
  }
  const zone = store.zone(name);
  if (zone === null) return failure(404, "zone not found");
  if (domain === undefined || type === undefined) {
    const records = groupSets(zone).map(present);
    return page(request, records, (items) => ({ zone: zone.name, records: items }));
  }
  return oneSet(request, zone, store, domain, type);
}

/**
 * Without a `Link` header the list is complete. The cursor is opaque; here it is the next index.
 */
function page(
  request: SimulatedRequest,
  items: readonly unknown[],
  wrap: (shown: readonly unknown[]) => unknown,
): SimulatedAnswer {
  const from = Number(request.url.searchParams.get("after") ?? 0);
  const next = from + itemsPerPage;
  const link = `<http://api.nsone.net${request.url.pathname}?after=${next}&limit=${itemsPerPage}>; rel="next"`;
  const headers = next < items.length ? { headers: { link } } : {};
  return { status: 200, body: wrap(items.slice(from, next)), ...headers };
}

/** The overview gives each answer as one text. */
function present({ name, type, ttl, records }: StoredSet): unknown {
  const answers = records.map((record) => splitFields(record).join(" "));
  return { domain: name, type, ttl, tier: 1, short_answers: answers };
}

function splitFields({ type, value, priority }: StoredRecord): readonly (string | number)[] {
  if (type === "MX") return [priority ?? 0, value];
  if (type === "SRV") return [priority ?? 0, ...value.split(" ")];
  if (type !== "CAA") return [value];
  const [, flags, tag, authority] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? [];
  return [Number(flags), tag ?? "", authority ?? ""];
}

const field: Decoder<string | number> = (value, path) =>
  typeof value === "number" ? value : text(value, path);
const body = object({
  zone: text,
  domain: text,
  type: text,
  ttl: number,
  answers: list(object({ answer: list(field) })),
  filters: list(text),
});

function oneSet(
  request: SimulatedRequest,
  zone: StoredZone,
  store: ZoneStore,
  domain: string,
  type: string,
): SimulatedAnswer {
  const set = groupSets(zone).find((one) => one.name === domain && one.type === type);
  const ids = set?.records.map(({ id }) => id) ?? [];
  if (request.method === "PUT" && set !== undefined) return failure(409, "record already exists");
  if (request.method !== "PUT" && set === undefined) return failure(404, "record not found");
  if (request.method === "GET") {
    const answers = set?.records.map((record) => ({ answer: splitFields(record) })) ?? [];
    return { status: 200, body: { zone: zone.name, domain, type, answers, filters: [] } };
  }
  if (request.method === "DELETE") {
    store.replace(zone, ids, []);
    return { status: 200, body: {} };
  }
  const { answers, ttl } = body(JSON.parse(request.body), "");
  const inputs = answers.map(({ answer }) => parse(answer, { name: domain, type, ttl }));
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 200, body: {} };
  return failure(400, problem.message);
}

function parse(
  answer: readonly (string | number)[],
  base: { readonly name: string; readonly type: string; readonly ttl: number },
): RecordInput {
  const [first = "", second = "", third = "", fourth = ""] = answer;
  switch (base.type) {
    case "MX":
      return { ...base, priority: number(first, "priority"), value: text(second, "host") };
    case "SRV":
      return {
        ...base,
        priority: number(first, "priority"),
        value: `${second} ${third} ${fourth}`,
      };
    case "CAA":
      return {
        ...base,
        value: printCaa(number(first, "flags"), text(second, "tag"), text(third, "value")),
      };
    default:
      return { ...base, value: text(first, "value") };
  }
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { message } };
}
