import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData, plainTxt, quoteTxt } from "../../src/presentation.ts";
import { number, object, text } from "../../src/providers/adapter/json.ts";
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

const apiToken = "infomaniak-token-0123456789";
const domainsPerPage = 15;

export function startInfomaniak(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "infomaniak-token-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, "validation_failed", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(401, "not_authorized", `Refused: ${input}`);
  const [version, group, name = "", kind, id = ""] = request.segments;
  if (version !== "2") return failure(404, "object_not_found", "Unknown path");
  if (group === "domains" && name === "domains") return listDomains(request, store);
  const zone = group === "zones" ? (store.zones().find((one) => one.name === name) ?? null) : null;
  if (zone === null) {
    return failure(404, "zone_does_not_exists", `Zone does not exists: ${name}`);
  }
  if (kind === undefined) {
    const nameservers = ["nsany1.infomaniak.com", "nsany2.infomaniak.com"];
    return success({ id: 1, fqdn: zone.name, dnssec: { is_enabled: false }, nameservers });
  }
  if (kind !== "records") return failure(404, "object_not_found", "Unknown path");
  switch (request.method) {
    case "GET":
      return page(
        request,
        zone.records.map((record) => present(record, zone)),
        100,
      );
    case "POST":
      return answer(createOne(store, zone, parseNew(request, zone)), zone, 201);
    case "PUT":
      return change(request, zone, id, store);
    case "DELETE": {
      const outcome = deleteOne(store, zone, id);
      return outcome.done ? success(true) : answer(outcome, zone, 200);
    }
    default:
      return failure(405, "method_not_found", "Method not allowed");
  }
}

function page(
  { url }: SimulatedRequest,
  all: readonly unknown[],
  mostPerPage: number,
): SimulatedAnswer {
  const number = Number(url.searchParams.get("page") ?? 1);
  const size = Math.min(Number(url.searchParams.get("per_page") ?? mostPerPage), mostPerPage);
  const { items, pages } = slicePage(all, number, size);
  const meta = { page: number, pages, items_per_page: size, total: all.length };
  return { status: 200, body: { result: "success", data: items, ...meta } };
}

function listDomains(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const all = store.zones().map(({ name }) => ({ name, tld: "example", locked: "true" }));
  return page(request, all, domainsPerPage);
}

/** Texts are in quotes, however they were sent; the apex is a dot; other targets have no dot. */
function present(record: StoredRecord, zone: StoredZone) {
  const { id, type, value, ttl, priority } = record;
  const target = type === "TXT" ? quoteTxt(value) : value;
  return {
    id: Number(id),
    source: toRelative(record.name, zone.name, "") || ".",
    type,
    ttl,
    target: priority === null ? target : `${priority} ${target}`,
    updated_at: 1_610_096_193,
    ...record.extras,
  };
}

const newRecord = object({ type: text, source: text, target: text, ttl: number });
const changedRecord = object({ target: text, ttl: number });

function parseNew(request: SimulatedRequest, zone: StoredZone): RecordInput {
  const { type, source, target, ttl } = newRecord(JSON.parse(request.body), "");
  if (source.endsWith(zone.name)) throw new SyntaxError("The source must be relative");
  const name = toAbsolute(source === "." ? "" : source, zone.name);
  return { name, type, ttl, ...parseTarget(type, target, ttl) };
}

/** Only the target and the TTL can be changed. */
function change(
  request: SimulatedRequest,
  zone: StoredZone,
  id: string,
  store: ZoneStore,
): SimulatedAnswer {
  const stored = zone.records.find((record) => record.id === id);
  const { target, ttl } = changedRecord(JSON.parse(request.body), "");
  if (stored === undefined) return failure(404, "object_not_found", "Object not found");
  const { name, type } = stored;
  const input = { name, type, ttl, ...parseTarget(type, target, ttl) };
  return answer(updateOne(store, zone, id, input), zone, 200);
}

function parseTarget(type: string, target: string, ttl: number) {
  if (ttl < 60) throw new SyntaxError("ttl");
  if (type === "TXT") return { value: plainTxt(target) ?? "", priority: null };
  if (/^(?:CNAME|MX|NS|SRV)$/.test(type) && target.endsWith(".")) throw new SyntaxError("target");
  const data = parseData(type, target, null);
  if (data === null) throw new SyntaxError("target");
  return data;
}

function answer(outcome: Outcome, zone: StoredZone, status: number): SimulatedAnswer {
  if (outcome.done) {
    return { status, body: { result: "success", data: present(outcome.record, zone) } };
  }
  if (outcome.why === "missing") return failure(404, "object_not_found", "Object not found");
  const code = outcome.why === "invalid" ? 422 : 409;
  return failure(code, "validation_failed", outcome.message);
}

function success(data: unknown): SimulatedAnswer {
  return { status: 200, body: { result: "success", data } };
}

function failure(status: number, code: string, description: string): SimulatedAnswer {
  return { status, body: { result: "error", error: { code, description } } };
}
