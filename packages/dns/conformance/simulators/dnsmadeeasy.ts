import { createHmac } from "node:crypto";
import { toAbsolute, toRelative } from "../../src/name.ts";
import { readTarget, splitCaa, splitSrv, splitTxt } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import { printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = { api_key: "dme-key-0123456789", secret_key: "dme-secret-0123456789" };

export function startDnsmadeeasy(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret_key: "dme-secret-revoked" },
    missingZone: { id: "999999", name: "absent.example", nameservers: [] },
    handle,
    throttled: () => failure(400, "Rate limit exceeded"),
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const date = String(request.headers["x-dnsme-requestdate"]);
  const hmac = createHmac("sha1", testKeys.secret_key).update(date).digest("hex");
  const isKnown = request.headers["x-dnsme-apikey"] === testKeys.api_key;
  const isSigned = request.headers["x-dnsme-hmac"] === hmac;
  const isFresh = Math.abs(Date.parse(date) - Date.now()) < 30_000;
  if (!isKnown || !isSigned || !isFresh) return failure(403, "API key not found");
  const [version, dns, managed, id, records, command] = request.segments;
  if (version !== "V2.0" || dns !== "dns" || managed !== "managed") return failure(404, "path");
  if (id === "") return page(store.zones().map((zone) => ({ id: makeId(zone), name: zone.name })));
  const zone = store.zones().find((one) => String(makeId(one)) === id);
  if (zone === undefined) return { status: 404 };
  if (records === undefined) return { status: 200, body: presentZone(zone) };
  return act(`${request.method} ${command ?? ""}`.trim(), request, zone, store);
}

function act(
  command: string,
  request: SimulatedRequest,
  zone: StoredZone,
  store: ZoneStore,
): SimulatedAnswer {
  switch (command) {
    case "GET":
      return page(zone.records.map((record) => present(record, zone.name)));
    case "POST createMulti":
      return write(store, zone, [], list(wire)(JSON.parse(request.body), ""));
    case "PUT updateMulti": {
      const given = list(wire)(JSON.parse(request.body), "");
      const ids = given.map(({ id }) => String(id));
      const known = zone.records.map((record) => record.id);
      if (!ids.every((id) => known.includes(id))) return failure(404, "Record not found");
      return write(store, zone, ids, given);
    }
    case "DELETE": {
      const ids = request.url.searchParams.getAll("ids");
      const known = zone.records.filter((record) => ids.includes(record.id));
      if (known.length === 0) return failure(404, "Record not found");
      store.replace(zone, ids, []);
      return { status: 200 };
    }
    default:
      return failure(405, "Method not allowed");
  }
}

function write(
  store: ZoneStore,
  zone: StoredZone,
  ids: readonly string[],
  given: readonly Wire[],
): SimulatedAnswer {
  const problem = store.replace(
    zone,
    ids,
    given.map((one) => parse(one, zone)),
  );
  if (problem === null || problem.ok) return { status: 200, body: [] };
  return failure(400, `Record with this type, name, and value already exists: ${problem.message}`);
}

function makeId({ id }: StoredZone): number {
  return Number(id.replace("zone", ""));
}

function page(data: readonly unknown[]): SimulatedAnswer {
  return { status: 200, body: { data, page: 0, totalPages: 1, totalRecords: data.length } };
}

function presentZone(zone: StoredZone): unknown {
  const nameServers = [{ fqdn: "ns10.dnsmadeeasy.com", ipv4: "192.0.2.1", ipv6: "2001:db8::1" }];
  return { id: makeId(zone), name: zone.name, nameServers, delegateNameServers: [] };
}

const base = { gtdLocation: "DEFAULT", monitor: false, failover: false, dynamicDns: false };

/**
 * Targets inside the zone come back relative, texts in parts of 255 bytes without a space between.
 */
function present({ id, type, name, value, ttl, priority, extras }: StoredRecord, zone: string) {
  const shown = { ...base, id: Number(id), name: toRelative(name, zone, ""), type, ttl, ...extras };
  const target = (host: string) => toRelative(host, zone, "") ?? `${host}.`;
  switch (type) {
    case "TXT":
      return {
        ...shown,
        value: splitTxt(value)
          .map((part) => `"${part}"`)
          .join(""),
      };
    case "CAA": {
      const { flags, tag, text: authority } = splitCaa(value);
      return { ...shown, value: `"${authority}"`, caaType: tag, issuerCritical: flags };
    }
    case "SRV": {
      const parts = splitSrv(value);
      return { ...shown, ...parts, target: undefined, priority, value: target(parts.target) };
    }
    case "MX":
      return { ...shown, mxLevel: priority, value: target(value) };
    case "ALIAS":
      return { ...shown, type: "ANAME", value: target(value) };
    case "CNAME":
    case "NS":
      return { ...shown, value: target(value) };
    default:
      return { ...shown, value };
  }
}

const wire = object({
  id: optional(number, 0),
  name: text,
  type: text,
  value: text,
  ttl: number,
  gtdLocation: text,
  mxLevel: optional(number, null),
  priority: optional(number, null),
  weight: optional(number, 0),
  port: optional(number, 0),
  caaType: optional(text, ""),
  issuerCritical: optional(number, 0),
});
type Wire = ReturnType<typeof wire>;

function parse(given: Wire, { name: zone }: StoredZone): RecordInput {
  const { value, ttl } = given;
  if (given.name === "@" || given.name.endsWith(zone)) throw new SyntaxError("name");
  const type = given.type === "ANAME" ? "ALIAS" : given.type;
  const input = { name: toAbsolute(given.name, zone), type, ttl };
  switch (type) {
    case "TXT": {
      const inner = /^"([^"]*)"$/.exec(value)?.[1];
      if (inner === undefined) throw new SyntaxError("value has quotes");
      return { ...input, value: inner };
    }
    case "CAA":
      return { ...input, value: printCaa(given.issuerCritical, given.caaType, value) };
    case "SRV": {
      const data = `${given.weight} ${given.port} ${readTarget(value, zone)}`;
      return { ...input, priority: given.priority, value: data };
    }
    case "MX":
      return { ...input, priority: given.mxLevel, value: readTarget(value, zone) };
    case "CNAME":
    case "ALIAS":
    case "NS":
      return { ...input, value: readTarget(value, zone) };
    default:
      return { ...input, value };
  }
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { error: [message] } };
}
