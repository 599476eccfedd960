import { quoteTxt } from "../../src/presentation.ts";
import { boolean, list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { createOne, deleteOne, type Outcome, updateOne } from "./single-records.ts";

const testKeys = { api_prefix: "0123abcd", api_secret: "ionos-secret-0123" };

export function startIonos(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_secret: "ionos-revoked-9999" },
    missingZone: { id: "zone0", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "INVALID_RECORD", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const given = request.headers["x-api-key"];
  if (given !== `${testKeys.api_prefix}.${testKeys.api_secret}`) {
    return failure(401, "UNAUTHORIZED", `The customer is not authorized: ${String(given)}`);
  }
  const [, , resource, zoneId, kind, id = ""] = request.segments;
  if (resource !== "zones") return failure(404, "NOT_FOUND", "no such resource");
  if (zoneId === undefined) {
    const zones = store.zones().map((zone) => ({ id: zone.id, name: zone.name, type: "NATIVE" }));
    return { status: 200, body: zones };
  }
  const zone = store.zone(zoneId);
  if (zone === null) return failure(404, "ZONE_NOT_FOUND", "Zone does not exist.");
  if (kind === undefined) return whole(request, zone);
  switch (request.method) {
    case "POST":
      return answer(createOne(store, zone, parseNew(request, zone)), 201, zone);
    case "PUT":
      return answer(updateOne(store, zone, id, parseChange(request, zone, id)), 200, zone);
    case "DELETE":
      return answer(deleteOne(store, zone, id), 200, zone);
    default:
      return failure(405, "METHOD_NOT_ALLOWED", "no");
  }
}

/**
 * PUT and PATCH of the zone replace everything, or every set that is named; adapters must not call
 * them.
 */
function whole(request: SimulatedRequest, zone: StoredZone): SimulatedAnswer {
  if (request.method !== "GET") {
    zone.records = [];
    return { status: 200, body: {} };
  }
  return {
    status: 200,
    body: {
      id: zone.id,
      name: zone.name,
      records: zone.records.map((record) => present(record, zone.name)),
    },
  };
}

function present(record: StoredRecord, rootName: string): unknown {
  const { id, name, type, value, ttl, priority } = record;
  const content = type === "TXT" ? quoteTxt(value) : value;
  const ranked = priority === null ? {} : { prio: priority };
  return { id, name, rootName, type, content, ttl, ...ranked, disabled: false };
}

const changed = { content: text, ttl: number, prio: optional(number, null), disabled: boolean };
const newBody = list(object({ name: text, type: text, ...changed }));
const changeBody = object(changed);

function parseNew(request: SimulatedRequest, zone: StoredZone): RecordInput {
  const [given, ...others] = newBody(JSON.parse(request.body), "");
  if (given === undefined || others.length > 0) throw new SyntaxError("one record expected");
  if (given.name !== zone.name && !given.name.endsWith(`.${zone.name}`))
    throw new SyntaxError("name");
  return checked({
    name: given.name,
    type: given.type,
    value: given.content,
    ttl: given.ttl,
    priority: given.prio,
  });
}

function parseChange(request: SimulatedRequest, zone: StoredZone, id: string): RecordInput {
  const { content: value, ttl, prio: priority } = changeBody(JSON.parse(request.body), "");
  const old = zone.records.find((record) => record.id === id);
  return checked({ name: old?.name ?? "", type: old?.type ?? "", value, ttl, priority });
}

function checked(input: RecordInput): RecordInput {
  if (input.ttl < 60) throw new SyntaxError("ttl");
  if (input.type === "TXT" && input.value.startsWith('"')) throw new SyntaxError("quoted twice");
  return input;
}

function answer(outcome: Outcome, status: number, zone: StoredZone): SimulatedAnswer {
  if (outcome.done) return { status, body: [present(outcome.record, zone.name)] };
  if (outcome.why === "missing") return failure(404, "RECORD_NOT_FOUND", outcome.message);
  return failure(400, "INVALID_RECORD", outcome.message);
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: [{ code, message }] };
}
