import { parseData } from "../../src/presentation.ts";
import { boolean, list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
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

const testKeys = {
  account_id: "123456",
  username: "dns-robot",
  password: "selectel-password-1",
  project_name: "shop",
};
const token = "gAAAAABselectel0123456789";
/** Smaller than the real ones, so that there are several. */
const pageSize = 50;

export function startSelectel(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, password: "selectel-revoked-9" },
    missingZone: { id: "no-such-zone", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.url.host === "cloud.api.selcloud.ru") return logIn(request);
  if (request.headers["x-auth-token"] !== token) return failure(401, "unauthorized");
  const [area, version, resource, zoneId, kind, id = ""] = request.segments;
  if (area !== "domains" || version !== "v2" || resource !== "zones") return failure(404, "path");
  if (zoneId === undefined) {
    const zones = store.zones().map((zone) => ({ id: zone.id, name: `${zone.name}.` }));
    return page(request, zones);
  }
  const zone = store.zones().find((one) => one.id === zoneId);
  if (zone === undefined || kind !== "rrset") return failure(404, "zone_not_found");
  return act(request, zone, id, store);
}

const login = object({
  auth: object({
    identity: object({
      methods: list(text),
      password: object({
        user: object({ name: text, domain: object({ name: text }), password: text }),
      }),
    }),
    scope: object({ project: object({ name: text, domain: object({ name: text }) }) }),
  }),
});

function logIn(request: SimulatedRequest): SimulatedAnswer {
  const { identity, scope } = login(JSON.parse(request.body), "").auth;
  const { user } = identity.password;
  const input = {
    account_id: user.domain.name,
    username: user.name,
    password: user.password,
    project_name: scope.project.name,
  };
  const isKnown = JSON.stringify(input) === JSON.stringify(testKeys);
  if (request.url.pathname !== "/identity/v3/auth/tokens" || !isKnown) {
    return failure(401, `The request you have made requires authentication. ${user.password}`);
  }
  return { status: 201, headers: { "x-subject-token": token }, body: { token: {} } };
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const offset = Number(request.url.searchParams.get("offset") ?? 0);
  const shown = slicePage(items, offset / pageSize + 1, pageSize);
  const next_offset = shown.hasMore ? offset + pageSize : 0;
  return { status: 200, body: { count: items.length, next_offset, result: shown.items } };
}

function act(
  request: SimulatedRequest,
  zone: StoredZone,
  id: string,
  store: ZoneStore,
): SimulatedAnswer {
  const sets = groupSets(zone);
  const found = sets.find((set) => setKey(set) === id);
  switch (request.method) {
    case "GET":
      return page(request, sets.map(present));
    case "POST": {
      const input = creation(JSON.parse(request.body), "");
      const name = input.name.replace(/\.$/, "");
      if (sets.some((set) => set.name === name && set.type === input.type)) {
        return failure(409, "rrset_already_exists");
      }
      if (!input.name.endsWith(`${zone.name}.`)) return failure(400, "bad name");
      return write(store, zone, [], readInputs(input, name, input.type), 200);
    }
    case "PATCH": {
      if (found === undefined) return failure(404, "rrset_not_found");
      const input = change(JSON.parse(request.body), "");
      return write(store, zone, findIds(found), readInputs(input, found.name, found.type), 204);
    }
    case "DELETE":
      if (found === undefined) return failure(404, "rrset_not_found");
      return write(store, zone, findIds(found), [], 204);
    default:
      return failure(405, "method");
  }
}

function setKey({ name, type }: StoredSet): string {
  return Buffer.from(`${name} ${type}`).toString("hex");
}

function findIds({ records }: StoredSet): readonly string[] {
  return records.map(({ id }) => id);
}

function present(set: StoredSet): unknown {
  const { name, type, ttl } = set;
  const manager = set.records.find(({ extras }) => "managed_by" in extras)?.extras["managed_by"];
  const records = set.values.map((content, at) => ({
    content,
    disabled: set.records[at]?.extras["disabled"] ?? false,
  }));
  const shown = { id: setKey(set), name: `${name}.`, type, ttl, records };
  return { ...shown, comment: "", managed_by: manager ?? "" };
}

const values = list(object({ content: text, disabled: optional(boolean, false) }));
const creation = object({ name: text, type: text, ttl: number, records: values });
const change = object({ ttl: number, records: values });

function readInputs(
  { ttl, records }: ReturnType<typeof change>,
  name: string,
  type: string,
): readonly RecordInput[] {
  if (ttl < 60 || records.length === 0) throw new SyntaxError("ttl or records");
  return records.map(({ content }) => {
    const data = parseData(type, content, null);
    const isWhole = type !== "TXT" || /^"[^"]{0,255}"(?: "[^"]{0,255}")*$/.test(content);
    if (data === null || !isWhole) throw new SyntaxError(`content ${content}`);
    return { name, type, ttl, ...data };
  });
}

function write(
  store: ZoneStore,
  zone: StoredZone,
  ids: readonly string[],
  inputs: readonly RecordInput[],
  status: number,
): SimulatedAnswer {
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status, ...(status === 200 ? { body: {} } : {}) };
  return failure(problem.problem === "invalid" ? 422 : 409, problem.message);
}

function failure(status: number, error: string): SimulatedAnswer {
  return { status, body: { error, description: "", location: "" } };
}
