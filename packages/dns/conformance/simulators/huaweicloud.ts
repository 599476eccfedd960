import { createHash, createHmac } from "node:crypto";
import { normalizeName } from "../../src/name.ts";
import { parseData } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const testKeys = {
  access_key_id: "HUAWEIKEY0123456789",
  secret_access_key: "huawei-secret-0123456789",
  region: "ap-southeast-1",
};
const host = "dns.ap-southeast-1.myhuaweicloud.com";
/** Smaller than the real one, so that a zone of a hundred records has pages. */
const mostPerPage = 50;

export function startHuaweicloud(): Promise<Backend & { store: ZoneStore }> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, secret_access_key: "huawei-secret-revoked" },
    missingZone: { id: "zone-absent", name: "absent.example", nameservers: [] },
    handle,
    throttled: (seconds) => ({
      status: 429,
      headers: { "retry-after": String(seconds) },
      body: { error_code: "APIGW.0308", error_msg: "The throttling threshold has been reached" },
    }),
    malformed: (message) => failure(400, "DNS.0303", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (request.url.host !== host) return failure(404, "APIGW.0101", "The API does not exist");
  if (!isSigned(request)) {
    const error_msg = `Incorrect IAM authentication: ${request.headers.authorization}`;
    return { status: 401, body: { error_code: "APIGW.0301", error_msg } };
  }
  const [version, zones, id, part, setId] = request.segments;
  if (zones !== "zones") return failure(404, "DNS.0004", "Not found");
  if (id === undefined) return version === "v2" ? listZones(request, store) : notFound;
  const zone = store.zones().find((one) => one.id === id);
  if (zone === undefined) return failure(404, "DNS.0302", "This zone does not exist.");
  if (version === "v2" && part === "nameservers") {
    const names = ["ns1.huaweicloud-dns.com.", "ns1.huaweicloud-dns.cn."];
    const nameservers = names.map((hostname, at) => ({ hostname, priority: at + 1 }));
    return { status: 200, body: { nameservers } };
  }
  return version === "v2.1" && part === "recordsets"
    ? act(request, zone, setId ?? null, store)
    : notFound;
}

const notFound = failure(404, "DNS.0004", "Not found");

/** Recomputed from the request as it arrived. */
function isSigned({ method, url, headers, body }: SimulatedRequest): boolean {
  const date = String(headers["x-sdk-date"]);
  const found =
    /^SDK-HMAC-SHA256 Access=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      String(headers.authorization),
    );
  if (found?.[1] !== testKeys.access_key_id || !/^\d{8}T\d{6}Z$/.test(date)) return false;
  const named = (found[2] ?? "").split(";");
  const lines = named.map((name) => `${name}:${name === "host" ? url.host : headers[name]}\n`);
  const query = url.search.slice(1).split("&").sort().join("&");
  const canonical = [
    method,
    `${url.pathname}/`,
    query,
    lines.join(""),
    named.join(";"),
    sha256(body),
  ].join("\n");
  const message = `SDK-HMAC-SHA256\n${date}\n${sha256(canonical)}`;
  const signature = createHmac("sha256", testKeys.secret_access_key).update(message);
  return signature.digest("hex") === found[3];
}

function sha256(input: string): string {
  return createHash("sha256").update(input).digest("hex");
}

/** Pages are found by the last key of the one before. */
function page<T extends { readonly id: string }>(
  { url }: SimulatedRequest,
  what: string,
  all: readonly T[],
): SimulatedAnswer {
  const marker = url.searchParams.get("marker");
  const limit = Math.min(Number(url.searchParams.get("limit") ?? mostPerPage), mostPerPage);
  const from = marker === null ? 0 : all.findIndex(({ id }) => id === marker) + 1;
  const items = all.slice(from, from + limit);
  const self = `https://${host}${url.pathname}?limit=${limit}`;
  const last = from + limit < all.length ? items.at(-1) : undefined;
  const links = { self, ...(last === undefined ? {} : { next: `${self}&marker=${last.id}` }) };
  return { status: 200, body: { links, [what]: items, metadata: { total_count: all.length } } };
}

function listZones(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const zones = store.zones().map(({ id, name }) => {
    return { id, name: `${name}.`, zone_type: "public", status: "ACTIVE" };
  });
  return page(request, "zones", zones);
}

function act(
  request: SimulatedRequest,
  zone: StoredZone,
  setId: string | null,
  store: ZoneStore,
): SimulatedAnswer {
  const stored = groupSets(zone).map((set) => present(set, zone));
  if (request.method === "GET") return page(request, "recordsets", stored);
  if (request.method === "POST" && setId === null) return write(request, zone, [], store);
  const set = groupSets(zone).find((one) => readId(one) === setId);
  if (set === undefined) return failure(404, "DNS.0313", "This record set does not exist.");
  const ids = set.records.map(({ id }) => id);
  if (request.method === "PUT") return write(request, zone, ids, store);
  if (request.method !== "DELETE") return failure(405, "DNS.0004", "Method not allowed");
  store.replace(zone, ids, []);
  return { status: 202, body: { ...present(set, zone), status: "PENDING_DELETE" } };
}

function readId({ records }: StoredSet): string {
  return `set${records[0]?.id}`;
}

function present(set: StoredSet, zone: StoredZone) {
  const { name, type, ttl, values } = set;
  return {
    id: readId(set),
    name: `${name}.`,
    type,
    ttl,
    records: values,
    zone_id: zone.id,
    zone_name: `${zone.name}.`,
    status: "ACTIVE",
    default: false,
    line: "default_view",
    weight: 1,
    ...set.records[0]?.extras,
  };
}

const body = object({
  name: text,
  type: text,
  ttl: optional(number, 300),
  records: list(text),
});

function write(
  request: SimulatedRequest,
  zone: StoredZone,
  ids: readonly string[],
  store: ZoneStore,
): SimulatedAnswer {
  const input = body(JSON.parse(request.body), "");
  const inputs = input.records.map((value) => parse(input, value));
  if (inputs.length === 0) throw new SyntaxError("records");
  const isThere = zone.records.some(
    ({ name, type, id }) =>
      !ids.includes(id) && inputs.some((one) => one.name === name && one.type === type),
  );
  if (isThere) return failure(400, "DNS.0312", "Attribute 'name' conflicts with other sets.");
  const problem = store.replace(zone, ids, inputs);
  if (problem !== null && !problem.ok) {
    const code = problem.problem === "invalid" ? "DNS.0307" : "DNS.0335";
    return failure(400, code, problem.message);
  }
  return { status: 202, body: { status: ids.length === 0 ? "PENDING_CREATE" : "PENDING_UPDATE" } };
}

function parse(input: ReturnType<typeof body>, value: string): RecordInput {
  const { name, type, ttl } = input;
  if (!name.endsWith(".")) throw new SyntaxError("name is not absolute");
  if (type === "TXT" && !/^"[^"\\]{0,255}"(?: "[^"\\]{0,255}")*$/.test(value)) {
    throw new SyntaxError("TXT");
  }
  if (/^(?:CNAME|MX|NS|SRV)$/.test(type) && !value.endsWith(".")) throw new SyntaxError("target");
  const data = parseData(type, value, null);
  if (data === null || (type === "MX" && data.value === ".")) throw new SyntaxError("value");
  return { name: normalizeName(name) ?? name, type, ttl, ...data };
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { code, message } };
}
