import { toAbsolute, toRelative } from "../../src/name.ts";
import { number, object, optional, text } from "../../src/providers/adapter/json.ts";
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

const testKeys = { username: "captain", api_token: "namecom-0123456789" };
const maxPerPage = 25;

export function startNamecom(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_token: "namecom-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(422, "Invalid Argument", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const expected = `Basic ${Buffer.from(`${testKeys.username}:${testKeys.api_token}`).toString("base64")}`;
  if (request.headers.authorization !== expected) return failure(401, "Unauthorized", "");
  const [, , resource, domain, kind, id = ""] = request.segments;
  if (resource !== "domains") return failure(404, "Not Found", "");
  if (domain === undefined) {
    return page(
      request,
      "domains",
      store.zones().map(({ name }) => ({ domainName: name })),
    );
  }
  const zone = store.zone(domain);
  if (zone === null || kind !== "records") return failure(404, "Not Found", "");
  switch (request.method) {
    case "GET":
      return page(
        request,
        "records",
        zone.records.map((record) => present(record, zone.name)),
      );
    case "POST":
      return answer(createOne(store, zone, parse(request, zone)), zone);
    case "PUT":
      return answer(updateOne(store, zone, id, parse(request, zone)), zone);
    case "DELETE":
      return answer(deleteOne(store, zone, id), zone);
    default:
      return failure(405, "Method Not Allowed", "");
  }
}

function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const { items: shown, hasMore } = slicePage(items, at, maxPerPage);
  return { status: 200, body: { [key]: shown, ...(hasMore ? { nextPage: at + 1 } : {}) } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, ttl, value } = record;
  const ranked = record.priority === null ? {} : { priority: record.priority };
  const type = record.type === "ALIAS" ? "ANAME" : record.type;
  const host = toRelative(record.name, zone);
  const owner = host === "@" ? {} : { host };
  return { id: Number(id), ...owner, fqdn: `${record.name}.`, type, answer: value, ttl, ...ranked };
}

const wire = object({
  host: text,
  type: text,
  answer: text,
  ttl: number,
  priority: optional(number, null),
});

function parse(request: SimulatedRequest, { name: zone }: StoredZone): RecordInput {
  const input = wire(JSON.parse(request.body), "");
  const { answer: value, ttl, priority } = input;
  if (ttl < 300) throw new SyntaxError("ttl must be at least 300");
  if (input.type === "CAA" || input.type === "ALIAS") throw new SyntaxError("unknown type");
  if (input.type === "TXT" && /"|\s$/.test(value)) throw new SyntaxError("bad TXT");
  const type = input.type === "ANAME" ? "ALIAS" : input.type;
  return { name: toAbsolute(input.host, zone), type, ttl, priority, value };
}

function answer(outcome: Outcome, zone: StoredZone): SimulatedAnswer {
  if (outcome.done) return { status: 200, body: present(outcome.record, zone.name) };
  return failure(outcome.why === "missing" ? 404 : 400, "Invalid Argument", outcome.message);
}

function failure(status: number, message: string, details: string): SimulatedAnswer {
  return { status, body: { message, details } };
}
