import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const apiToken = "hcloud-token-0123456789";
const maxPerPage = 30;

export function startHetzner(): Promise<Backend> {
  const polls = new Map<string, number>();
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "hcloud-token-revoked" },
    missingZone: { id: "999999", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, polls),
    malformed: (message) => failure(422, "invalid_input", message),
  });
}

function handle(
  request: SimulatedRequest,
  store: ZoneStore,
  polls: Map<string, number>,
): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`)
    return failure(401, "unauthorized", `unable to authenticate ${input}`);
  const [, resource, id, kind, ...rest] = request.segments;
  if (resource === "actions") return poll(id ?? "", polls);
  if (resource !== "zones") return failure(404, "not_found", "no such resource");
  if (id === undefined) return page(request, "zones", store.zones().map(presentZone));
  const zone = store.zone(id);
  if (zone === null || kind !== "rrsets") return failure(404, "not_found", "zone not found");
  const sets = groupSets(zone);
  if (request.method === "GET") {
    return page(
      request,
      "rrsets",
      sets.map((set) => presentSet(set, zone.name)),
    );
  }
  const problem = write(request, rest, zone, store);
  if (problem !== null) return problem;
  const actionId = String(5_000 + polls.size);
  polls.set(actionId, 0);
  return {
    status: 201,
    body: { action: { id: Number(actionId), status: "running", error: null } },
  };
}

/** Every change is still running when first asked about. */
function poll(id: string, polls: Map<string, number>): SimulatedAnswer {
  const asked = polls.get(id);
  if (asked === undefined) return failure(404, "not_found", "action not found");
  polls.set(id, asked + 1);
  const status = asked === 0 ? "running" : "success";
  return { status: 200, body: { action: { id: Number(id), status, error: null } } };
}

function presentZone({ id, name }: StoredZone): unknown {
  const assigned = ["hydrogen.ns.hetzner.com.", "oxygen.ns.hetzner.com.", "helium.ns.hetzner.de."];
  return { id, name, mode: "primary", ttl: 3600, authoritative_nameservers: { assigned } };
}

function presentSet({ name, type, ttl, values }: StoredSet, zone: string): unknown {
  const relative = toRelative(name, zone);
  const records = values.map((value) => ({ value, comment: "" }));
  return {
    id: `${relative}/${type}`,
    name: relative,
    type,
    ttl,
    records,
    protection: { change: false },
  };
}

function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(maxPerPage, Number(request.url.searchParams.get("per_page") ?? 25));
  const { items: shown, hasMore } = slicePage(items, at, size);
  const pagination = { page: at, next_page: hasMore ? at + 1 : null, total_entries: items.length };
  return { status: 200, body: { [key]: shown, meta: { pagination } } };
}

const values = list(object({ value: text }));
const createBody = object({ name: text, type: text, ttl: optional(number, 3600), records: values });
const recordsBody = object({ records: values });
const ttlBody = object({ ttl: number });

function write(
  request: SimulatedRequest,
  path: readonly string[],
  zone: StoredZone,
  store: ZoneStore,
): SimulatedAnswer | null {
  const [name, type, , action] = path;
  if (name === undefined || type === undefined) {
    const { name: fresh, type: kind, ttl, records } = createBody(JSON.parse(request.body), "");
    if (find(zone, fresh, kind) !== null) return failure(409, "uniqueness_error", "set exists");
    return replace(
      zone,
      store,
      [],
      fresh,
      kind,
      ttl,
      records.map((one) => one.value),
    );
  }
  const set = find(zone, name, type);
  if (set === null) return failure(404, "not_found", "rrset not found");
  const ids = set.records.map(({ id }) => id);
  if (request.method === "DELETE") return replace(zone, store, ids, name, type, 60, []);
  if (action === "set_records") {
    const { records } = recordsBody(JSON.parse(request.body), "");
    return replace(
      zone,
      store,
      ids,
      name,
      type,
      set.ttl,
      records.map((one) => one.value),
    );
  }
  if (action !== "change_ttl") return failure(404, "not_found", "no such action");
  return replace(
    zone,
    store,
    ids,
    name,
    type,
    ttlBody(JSON.parse(request.body), "").ttl,
    set.values,
  );
}

function find(zone: StoredZone, name: string, type: string): StoredSet | null {
  const absolute = toAbsolute(name, zone.name);
  return groupSets(zone).find((set) => set.name === absolute && set.type === type) ?? null;
}

function replace(
  zone: StoredZone,
  store: ZoneStore,
  ids: readonly string[],
  name: string,
  type: string,
  ttl: number,
  data: readonly string[],
): SimulatedAnswer | null {
  if (ttl < 60) return failure(422, "invalid_input", "ttl must be at least 60");
  const inputs = data.map((one): RecordInput => {
    if (type === "TXT" && !one.startsWith('"')) throw new SyntaxError("TXT must be quoted");
    const parsed = parseData(type, one, zone.name);
    if (parsed === null) throw new SyntaxError(`unreadable ${type} ${one}`);
    return { name: toAbsolute(name, zone.name), type, ttl, ...parsed };
  });
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return null;
  return failure(422, "invalid_input", problem.message);
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { error: { code, message, details: {} } } };
}
