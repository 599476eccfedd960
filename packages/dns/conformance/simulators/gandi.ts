import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import { list, number, object, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets } from "./rrsets.ts";

const apiToken = "0123456789abcdef0123456789abcdef01234567";
const maxPerPage = 25;

export function startGandi(): Promise<Backend> {
  return startSimulator({
    credentials: { personal_access_token: apiToken },
    wrongCredentials: { personal_access_token: "ffffffffffffffffffffffffffffffffffffffff" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "HTTPBadRequest", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(401, "HTTPUnauthorized", `bad token ${input}`);
  const [, , resource, fqdn, kind, name, type] = request.segments;
  if (resource !== "domains") return failure(404, "HTTPNotFound", "unknown resource");
  if (fqdn === undefined) {
    return page(
      request,
      store.zones().map((zone) => ({ fqdn: zone.name })),
    );
  }
  const zone = store.zone(fqdn);
  if (zone === null || kind !== "records") return failure(404, "HTTPNotFound", "unknown domain");
  if (name === undefined || type === undefined) return page(request, presentSets(zone));
  return write(request, zone, store, toAbsolute(name, zone.name), type);
}

function presentSets(zone: StoredZone): readonly unknown[] {
  return groupSets(zone).map(({ name, type, ttl, values }) => ({
    rrset_name: toRelative(name, zone.name),
    rrset_type: type,
    rrset_ttl: ttl,
    rrset_values: values,
  }));
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(maxPerPage, Number(request.url.searchParams.get("per_page") ?? 100));
  const headers = { "total-count": String(items.length) };
  return { status: 200, headers, body: slicePage(items, at, size).items };
}

const body = object({ rrset_values: list(text), rrset_ttl: number });

function write(
  request: SimulatedRequest,
  zone: StoredZone,
  store: ZoneStore,
  name: string,
  type: string,
): SimulatedAnswer {
  const set = groupSets(zone).find((one) => one.name === name && one.type === type);
  const ids = set?.records.map(({ id }) => id) ?? [];
  if (request.method === "DELETE") {
    if (ids.length === 0) return failure(404, "HTTPNotFound", "no such set");
    store.replace(zone, ids, []);
    return { status: 204 };
  }
  if (request.method !== "PUT") return failure(405, "HTTPMethodNotAllowed", "no");
  const { rrset_values: values, rrset_ttl: ttl } = body(JSON.parse(request.body), "");
  if (ttl < 300 || ttl > 2_592_000) return failure(400, "HTTPBadRequest", "rrset_ttl out of range");
  if (type === "ALIAS" && name !== zone.name) return failure(400, "HTTPBadRequest", "apex only");
  const inputs = values.map((value): RecordInput => {
    const parsed = parseData(type, value, zone.name);
    if (parsed === null || values.length === 0) throw new SyntaxError(`unreadable value ${value}`);
    return { name, type, ttl, ...parsed };
  });
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok)
    return { status: 201, body: { message: "DNS Record Created" } };
  return failure(problem.problem === "clash" ? 409 : 400, "HTTPConflict", problem.message);
}

function failure(code: number, kind: string, message: string): SimulatedAnswer {
  return { status: code, body: { code, message, object: kind, cause: "" } };
}
