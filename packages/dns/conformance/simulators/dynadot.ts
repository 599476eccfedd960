import { createHmac } from "node:crypto";
import { toAbsolute, toRelative } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import { boolean, list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import { parseRecord, type RecordInput, recordKey } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = { api_key: "dynadot-key-0123456789", api_secret: "dynadot-secret-0123456789" };
const defaultTtl = 86_400;
/** A larger page is not given. */
const mostPerPage = 50;

export function startDynadot(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_key: "dynadot-key-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle,
    throttled: (seconds) => {
      const why = `Too many requests. Rate limit exceeded. Please try again after ${seconds} seconds.`;
      return failure(429, why);
    },
    malformed: (message) => failure(400, message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const { authorization, "x-signature": signature } = request.headers;
  // Without a key or a signature the status is 200, and the code in the body is 400.
  if (authorization === undefined) return hidden("The Authorization header not entered");
  if (authorization !== `Bearer ${testKeys.api_key}`) {
    return failure(401, `The provided API key is invalid: ${authorization}`);
  }
  if (signature === undefined) return hidden("This command requires X-Signature");
  if (signature !== expectedSignature(request)) return failure(401, "Invalid signature");
  const [restful, version, domains, name, records] = request.segments;
  if (restful !== "restful" || version !== "v2" || domains !== "domains") {
    return failure(404, "Unknown path");
  }
  if (name === undefined) return listDomains(request, store);
  const zone = store.zones().find((one) => one.name === name);
  if (zone === undefined || records !== "records") {
    return failure(404, `Can not find the ${name} in the account.`);
  }
  switch (request.method) {
    case "GET":
      return success(describeZone(zone));
    case "POST":
      return setRecords(JSON.parse(request.body), zone, store);
    case "DELETE":
      return removeRecords(JSON.parse(request.body), zone, store);
    default:
      return failure(400, "Unknown method");
  }
}

function expectedSignature({ url, headers, body }: SimulatedRequest): string {
  const id = String(headers["x-request-id"] ?? "");
  const signed = `${testKeys.api_key}\n${url.pathname}${url.search}\n${id}\n${body}`;
  return createHmac("sha256", testKeys.api_secret).update(signed).digest("base64");
}

function listDomains({ url }: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const page = Number(url.searchParams.get("page") ?? 1);
  const size = Math.min(Number(url.searchParams.get("page_size") ?? 20), mostPerPage);
  const elsewhere = { domain_name: "elsewhere.example", glue_info: { glue_type: "NAME_SERVERS" } };
  const all = store.zones().map(({ name }) => ({ domain_name: name, status: "active" }));
  const { items, hasMore } = slicePage([...all, elsewhere], page, size);
  const pages = { page, page_size: size, total: all.length + 1 };
  const next = hasMore ? "Yes" : "No";
  return success({
    domain_info_list: items,
    pagination_result: { ...pages, has_next_page: next },
  });
}

/** A zone has one TTL, as a text; a list without entries is absent. */
function describeZone(zone: StoredZone): unknown {
  const rows = zone.records.map((record) => present(record, zone.name));
  const main = rows.flatMap(({ sub_host: host, ...rest }) => (host === "" ? [rest] : []));
  const sub = rows.filter(({ sub_host: host }) => host !== "");
  return {
    glue_info: {
      glue_type: "DNS",
      ttl: String(zone.records[0]?.ttl ?? defaultTtl),
      ...(main.length === 0 ? {} : { dns_main_list: main }),
      ...(sub.length === 0 ? {} : { dns_sub_list: sub }),
    },
  };
}

function present({ name, type, value, priority }: StoredRecord, zone: string) {
  return {
    record_type: type === "ALIAS" ? "aname" : type.toLowerCase(),
    record_value1: type === "SRV" ? `${priority} ${value}` : value,
    ...(type === "MX" ? { record_value2: String(priority) } : {}),
    sub_host: toRelative(name, zone, "") ?? "",
  };
}

const main = object({
  record_type: text,
  record_value1: text,
  record_value2: optional(text, ""),
});
const sub = object({
  record_type: text,
  record_value1: text,
  record_value2: optional(text, ""),
  sub_host: text,
});
const lists = {
  dns_main_list: optional(list(main), []),
  dns_sub_list: optional(list(sub), []),
};
const setBody = object({
  ...lists,
  ttl: optional(number, defaultTtl),
  add_dns_to_current_setting: optional(boolean, false),
});
const removeBody = object(lists);

function readLists(body: ReturnType<typeof removeBody>, zone: string): readonly RecordInput[] {
  if (body.dns_main_list.some((one) => /^(?:srv|ns)$/i.test(one.record_type))) {
    throw new SyntaxError("Not supported for main DNS.");
  }
  if (body.dns_main_list.length > 20 || body.dns_sub_list.length > 100) {
    throw new SyntaxError("The list is too long.");
  }
  const top = body.dns_main_list.map((one) => ({ ...one, sub_host: "" }));
  return [...top, ...body.dns_sub_list].map((one) => {
    const type = one.record_type.toUpperCase();
    if (one.sub_host.endsWith(zone)) throw new SyntaxError("sub_host is not a subhost");
    if (type === "ANAME" && one.sub_host !== "") throw new SyntaxError("Not supported for sub DNS");
    const name = toAbsolute(one.sub_host, zone);
    return { name, type: type === "ANAME" ? "ALIAS" : type, ttl: 0, ...readValues(type, one) };
  });
}

function readValues(type: string, one: ReturnType<typeof main>) {
  const { record_value1: value, record_value2: second } = one;
  if (value === "") throw new SyntaxError("record_value1 must be entered");
  if (type === "MX") return { value, priority: Number(second) };
  if (type !== "SRV") return { value, priority: null };
  const data = parseData(type, value, null);
  if (data === null) throw new SyntaxError("srv");
  return data;
}

/** Replaces the whole zone unless it is to add; the TTL becomes that of every record. */
function setRecords(body: unknown, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const input = setBody(body, "");
  const inputs = readLists(input, zone.name).map((one) => ({ ...one, ttl: input.ttl }));
  const ids = input.add_dns_to_current_setting ? [] : zone.records.map(({ id }) => id);
  const problem = store.replace(zone, ids, inputs);
  if (problem !== null && !problem.ok) {
    return failure(problem.problem === "invalid" ? 400 : 409, problem.message);
  }
  zone.records = zone.records.map((record) => ({ ...record, ttl: input.ttl }));
  return success(undefined);
}

/** By all their fields; what is not there counts for nothing. */
function removeRecords(body: unknown, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const doomed = new Set(readLists(removeBody(body, ""), zone.name).map(readKey));
  const ids = zone.records.flatMap((record) => (doomed.has(readKey(record)) ? record.id : []));
  if (ids.length > 0) store.replace(zone, ids, []);
  return success({ main_record_removed_count: ids.length, sub_record_removed_count: 0 });
}

function readKey(input: RecordInput): string {
  const parsed = parseRecord({ ...input, ttl: 300 });
  return parsed.ok ? recordKey(parsed.record) : "";
}

function success(data: unknown): SimulatedAnswer {
  return { status: 200, body: { code: 200, message: "Success", data } };
}

function failure(code: number, description: string): SimulatedAnswer {
  return { status: code, body: { code, message: "Refused", error: { description } } };
}

function hidden(description: string): SimulatedAnswer {
  const body = { code: 400, message: "Bad Request", error: { description } };
  return { status: 200, body };
}
