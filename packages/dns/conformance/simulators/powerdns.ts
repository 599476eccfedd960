import { parseData } from "../../src/presentation.ts";
import { boolean, list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets } from "./rrsets.ts";

const testKeys = { api_url: "https://pdns.example.net:8081/", api_key: "pdns-key-0123456789" };

/** For the failures that a real server cannot be made to have. */
export function startPowerdns(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_key: "pdns-key-revoked" },
    missingZone: { id: "absent.example.", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.headers["x-api-key"] !== testKeys.api_key)
    return { status: 401, body: "Unauthorized" };
  const [api, version, , server, resource, id] = request.segments;
  if (api !== "api" || version !== "v1" || server !== "localhost" || resource !== "zones") {
    return failure(404, "Not Found");
  }
  if (id === undefined) {
    const zones = store
      .zones()
      .map(({ name }) => ({ id: `${name}.`, name: `${name}.`, kind: "Native" }));
    return { status: 200, body: zones };
  }
  const zone = id.endsWith(".") ? store.zone(id.slice(0, -1)) : null;
  if (zone === null) return failure(404, "Not Found");
  if (request.method === "GET")
    return { status: 200, body: { name: id, rrsets: presentSets(zone) } };
  return request.method === "PATCH"
    ? patch(request, zone, store)
    : failure(405, "Method Not Allowed");
}

function presentSets(zone: StoredZone): readonly unknown[] {
  return groupSets(zone).map(({ name, type, ttl, values }) => {
    const records = values.map((content) => ({ content, disabled: false }));
    return { name: `${name}.`, type, ttl, records, comments: [] };
  });
}

const body = object({
  rrsets: list(
    object({
      name: text,
      type: text,
      ttl: optional(number, 0),
      changetype: text,
      records: optional(list(object({ content: text, disabled: boolean })), []),
    }),
  ),
});

function patch(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { rrsets } = body(JSON.parse(request.body), "");
  const relative = rrsets.find(({ name }) => !name.endsWith("."));
  if (relative !== undefined) return failure(422, `DNS Name '${relative.name}' is not canonical`);
  const names = rrsets.map(({ name, type }) => `${name} ${type}`);
  const ids = zone.records
    .filter(({ name, type }) => names.includes(`${name}. ${type}`))
    .map(({ id }) => id);
  const inputs = rrsets.flatMap(({ name, type, ttl, records }) =>
    records.map(({ content }): RecordInput => {
      const data = parseData(type, content, null);
      if (data === null)
        throw new SyntaxError(`Record ${name}/${type} '${content}': parsing failed`);
      return { name: name.slice(0, -1), type, ttl, ...data };
    }),
  );
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 204 };
  return failure(422, `${problem.message}: Conflicts with pre-existing RRset`);
}

function failure(status: number, error: string): SimulatedAnswer {
  return { status, body: { error } };
}
