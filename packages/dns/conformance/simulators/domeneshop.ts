import { toAbsolute, toRelative } from "../../src/name.ts";
import { absoluteTarget, splitCaa, splitSrv } from "../../src/presentation.ts";
import { number, object, optional, text, textOrNumber } from "../../src/providers/adapter/json.ts";
import { printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = { api_token: "token0123456789", api_secret: "secret0123456789" };

export function startDomeneshop(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_secret: "secret-revoked-99" },
    missingZone: { id: "999999", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "validation:failed", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const login = Buffer.from(`${testKeys.api_token}:${testKeys.api_secret}`).toString("base64");
  const given = String(request.headers.authorization);
  if (given !== `Basic ${login}`) return failure(401, "authentication:failed", given);
  const [version, resource, domain, kind, id = ""] = request.segments;
  if (version !== "v0" || resource !== "domains") return failure(404, "not_found", "No such path");
  if (domain === undefined) return { status: 200, body: store.zones().map(presentDomain) };
  const zone = store.zones().find((one) => makeId(one) === Number(domain));
  // The answer for a domain of somebody else, and for one that nobody has.
  if (zone === undefined) return failure(403, "resource:unauthorized", "Not your domain");
  if (kind === "forwards") return { status: 200, body: listForwards(zone) };
  if (kind !== "dns") return failure(404, "not_found", "No such path");
  switch (request.method) {
    case "GET": {
      const shown = zone.records.filter(({ type }) => type !== "FORWARD");
      return { status: 200, body: shown.map((record) => present(record, zone.name)) };
    }
    case "POST":
      return answer(createOne(store, zone, parse(request, zone)), 201, zone);
    case "PUT":
      return change(request, store, zone, id);
    case "DELETE":
      return answer(deleteOne(store, zone, id), 204, zone);
    default:
      return failure(405, "method", "Not allowed");
  }
}

function makeId({ id }: StoredZone): number {
  return Number(id.replace("zone", ""));
}

/**
 * The name servers are those of the registry. A domain may be registered here and hosted elsewhere.
 */
function presentDomain(zone: StoredZone): unknown {
  const dns = !zone.records.some(({ extras }) => "withoutDns" in extras);
  const nameservers = dns ? ["ns1.hyp.net", "ns2.hyp.net", "ns3.hyp.net"] : ["ns1.example.net"];
  const services = { dns, email: false, registrar: true, webhotel: "none" };
  return { id: makeId(zone), domain: zone.name, nameservers, services, status: "active" };
}

function listForwards(zone: StoredZone): readonly unknown[] {
  return zone.records
    .filter(({ type }) => type === "FORWARD")
    .map(({ name, value }) => ({ host: toRelative(name, zone.name), url: value, frame: false }));
}

/** Neither the host nor the type of a record can be changed. */
function change(
  request: SimulatedRequest,
  store: ZoneStore,
  zone: StoredZone,
  id: string,
): SimulatedAnswer {
  const input = parse(request, zone);
  const before = zone.records.find((record) => record.id === id);
  if (before !== undefined && (before.name !== input.name || before.type !== input.type)) {
    return failure(400, "dns:immutable", "The host and the type cannot be changed");
  }
  return answer(updateOne(store, zone, id, input), 204, zone);
}

/** Targets come back with a closing dot, a priority as a text. */
function present(record: StoredRecord, zone: string): unknown {
  const { type, value, ttl, priority } = record;
  const shown = type === "ALIAS" ? "ANAME" : type;
  const base = { id: Number(record.id), host: toRelative(record.name, zone), ttl, type: shown };
  if (type === "CAA") {
    const { flags, tag, text: data } = splitCaa(value);
    return { ...base, flags, tag: tagNumbers[tag], data };
  }
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    return { ...base, priority: String(priority), weight, port, data: absoluteTarget(target) };
  }
  const data = ["CNAME", "ALIAS", "MX", "NS"].includes(type) ? absoluteTarget(value) : value;
  return { ...base, data, ...(priority === null ? {} : { priority: String(priority) }) };
}

/** Other tags are unknown here. */
const tagNumbers: Readonly<Record<string, number>> = { issue: 0, issuewild: 1, iodef: 2 };

const wire = object({
  host: text,
  type: text,
  data: text,
  ttl: number,
  priority: optional(number, null),
  weight: optional(number, null),
  port: optional(number, null),
  flags: optional(number, null),
  tag: optional(textOrNumber, null),
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const given = wire(JSON.parse(request.body), "");
  if (given.ttl < 60 || given.ttl % 60 !== 0) throw new SyntaxError("ttl");
  if (given.host === "" || given.host.endsWith(zone)) throw new SyntaxError("host");
  if (given.data.endsWith(".") || /["\\]/.test(given.data)) throw new SyntaxError("data");
  const type = given.type === "ANAME" ? "ALIAS" : given.type;
  const base = { name: toAbsolute(given.host, zone), type, ttl: given.ttl };
  if (type === "CAA") {
    const tag = Object.keys(tagNumbers).find((one) => String(tagNumbers[one]) === given.tag);
    if (tag === undefined) throw new SyntaxError("tag");
    return { ...base, value: printCaa(given.flags ?? -1, tag, given.data) };
  }
  const { priority } = given;
  if (type === "SRV")
    return { ...base, priority, value: `${given.weight} ${given.port} ${given.data}` };
  return { ...base, priority, value: given.data };
}

function answer(outcome: Outcome, status: number, zone: StoredZone): SimulatedAnswer {
  if (outcome.done) {
    const location = `/v0/domains/${makeId(zone)}/dns/${outcome.record.id}`;
    return status === 201 ? { status, headers: { location } } : { status };
  }
  if (outcome.why === "missing") return failure(404, "dns:not_found", outcome.message);
  const isTaken = outcome.why === "duplicate" || outcome.why === "clash";
  return failure(isTaken ? 409 : 400, `dns:${outcome.why}`, outcome.message);
}

function failure(status: number, code: string, help: string): SimulatedAnswer {
  return { status, body: { code, help } };
}
