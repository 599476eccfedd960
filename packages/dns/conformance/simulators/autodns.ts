import { toAbsolute, toRelative } from "../../src/name.ts";
import { absoluteTarget, parseData, readTarget } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testUser = { username: "shop", password: "autodns-password-1", context: "33004" };
const server = "a.ns14.net";
const soaTtl = 86_400;

export function startAutodns(): Promise<Backend> {
  return startSimulator({
    credentials: testUser,
    wrongCredentials: { ...testUser, password: "autodns-revoked" },
    missingZone: { id: `absent.example@${server}`, name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "E0202", message, "EF02000"),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const { headers, method, segments } = request;
  const login = Buffer.from(`${testUser.username}:${testUser.password}`).toString("base64");
  if (headers.authorization !== `Basic ${login}`) {
    return failure(401, "E0013", `Login failed for ${headers.authorization}`);
  }
  if (headers["x-domainrobot-context"] !== testUser.context) {
    return failure(401, "E0013", "Wrong context");
  }
  const [version, kind, origin = "", last = ""] = segments;
  if (version !== "v1" || kind !== "zone") return failure(404, "E0000", "Unknown path");
  if (method === "POST" && origin === "_search") return search(request, store);
  const zone = store.zone(origin);
  if (zone === null) return failure(404, "E0205", "Zone does not exist");
  if (method === "GET" && last === server) return success([presentZone(zone)]);
  if (method === "POST" && last === "_stream") return stream(request, zone, store);
  return failure(404, "E0205", "Zone does not exist");
}

const view = object({ view: object({ limit: number, offset: number }) });

/** The list has neither servers nor records. */
function search(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const { limit: asked, offset } = view(JSON.parse(request.body), "").view;
  const limit = Math.min(asked, 50);
  const all = store.zones();
  const data = all.slice(offset, offset + limit).map(({ name }) => ({
    origin: name,
    virtualNameServer: server,
    owner: { context: 33_004, user: "shop" },
  }));
  const { body } = success(data);
  return { status: 200, body: { ...body, object: { type: "Zone", summary: all.length } } };
}

/** The main address stands beside the records; the apex has the empty name. */
function presentZone(zone: StoredZone): unknown {
  const main = zone.records.find(({ extras }) => extras["main"] === true);
  return {
    origin: zone.name,
    soa: { refresh: 43_200, retry: 7_200, expire: 1_209_600, ttl: soaTtl },
    nameServers: ["a", "b", "c", "d"].map((one) => ({ name: `${one}.ns14.net` })),
    ...(main === undefined ? {} : { main: { address: main.value, ttl: main.ttl } }),
    wwwInclude: main?.extras["www"] === true,
    virtualNameServer: server,
    action: "COMPLETE",
    resourceRecords: zone.records
      .filter((record) => record !== main)
      .map((record) => presentRecord(record, zone.name)),
  };
}

interface Wire {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly pref: number | null;
}

/** The TTL is left out where it is that of the zone, the priority where there is none. */
function presentRecord(record: StoredRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, ttl, priority, value } = record;
  const relative = toRelative(record.name, zone);
  const hasTarget = ["CNAME", "ALIAS", "NS", "MX", "SRV"].includes(type);
  return {
    name: relative === null || relative === "@" ? "" : relative,
    ...(ttl === soaTtl ? {} : { ttl }),
    type,
    value: hasTarget ? absoluteTarget(value) : value,
    ...(priority === null ? {} : { pref: priority }),
  };
}

const wire = object({
  name: text,
  type: text,
  value: text,
  ttl: optional(number, null),
  pref: optional(number, null),
});
const zoneStream = object({ adds: optional(list(wire), []), rems: optional(list(wire), []) });

/** All or nothing; a removal names a record by all of its fields as they are listed. */
function stream(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { adds, rems } = zoneStream(JSON.parse(request.body), "");
  const listed = zone.records
    .filter(({ extras }) => extras["main"] !== true)
    .map((record) => ({ id: record.id, key: keyFor(wire(presentRecord(record, zone.name), "")) }));
  const ids: string[] = [];
  for (const one of rems) {
    const found = listed.find(({ id, key }) => key === keyFor(one) && !ids.includes(id));
    if (found === undefined) {
      return failure(400, "E0202002", "Zone could not be updated.", "EF02023");
    }
    ids.push(found.id);
  }
  const result = store.replace(
    zone,
    ids,
    adds.map((one) => readInput(one, zone.name)),
  );
  if (result === null) return success([{ origin: zone.name, virtualNameServer: server }]);
  const code = !result.ok && result.problem === "duplicate" ? "EF02022" : "EF02024";
  return failure(400, "E0202002", "Zone could not be updated on the name server.", code);
}

function keyFor({ name, type, value, ttl, pref }: Wire): string {
  return JSON.stringify([name, type, value, ttl, pref]);
}

function readInput({ name, type, value, ttl, pref }: Wire, zone: string): RecordInput {
  if (name.endsWith(zone)) throw new SyntaxError("name");
  const base = { name: toAbsolute(name, zone), type, ttl: ttl ?? soaTtl };
  if (type === "TXT" && /["\\]/.test(value)) throw new SyntaxError("value");
  if (type === "SRV") {
    const parsed = parseData("SRV", `${pref} ${value}`, zone);
    if (parsed === null) throw new SyntaxError("value");
    return { ...base, ...parsed };
  }
  if (!["CNAME", "ALIAS", "NS", "MX"].includes(type)) return { ...base, value };
  return { ...base, value: readTarget(value, zone), priority: pref };
}

function success(data: readonly unknown[]) {
  const status = {
    code: "S0205",
    text: "Zonen-Informationen wurden erfolgreich ermittelt.",
    type: "SUCCESS",
  };
  return { status: 200, body: { stid: "20261118-app-1", status, data } };
}

function failure(status: number, code: string, said: string, detail?: string): SimulatedAnswer {
  const messages =
    detail === undefined ? [] : [{ text: "The entry.", code: detail, status: "ERROR" }];
  const body = { stid: "20261118-app-1", messages, status: { code, text: said, type: "ERROR" } };
  return { status, body };
}
