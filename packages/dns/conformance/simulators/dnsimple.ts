import { toAbsolute, toRelative } from "../../src/name.ts";
import { quoteTxt, unquoteTxt } from "../../src/presentation.ts";
import { isObject, number, object, optional, text } from "../../src/providers/adapter/json.ts";
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
  const input = request.headers.authorization;
  if (input !== `Bearer ${apiToken}`) return failure(401, `Authentication failed ${input}`);
  const [, account, resource, name, kind, id] = request.segments;
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
  if (kind === "batch") {
    return failure(412, "The account's plan does not include batch changes of zone records");
  }
  if (kind === "records") return write(request, id ?? "", zone, store);
  return failure(404, "Not found");
}

function write(
  request: SimulatedRequest,
  id: string,
  zone: StoredZone,
  store: ZoneStore,
): SimulatedAnswer {
  switch (request.method) {
    case "POST": {
      const input = createBody(JSON.parse(request.body), "");
      return answer(createOne(store, zone, parse(input, zone)), 201, zone);
    }
    case "PATCH": {
      // The type is fixed: an unknown attribute in the body is a validation error.
      const old = zone.records.find((record) => record.id === id);
      const body: unknown = JSON.parse(request.body);
      if (isObject(body) && "type" in body) return failure(400, "Validation failed");
      const input = { type: old?.type ?? "", ...patchBody(body, "") };
      return answer(updateOne(store, zone, id, parse(input, zone)), 200, zone);
    }
    case "DELETE":
      return answer(deleteOne(store, zone, id), 204, zone);
    default:
      return failure(405, "Method not allowed");
  }
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("page") ?? 1);
  const size = Math.min(maxPerPage, Number(request.url.searchParams.get("per_page") ?? 30));
  const { items: data, pages } = slicePage(items, at, size);
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
const patchBody = object(fields);
const createBody = object({ type: text, ...fields });

function parse(input: ReturnType<typeof createBody>, { name: zone }: StoredZone): RecordInput {
  const { type, content, ttl, priority } = input;
  if (ttl < 60) throw new SyntaxError("ttl");
  if (type === "TXT" && !content.startsWith('"')) throw new SyntaxError("TXT must be quoted");
  const value = type === "TXT" ? (unquoteTxt(content) ?? "") : content;
  return { name: toAbsolute(input.name, zone), type, ttl, priority, value };
}

function answer(outcome: Outcome, status: number, zone: StoredZone): SimulatedAnswer {
  if (!outcome.done) {
    if (outcome.why === "missing") return failure(404, "Record not found");
    return failure(400, `Validation failed: ${outcome.message}`);
  }
  return status === 204
    ? { status }
    : { status, body: { data: present(outcome.record, zone.name) } };
}

function failure(status: number, message: string): SimulatedAnswer {
  return { status, body: { message } };
}
