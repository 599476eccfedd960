import { createHmac } from "node:crypto";
import { toAbsolute } from "../../src/name.ts";
import { splitSrv } from "../../src/presentation.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = { api_key: "ws-identifier-1", secret: "ws-secret-0123456789" };
/** More are never given at once, whatever is asked for. */
const mostServices = 40;
const mostRecords = 100;

export function startWebsupport(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret: "ws-secret-revoked" },
    missingZone: { id: "999999", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const [version, ...rest] = request.segments;
  if (!isSigned(request, version === "v1" ? "date" : "x-date")) {
    const message = "Incorrect api key or signature.";
    return { status: 401, body: { code: 401, message: `${message} ${testKeys.secret}` } };
  }
  if (request.url.pathname === "/v1/user/self/service") return listServices(request, store);
  const [service, id, dns, record, recordId = ""] = rest;
  if (service !== "service" || dns !== "dns" || record !== "record") return failure(404, "no path");
  const zone = store.zones().find((one) => serviceId(one) === Number(id));
  if (zone === undefined) return failure(404, `Service model with id=${id} was not found`);
  switch (request.method) {
    case "GET":
      return listRecords(request, zone);
    case "POST":
      return create(request, zone, store);
    case "PUT": {
      const type = zone.records.find((one) => one.id === recordId)?.type ?? "";
      return answer(updateOne(store, zone, recordId, parse(request, zone, type)));
    }
    case "DELETE":
      return answer(deleteOne(store, zone, recordId));
    default:
      return failure(405, "Method not allowed");
  }
}

/** The query is not signed, and the time must be near. */
function isSigned({ method, url, headers }: SimulatedRequest, header: string): boolean {
  const at = Date.parse(String(headers[header]));
  if (!(Math.abs(Date.now() - at) < 300_000)) return false;
  const canonical = `${method} ${url.pathname} ${at / 1_000}`;
  const signature = createHmac("sha1", testKeys.secret).update(canonical).digest("hex");
  const login = Buffer.from(`${testKeys.api_key}:${signature}`).toString("base64");
  return headers.authorization === `Basic ${login}`;
}

function serviceId({ id }: StoredZone): number {
  return Number(id.slice("zone".length));
}

/** Hostings are among the services, with the same name as a domain. */
function listServices({ url }: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const all = store.zones().flatMap((zone) => [
    { id: serviceId(zone) + 500_000, serviceName: "hosting", name: zone.name, status: "active" },
    { id: serviceId(zone), serviceName: "domain", name: zone.name, status: "active" },
  ]);
  const page = Number(url.searchParams.get("page") ?? 1);
  const pagesize = Math.min(mostServices, Number(url.searchParams.get("pagesize") ?? 20));
  const { items } = slicePage(all, page, pagesize);
  return { status: 200, body: { items, pager: { page, pagesize, items: all.length } } };
}

function listRecords({ url }: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  const page = Number(url.searchParams.get("page") ?? 1);
  const size = Math.min(mostRecords, Number(url.searchParams.get("rowsPerPage") ?? 20));
  const { items, pages } = slicePage(zone.records, page, size);
  const totals = { totalPages: pages, totalRecords: zone.records.length };
  const body = { data: items.map(present), currentPage: page, rowsPerPage: size, ...totals };
  return { status: 200, body };
}

/** Names in full, and no field that a type does not have; of a CAA neither flags nor tag. */
function present(record: StoredRecord): unknown {
  const { type, name, ttl, value, priority, extras } = record;
  const base = { id: extras["id"] === null ? null : Number(record.id), type, name, ttl };
  if (type === "SRV") {
    const { weight, port, target } = splitSrv(value);
    return { ...base, content: target, priority, weight, port };
  }
  return { ...base, content: value, ...(priority === null ? {} : { priority }) };
}

const wire = object({
  type: optional(text, ""),
  name: text,
  content: text,
  ttl: number,
  priority: optional(number, null),
  weight: optional(number, null),
  port: optional(number, null),
});

/** A delegation is accepted, and nothing comes of it. */
function create(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { type } = wire(JSON.parse(request.body), "");
  if (type === "NS") return { status: 204 };
  return answer(createOne(store, zone, parse(request, zone, type)));
}

function parse(request: SimulatedRequest, { name: zone }: StoredZone, type: string): RecordInput {
  const sent = wire(JSON.parse(request.body), "");
  if (sent.name === "" || sent.name.endsWith(zone)) throw new SyntaxError("name");
  if (sent.content.endsWith(".") && type !== "TXT") throw new SyntaxError("content");
  const base = { name: toAbsolute(sent.name, zone), type, ttl: sent.ttl };
  if (type === "SRV") {
    const value = `${sent.weight} ${sent.port} ${sent.content}`;
    return { ...base, value, priority: sent.priority };
  }
  return { ...base, value: sent.content, priority: sent.priority };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return { status: 204 };
  const said = outcome.why === "duplicate" ? "The record already exists" : outcome.message;
  return failure(outcome.why === "missing" ? 404 : 422, said);
}

function failure(status: number, title: string): SimulatedAnswer {
  return { status, body: { type: "/errors/httpException", status, title } };
}
