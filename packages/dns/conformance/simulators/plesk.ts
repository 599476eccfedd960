import { normalizeName } from "../../src/name.ts";
import { absoluteTarget, readTarget, splitCaa, splitSrv } from "../../src/presentation.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import { printCaa, type RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = {
  server: "https://server.example.net:8443",
  secret_key: "78711059-23bb-cf6f-b07f-985e1995d2e2",
};

export function startPlesk(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret_key: "00000000-0000-0000-0000-000000000000" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.headers["x-api-key"] !== testKeys.secret_key) {
    return failure(401, `Authentication failed: ${String(request.headers["x-api-key"])}`);
  }
  const [api, version, group, records, id, ...rest] = request.segments;
  if (api !== "api" || version !== "v2" || rest.length > 0) return failure(404, "Not found");
  if (group === "domains") return { status: 200, body: listDomains(store) };
  if (group !== "dns" || records !== "records") return failure(404, "Not found");
  if (id !== undefined) return handleOne(request, id, store);
  const domain = request.url.searchParams.get("domain") ?? "";
  const zone = store.zone(domain);
  if (zone === null) return failure(404, `Domain ${domain} does not exist`);
  if (request.method === "GET")
    return { status: 200, body: [nameServer(zone), ...presentAll(zone)] };
  if (request.method !== "POST") return failure(405, "Method not allowed");
  const outcome = createOne(store, zone, parse(request, zone));
  return outcome.done ? { status: 201, body: present(outcome.record) } : refuse(outcome);
}

/** Records have numbers of their own, over all domains. */
function handleOne(request: SimulatedRequest, id: string, store: ZoneStore): SimulatedAnswer {
  const zone = store.zones().find(({ records }) => records.some((one) => one.id === id));
  if (zone === undefined) return failure(404, `DNS record with id ${id} not found`);
  if (request.method === "DELETE") {
    deleteOne(store, zone, id);
    return { status: 200, body: { status: "success" } };
  }
  if (request.method !== "PUT") return failure(405, "Method not allowed");
  const outcome = updateOne(store, zone, id, parse(request, zone));
  return outcome.done ? { status: 200, body: { status: "success" } } : refuse(outcome);
}

/** A subdomain is listed as a domain and has no zone. */
function listDomains(store: ZoneStore): readonly unknown[] {
  const names = store.zones().map(({ name }) => name);
  return [...names, ...names.slice(0, 1).map((name) => `blog.${name}`)].map((name, index) => ({
    id: index + 1,
    name,
    ascii_name: name,
    hosting_type: "virtual",
    base_domain_id: 0,
    aliases: [],
  }));
}

function presentAll(zone: StoredZone): readonly unknown[] {
  return zone.records.map((record) => present(record));
}

/** Of the template that every zone is made from; the suite does not seed it. */
function nameServer({ name }: StoredZone): unknown {
  return {
    id: 1,
    type: "NS",
    host: `${name}.`,
    value: "ns1.server.example.net.",
    opt: "",
    ttl: null,
  };
}

function present(record: StoredRecord): unknown {
  const { id, type, ttl } = record;
  return { id: Number(id), type, host: `${record.name}.`, ...toFields(record), ttl };
}

function toFields({ type, value, priority }: StoredRecord): object {
  switch (type) {
    case "MX":
      return { value: absoluteTarget(value), opt: String(priority) };
    case "SRV": {
      const { weight, port, target } = splitSrv(value);
      return { value: absoluteTarget(target), opt: `${priority} ${weight} ${port}` };
    }
    case "CAA": {
      const { flags, tag, text: issuer } = splitCaa(value);
      return { value: issuer, opt: `${flags} ${tag}` };
    }
    case "CNAME":
    case "NS":
      return { value: absoluteTarget(value), opt: "" };
    default:
      return { value, opt: "" };
  }
}

const wire = object({
  type: text,
  host: text,
  value: text,
  opt: optional(text, ""),
  ttl: optional(number, 86_400),
});

function parse(request: SimulatedRequest, zone: StoredZone): RecordInput {
  const { type, host, value, opt, ttl } = wire(JSON.parse(request.body), "");
  const name = normalizeName(host);
  if (name === null) throw new SyntaxError(`Invalid host ${host}`);
  if (name !== zone.name && !name.endsWith(`.${zone.name}`)) {
    throw new SyntaxError(`Host ${host} is not in the zone`);
  }
  const target = readTarget(value, null);
  switch (type) {
    case "TXT":
      if (Buffer.byteLength(value) > 255) throw new SyntaxError("The value is too long");
      return { name, type, value, ttl };
    case "MX":
      return { name, type, value: target, priority: Number(opt), ttl };
    case "SRV": {
      const [priority, weight, port] = opt.split(" ");
      return { name, type, value: `${weight} ${port} ${target}`, priority: Number(priority), ttl };
    }
    case "CAA": {
      const [flags, tag = ""] = opt.split(" ");
      return { name, type, value: printCaa(Number(flags), tag, value), ttl };
    }
    default:
      return { name, type, value: type === "CNAME" || type === "NS" ? target : value, ttl };
  }
}

function refuse(outcome: Outcome & { readonly done: false }): SimulatedAnswer {
  return failure(outcome.why === "missing" ? 404 : 400, outcome.message);
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { code: 0, message } };
}
