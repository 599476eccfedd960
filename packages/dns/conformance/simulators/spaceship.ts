import { toAbsolute, toRelative } from "../../src/name.ts";
import { splitCaa, splitSrv } from "../../src/presentation.ts";
import { boolean, list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import { printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = { api_key: "spaceship-key-0123", api_secret: "spaceship-secret-0123" };
const mostTaken = { domains: 100, records: 50 };

export function startSpaceship(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_secret: "spaceship-revoked-99" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const { "x-api-key": key, "x-api-secret": secret } = request.headers;
  if (key !== testKeys.api_key || secret !== testKeys.api_secret) {
    return failure(401, `Unauthorized ${String(secret)}`);
  }
  const [, , resource, , domain] = request.segments;
  if (resource === "domains") {
    const hosts = ["launch1.spaceship.net", "launch2.spaceship.net"];
    const nameservers = { provider: "basic", hosts };
    const shown = store.zones().map(({ name }) => ({ name, nameservers }));
    return page(request, shown, mostTaken.domains);
  }
  const zone = resource === "dns" ? store.zone(domain ?? "") : null;
  if (zone === null) return failure(404, "Domain not found");
  switch (request.method) {
    case "GET":
      return page(
        request,
        zone.records.map((record) => present(record, zone.name)),
        mostTaken.records,
      );
    case "PUT":
      return save(JSON.parse(request.body), zone, store);
    case "DELETE":
      return destroy(JSON.parse(request.body), zone, store);
    default:
      return failure(405, "Method not allowed");
  }
}

/** No page is longer than the API's limit, whatever was asked for. */
function page(request: SimulatedRequest, items: readonly unknown[], most: number): SimulatedAnswer {
  const query = request.url.searchParams;
  const [take, skip] = [Number(query.get("take")), Number(query.get("skip"))];
  const shown = items.slice(skip, skip + Math.min(take, most));
  return { status: 200, body: { items: shown, total: items.length } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { type, ttl, extras } = record;
  const group = { type: extras["group"] ?? "custom" };
  return { type, ttl, group, ...toFields(record, toRelative(record.name, zone) ?? "@") };
}

function toFields({ type, value, priority }: StoredRecord, name: string): object {
  switch (type) {
    case "A":
    case "AAAA":
      return { name, address: value };
    case "CNAME":
      return { name, cname: value };
    case "NS":
      return { name, nameserver: value };
    case "MX":
      return { name, exchange: value, preference: priority };
    case "CAA": {
      const { flags: flag, tag, text: issuer } = splitCaa(value);
      return { name, flag, tag, value: issuer };
    }
    case "SRV": {
      const [service, protocol, ...rest] = name.split(".");
      return { name: rest.join(".") || "@", service, protocol, priority, ...splitSrv(value) };
    }
    case "HTTPS":
      return { name, svcPriority: 1, targetName: ".", svcParams: "alpn=h2", port: "_443" };
    default:
      return { name, value };
  }
}

const identity = {
  type: text,
  name: text,
  address: optional(text, ""),
  cname: optional(text, ""),
  nameserver: optional(text, ""),
  exchange: optional(text, ""),
  preference: optional(number, 0),
  value: optional(text, ""),
  flag: optional(number, 0),
  tag: optional(text, ""),
  service: optional(text, ""),
  protocol: optional(text, ""),
  priority: optional(number, 0),
  weight: optional(number, 0),
  port: optional(number, 0),
  target: optional(text, ""),
};
const saved = object({ force: boolean, items: list(object({ ...identity, ttl: number })) });
const destroyed = list(object(identity));
type Identity = ReturnType<typeof destroyed>[number];

/** What is the same record already gets the new TTL; for a service that is less than all of it. */
function save(body: unknown, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const inputs = saved(body, "").items.map((item) => {
    if (item.ttl < 60 || item.ttl > 3_600) throw new SyntaxError("ttl must be 60 to 3600");
    return parse(item, item.ttl, zone.name);
  });
  const same = zone.records.filter((record) => inputs.some((input) => isSame(record, input)));
  const problem = store.replace(
    zone,
    same.map(({ id }) => id),
    inputs,
  );
  if (problem === null || problem.ok) return { status: 204 };
  return failure(422, problem.message);
}

/** Nothing happens unless every record is there. */
function destroy(body: unknown, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const ids = destroyed(body, "").map((item) => {
    const input = parse(item, 60, zone.name);
    return zone.records.find((record) => isSame(record, input))?.id ?? null;
  });
  if (ids.includes(null)) return failure(404, "DNS record not found");
  store.replace(
    zone,
    ids.flatMap((id) => id ?? []),
    [],
  );
  return { status: 204 };
}

function isSame(record: StoredRecord, input: RecordInput): boolean {
  if (record.type !== input.type || record.name !== input.name) return false;
  if (record.priority !== (input.priority ?? null)) return false;
  if (record.type !== "SRV") return record.value === input.value;
  return splitSrv(record.value).weight === splitSrv(input.value).weight;
}

function parse(item: Identity, ttl: number, zone: string): RecordInput {
  const { type } = item;
  if (item.name === "" || item.name.endsWith(zone)) throw new SyntaxError("name");
  const labels = type === "SRV" ? [item.service, item.protocol] : [];
  const name = [...labels, toAbsolute(item.name, zone)].join(".");
  const priority = type === "MX" ? item.preference : type === "SRV" ? item.priority : null;
  return { name, type, ttl, priority, value: readData(item) };
}

function readData(item: Identity): string {
  switch (item.type) {
    case "MX":
      return item.exchange;
    case "CAA":
      return printCaa(item.flag, item.tag, item.value);
    case "SRV":
      return `${item.weight} ${item.port} ${item.target}`;
    default:
      return item.address || item.cname || item.nameserver || item.value;
  }
}

function failure(status: number, detail: string): SimulatedAnswer {
  return { status, body: { detail, data: [] } };
}
