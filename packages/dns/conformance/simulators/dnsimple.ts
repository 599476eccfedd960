import { toAbsolute, toRelative } from "../../src/name.ts";
import { quoteTxt, unquoteTxt } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  pageOf,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const apiToken = "dnsimple_a_0123456789";
const accountId = "1385";
const maxPerPage = 30;

export function startDnsimple(): Promise<Backend> {
  return startSimulator({
    credentials: { api_token: apiToken },
    wrongCredentials: { api_token: "dnsimple_a_revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const given = request.headers.authorization;
  if (given !== `Bearer ${apiToken}`) return failure(401, `Authentication failed ${given}`);
  const [, account, resource, name, kind] = request.segments;
  if (account === "whoami")
    return { status: 200, body: { data: { user: null, account: { id: Number(accountId) } } } };
  if (account !== accountId || resource !== "zones") return failure(404, "Not found");
  if (name === undefined)
    return page(
      request,
      store.zones().map((zone) => ({ id: 1, name: zone.name })),
    );
  const zone = store.zone(name);
  if (zone === null) return failure(404, `Zone \`${name}\` not found`);
  if (kind === "records" && request.method === "GET") {
    return page(
      request,
      zone.records.map((record) => present(record, zone.name)),
    );
  }
  if (kind === "batch" && request.method === "POST") return batch(request, zone, store);
  return failure(405, "Method not allowed");
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(maxPerPage, Number(request.url.searchParams.get("per_page") ?? 30));
  const { items: data, pages } = pageOf(items, at, size);
  const pagination = {
    current_page: at,
    per_page: size,
    total_entries: items.length,
    total_pages: pages,
  };
  return { status: 200, body: { data, pagination } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, type, ttl, priority, value } = record;
  const relative = toRelative(record.name, zone);
  const content = type === "TXT" ? quoteTxt(value) : value;
  const name = relative === "@" ? "" : relative;
  return { id: Number(id), name, type, content, ttl, priority, system_record: false };
}

const fields = { name: text, content: text, ttl: number, priority: optional(number, null) };
const body = object({
  creates: list(object({ type: text, ...fields })),
  updates: list(object({ id: number, ...fields })),
  deletes: list(object({ id: number })),
});

function batch(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { creates, updates, deletes } = body(JSON.parse(request.body), "");
  const ids = [...updates, ...deletes].map(({ id }) => String(id));
  const old = new Map(zone.records.map((record) => [record.id, record]));
  if (ids.some((id) => !old.has(id))) return failure(400, "Validation failed");
  const typed = updates.map((one) => ({ ...one, type: old.get(String(one.id))?.type ?? "" }));
  const inputs = [...typed, ...creates].map((one): RecordInput => {
    const { type, content, ttl, priority } = one;
    if (ttl < 60) throw new SyntaxError("ttl");
    if (type === "TXT" && !content.startsWith('"')) throw new SyntaxError("TXT must be quoted");
    const value = type === "TXT" ? (unquoteTxt(content) ?? "") : content;
    return { name: toAbsolute(one.name, zone.name), type, ttl, priority, value };
  });
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 200, body: { data: {} } };
  return failure(400, `Validation failed: ${problem.message}`);
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { message } };
}
