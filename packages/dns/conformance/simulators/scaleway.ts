import { toAbsolute, toRelative } from "../../src/name.ts";
import {
  absoluteTarget,
  parseData,
  quoteTxt,
  readTarget,
  unquoteTxt,
} from "../../src/presentation.ts";
import { boolean, list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const apiKey = "0a1b2c3d-0000-4000-8000-0123456789ab";
const maxPerPage = 25;

export function startScaleway(): Promise<Backend> {
  return startSimulator({
    credentials: { secret_key: apiKey },
    wrongCredentials: { secret_key: "0a1b2c3d-0000-4000-8000-00000revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "invalid_arguments", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers["x-auth-token"];
  if (input !== apiKey) return failure(401, "denied_authentication", `invalid ${String(input)}`);
  const [, , resource, name, kind] = request.segments;
  if (resource !== "dns-zones") return failure(404, "not_found", "resource is not found");
  if (name === undefined) return page(request, "dns_zones", store.zones().map(presentZone));
  const zone = store.zone(name);
  if (zone === null || kind !== "records")
    return failure(404, "not_found", "resource is not found");
  if (request.method === "GET") {
    return page(
      request,
      "records",
      zone.records.map((record) => present(record, zone.name)),
    );
  }
  return request.method === "PATCH" ? patch(request, zone, store) : failure(405, "no", "no");
}

/** A zone below another has its own labels apart. */
function presentZone({ name }: StoredZone): unknown {
  const labels = name.split(".");
  const domain = labels.slice(-2).join(".");
  return {
    domain,
    subdomain: labels.slice(0, -2).join("."),
    ns: ["ns0.dom.scw.cloud."],
    status: "active",
  };
}

function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const { items: shown } = slicePage(items, at, maxPerPage);
  return { status: 200, body: { total_count: items.length, [key]: shown } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority, extras } = record;
  const relative = toRelative(record.name, zone);
  return {
    id,
    name: relative === "@" ? "" : relative,
    type,
    data: presentValue(record),
    ttl,
    priority: priority ?? 0,
    ...extras,
  };
}

/** The priority is in the text, however it was sent. */
function presentValue({ type, value, priority }: StoredRecord): string {
  if (type === "TXT") return quoteTxt(value);
  if (type === "MX" || type === "SRV") return `${priority} ${absoluteTarget(value)}`;
  return ["CNAME", "ALIAS", "NS"].includes(type) ? absoluteTarget(value) : value;
}

const wire = object({ name: text, type: text, data: text, ttl: number, priority: number });
const body = object({
  disallow_new_zone_creation: boolean,
  changes: list(
    object({
      add: optional(object({ records: list(wire) }), null),
      set: optional(object({ id: text, records: list(wire) }), null),
      delete: optional(object({ id: text }), null),
    }),
  ),
});

function patch(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { changes } = body(JSON.parse(request.body), "");
  const ids = changes.flatMap((change) => change.set?.id ?? change.delete?.id ?? []);
  if (ids.some((id) => !zone.records.some((record) => record.id === id))) {
    return failure(404, "not_found", "record is not found");
  }
  const records = changes.flatMap((change) => change.set?.records ?? change.add?.records ?? []);
  const problem = store.replace(
    zone,
    ids,
    records.map((record) => parse(record, zone.name)),
  );
  if (problem === null || problem.ok) return { status: 200, body: { records: [] } };
  return failure(400, "invalid_arguments", problem.message);
}

function parse(input: ReturnType<typeof wire>, zone: string): RecordInput {
  const { type, ttl, data } = input;
  if (ttl < 60) throw new SyntaxError("ttl");
  const base = { name: toAbsolute(input.name, zone), type, ttl };
  if (type === "TXT") return { ...base, value: unquoteTxt(data) ?? "" };
  if (["CNAME", "ALIAS", "NS"].includes(type)) return { ...base, value: readTarget(data, zone) };
  // A mail exchanger may be sent with its priority apart, a service never is.
  const isBare = type === "MX" && !data.includes(" ");
  if (isBare) return { ...base, value: readTarget(data, zone), priority: input.priority };
  if (type === "SRV" && data.split(" ").length !== 4) throw new SyntaxError("data");
  const parsed = parseData(type, data, zone);
  if (parsed === null) throw new SyntaxError("data");
  return { ...base, ...parsed };
}

function failure(status: number, type: string, message: string): SimulatedAnswer {
  return { status, body: { type, message } };
}
