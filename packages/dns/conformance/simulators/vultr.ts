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

const apiKey = "VULTR0123456789KEY";
const maxPerPage = 25;

export function startVultr(): Promise<Backend> {
  return startSimulator({
    credentials: { api_key: apiKey },
    wrongCredentials: { api_key: "VULTR-REVOKED-KEY" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiKey}`) return failure(401, `Invalid API token ${input}`);
  const [, resource, domain, kind, id = ""] = request.segments;
  if (resource !== "domains") return failure(404, "Not found");
  if (domain === undefined)
    return page(
      request,
      "domains",
      store.zones().map(({ name }) => ({ domain: name })),
    );
  const zone = store.zone(domain);
  if (zone === null || kind !== "records") return failure(404, "Invalid domain");
  switch (request.method) {
    case "GET":
      return page(
        request,
        "records",
        zone.records.map((record) => present(record, zone.name)),
      );
    case "POST":
      return answer(
        createOne(store, zone, parse(createBody(JSON.parse(request.body), ""), zone)),
        201,
        zone,
      );
    case "PATCH": {
      const old = zone.records.find((record) => record.id === id);
      const { name, data, ttl, priority } = patchBody(JSON.parse(request.body), "");
      const input = {
        type: old?.type ?? "",
        name,
        data,
        ttl: ttl ?? old?.ttl ?? 0,
        priority: priority ?? old?.priority ?? null,
      };
      return answer(updateOne(store, zone, id, parse(input, zone)), 204, zone);
    }
    case "DELETE":
      return answer(deleteOne(store, zone, id), 204, zone);
    default:
      return failure(405, "Method not allowed");
  }
}

/** Cursors are opaque; here they are the number of the next page. */
function page(request: SimulatedRequest, key: string, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("cursor") ?? 1);
  const { items: shown, hasMore } = slicePage(items, at, maxPerPage);
  const links = { next: hasMore ? String(at + 1) : "", prev: "" };
  return { status: 200, body: { [key]: shown, meta: { total: items.length, links } } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority, value } = record;
  const relative = toRelative(record.name, zone);
  const data = type === "TXT" ? `"${value}"` : value;
  return { id, type, name: relative === "@" ? "" : relative, data, priority: priority ?? 0, ttl };
}

const fields = { name: text, data: text, ttl: number, priority: optional(number, null) };
/** What is left out stays. */
const patchBody = object({ ...fields, ttl: optional(number, null) });
const createBody = object({ type: text, ...fields });

function parse(input: ReturnType<typeof createBody>, { name: zone }: StoredZone): RecordInput {
  const { type, data, ttl, priority } = input;
  if (ttl < 120) throw new SyntaxError("Invalid TTL");
  if (type === "TXT" && !/^"[^"]*"$/.test(data)) throw new SyntaxError("Invalid TXT");
  const value = type === "TXT" ? data.slice(1, -1) : data;
  return { name: toAbsolute(input.name, zone), type, ttl, priority, value };
}

function answer(outcome: Outcome, status: number, zone: StoredZone): SimulatedAnswer {
  if (!outcome.done) return failure(outcome.why === "missing" ? 404 : 400, outcome.message);
  return status === 204
    ? { status }
    : { status, body: { record: present(outcome.record, zone.name) } };
}

function failure(status: number, error: string): SimulatedAnswer {
  return { status, body: { error, status } };
}
