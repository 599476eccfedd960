import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import { boolean, list, number, object, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const apiToken = "hostinger-token-0123456789";

export function startHostinger(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "hostinger-token-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(401, `Unauthenticated ${input}`);
  const [, area, , resource, domain] = request.segments;
  if (area === "domains" && resource === "portfolio") {
    const shown = store.zones().map(({ name }, id) => ({ id, domain: name, status: "active" }));
    return { status: 200, body: [...shown, { id: 0, domain: null, status: "requested" }] };
  }
  const zone = area === "dns" && resource === "zones" ? store.zone(domain ?? "") : null;
  if (zone === null) return failure(404, "Domain was not found");
  switch (request.method) {
    case "GET": {
      const records = [...zone.records, ...readGhosts(zone)];
      const shown = groupSets({ ...zone, records }).map((set) => present(set, zone.name));
      return { status: 200, body: shown };
    }
    case "PUT":
      return update(JSON.parse(request.body), zone, store);
    case "DELETE":
      return destroy(JSON.parse(request.body), zone, store);
    default:
      return failure(405, "Method not allowed");
  }
}

/** A deletion is accepted at once and seen by later requests, here by the third. */
const readsUntilGone = 2;
const ghosts = new WeakMap<StoredZone, { records: readonly StoredRecord[]; readsLeft: number }>();

function readGhosts(zone: StoredZone): readonly StoredRecord[] {
  const left = ghosts.get(zone);
  if (left === undefined || left.readsLeft === 0) {
    ghosts.delete(zone);
    return [];
  }
  left.readsLeft -= 1;
  return left.records;
}

/** Targets end with a dot and texts are in quotes, however they were sent. */
function present({ name, type, ttl, values }: StoredSet, zone: string): unknown {
  const records = values.map((content) => ({ content, is_disabled: false }));
  return { name: toRelative(name, zone), type, ttl, records };
}

const updateBody = object({
  overwrite: boolean,
  zone: list(
    object({ name: text, type: text, ttl: number, records: list(object({ content: text })) }),
  ),
});

/** With `overwrite` the values of each named set go; without, a value that is there is an error. */
function update(body: unknown, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { overwrite, zone: sets } = updateBody(body, "");
  const inputs = sets.flatMap(({ name, type, ttl, records }) => {
    requireRelative(name, zone);
    if (records.length === 0) throw new SyntaxError("The records field is required.");
    return records.map(({ content }) => parse(name, type, ttl, content, zone));
  });
  const ids = sets.flatMap(({ name, type }) => findIds(name, type, zone));
  const isTaken = inputs.some(({ name, type }) =>
    ghosts
      .get(zone)
      ?.records.some((one) => one.name === name && (type === "CNAME" || one.type === "CNAME")),
  );
  const problem = isTaken ? undefined : store.replace(zone, overwrite ? ids : [], inputs);
  if (problem === null || problem?.ok === true) return accepted;
  const why = "DNS resource record is not valid or conflicts with another resource record";
  return failure(422, `[DNS:4008] ${why}`);
}

const destroyBody = object({ filters: list(object({ name: text, type: text })) });

/** A filter takes the whole set with it. */
function destroy(body: unknown, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { filters } = destroyBody(body, "");
  for (const { name } of filters) requireRelative(name, zone);
  const ids = filters.flatMap(({ name, type }) => findIds(name, type, zone));
  const records = zone.records.filter(({ id }) => ids.includes(id));
  if (records.length > 0) ghosts.set(zone, { records, readsLeft: readsUntilGone });
  store.replace(zone, ids, []);
  return accepted;
}

function findIds(name: string, type: string, zone: StoredZone): readonly string[] {
  const absolute = toAbsolute(name, zone.name);
  return zone.records
    .filter((record) => record.name === absolute && record.type === type)
    .map(({ id }) => id);
}

function requireRelative(name: string, zone: StoredZone): void {
  if (name === "" || name.endsWith(zone.name)) throw new SyntaxError("The name must be relative.");
}

function parse(
  name: string,
  type: string,
  ttl: number,
  content: string,
  zone: StoredZone,
): RecordInput {
  const isBare = type === "TXT" && !content.startsWith('"');
  const data = isBare ? { value: content, priority: null } : parseData(type, content, null);
  if (data === null) throw new SyntaxError(`unreadable ${type} ${content}`);
  return { name: toAbsolute(name, zone.name), type, ttl, ...data };
}

const accepted: SimulatedAnswer = { status: 200, body: { message: "Request accepted" } };

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { message, correlation_id: "26a91bd9-0000-4000-8000-000000000000" } };
}
