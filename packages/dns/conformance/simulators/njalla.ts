import { toAbsolute, toRelative } from "../../src/name.ts";
import { splitSrv } from "../../src/presentation.ts";
import { anything, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const apiToken = "njalla-token-0123456789";
const ttls = [60, 300, 900, 3_600, 10_800, 21_600, 86_400];

export function startNjalla(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "njalla-token-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

const call = object({ method: text, params: anything });
/** Records have numbers as keys, and are found by numbers only. */
const target = object({ domain: text, id: optional(number, 0) });

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.method !== "POST" || request.url.pathname !== "/api/1/") return { status: 404 };
  const given = String(request.headers.authorization);
  if (given !== `Njalla ${apiToken}`) return failure(403, `Invalid token. ${given}`);
  const { method, params } = call(JSON.parse(request.body), "");
  if (method === "list-domains") {
    const expiry = "2030-01-01T00:00:00Z";
    return success({
      domains: store.zones().map(({ name }) => ({ name, status: "active", expiry })),
    });
  }
  const { domain, id: key } = target(params, "params");
  const id = String(key);
  const zone = store.zone(domain);
  if (zone === null) return failure(404, "Domain not found");
  switch (method) {
    case "list-records":
      return success({ records: zone.records.map((record) => present(record, zone.name)) });
    case "add-record":
      return answer(createOne(store, zone, parse(params, zone)));
    case "edit-record":
      return edit(store, zone, id, parse(params, zone));
    case "remove-record":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(404, "Method not found");
  }
}

/** The type of a record cannot be changed. */
function edit(store: ZoneStore, zone: StoredZone, id: string, input: RecordInput): SimulatedAnswer {
  const before = zone.records.find((record) => record.id === id);
  if (before !== undefined && before.type !== input.type) return failure(400, "Invalid type");
  return answer(updateOne(store, zone, id, input));
}

function present(record: StoredRecord, zone: string): unknown {
  const { type, value, ttl, priority } = record;
  const id = Number(record.id);
  const base = { id, name: toRelative(record.name, zone), type, content: value, ttl };
  if (type === "SRV") {
    const { weight, port, target: content } = splitSrv(value);
    return { ...base, content, prio: priority, weight, port };
  }
  return priority === null ? base : { ...base, prio: priority };
}

const wire = object({
  name: text,
  type: text,
  content: text,
  ttl: number,
  prio: optional(number, null),
  weight: optional(number, null),
  port: optional(number, null),
});

function parse(params: unknown, { name: zone }: StoredZone): RecordInput {
  const { name, type, content, ttl, prio: priority, weight, port } = wire(params, "params");
  if (name === "" || name.endsWith(zone)) throw new SyntaxError("Invalid name");
  if (!ttls.includes(ttl)) throw new SyntaxError("Invalid ttl");
  if (type === "TXT" && /["\\]/.test(content)) throw new SyntaxError("Invalid content");
  const value = type === "SRV" ? `${weight} ${port} ${content}` : content;
  return { name: toAbsolute(name, zone), type, ttl, priority, value };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return success({ id: Number(outcome.record.id) });
  return outcome.why === "missing"
    ? failure(404, "Record not found")
    : failure(400, outcome.message);
}

function success(result: unknown): SimulatedAnswer {
  return { status: 200, body: { jsonrpc: "2.0", result } };
}

function failure(code: number, message: string): SimulatedAnswer {
  return { status: 200, body: { jsonrpc: "2.0", error: { code, message } } };
}
