import { parseData } from "../../src/presentation.ts";
import { list, number, object, text } from "../../src/providers/adapter/json.ts";
import { edgeGridHeader } from "../../src/providers/akamai/edgegrid.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  startSimulator,
} from "../simulator.ts";
import type { StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const testKeys = {
  host: "akab-0123456789.luna.akamaiapis.net",
  client_token: "akab-client-0123456789",
  client_secret: "akamai-secret-0123456789=",
  access_token: "akab-access-0123456789",
};

export function startAkamai(): Promise<Backend> {
  const nonces = new Set<string>();
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, client_secret: "akamai-secret-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) =>
      isSigned(request, nonces)
        ? handle(request, store)
        : failure(401, "Not authorized", `Signature ${request.headers.authorization}`),
    malformed: (message) => failure(400, "Bad Request", message),
  });
}

/** A request is accepted once, and for half a minute. */
function isSigned(request: SimulatedRequest, nonces: Set<string>): boolean {
  const input = String(request.headers.authorization);
  const [, timestamp = "", nonce = ""] = /timestamp=([^;]+);nonce=([^;]+);/.exec(input) ?? [];
  const [, date = "", time = ""] = /^(\d{8})T(\d\d:\d\d:\d\d)\+0000$/.exec(timestamp) ?? [];
  const day = date.replace(/(\d{4})(\d\d)(\d\d)/, "$1-$2-$3");
  const at = new Date(`${day}T${time}Z`);
  if (Number.isNaN(at.getTime()) || nonces.has(nonce)) return false;
  nonces.add(nonce);
  const keys = {
    clientToken: testKeys.client_token,
    clientSecret: testKeys.client_secret,
    accessToken: testKeys.access_token,
  };
  const { method, url, body } = request;
  const expected = edgeGridHeader(keys, { method, url: url.href, body }, at, nonce);
  return input === expected && Math.abs(at.getTime() - Date.now()) < 30_000;
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const [area, version, resource, name, kind, host = "", types, type = ""] = request.segments;
  if (area !== "config-dns" || version !== "v2" || resource !== "zones") {
    return failure(404, "Not Found", "path");
  }
  if (name === undefined) {
    const zones = store.zones().map((zone) => ({ zone: zone.name, type: parseType(zone) }));
    return page("zones", zones, request);
  }
  const zone = store.zone(name);
  if (zone === null) return failure(404, "Not Found", `zone ${name}`);
  const sets = groupSets(zone);
  if (kind === "recordsets") return page("recordsets", sets.map(present), request);
  if (kind !== "names" || types !== "types") return failure(404, "Not Found", "path");
  const found = sets.find((set) => set.name === host && set.type === type);
  return act(request, zone, found, store);
}

function parseType({ records }: StoredZone): unknown {
  return records.find(({ extras }) => "zoneType" in extras)?.extras["zoneType"] ?? "PRIMARY";
}

/** Without `showAll` a page has 25. */
function page(key: string, items: readonly unknown[], { url }: SimulatedRequest): SimulatedAnswer {
  const isAll = url.searchParams.get("showAll") === "true";
  const shown = isAll ? items : items.slice(0, 25);
  const metadata = { page: 1, pageSize: 25, showAll: isAll, totalElements: items.length };
  return { status: 200, body: { metadata, [key]: shown } };
}

function present({ name, type, ttl, values }: StoredSet): unknown {
  return { name, type, ttl, rdata: values };
}

const wire = object({ name: text, type: text, ttl: number, rdata: list(text) });

function act(
  request: SimulatedRequest,
  zone: StoredZone,
  found: StoredSet | undefined,
  store: ZoneStore,
): SimulatedAnswer {
  const { method } = request;
  if (method === "POST" && found !== undefined) return failure(409, "Conflict", "The set exists");
  if (method !== "POST" && found === undefined) return failure(404, "Not Found", "no such set");
  const ids = found?.records.map(({ id }) => id) ?? [];
  if (method === "DELETE") {
    store.replace(zone, ids, []);
    return { status: 204 };
  }
  const { name, type, ttl, rdata } = wire(JSON.parse(request.body), "");
  if (rdata.length === 0 || ttl < 30) return failure(422, "Invalid", "rdata or ttl");
  const inputs = rdata.map((raw) => {
    const data = parseData(type, raw, null);
    const isWhole = type !== "TXT" || /^"[^"\\]{0,255}"(?: "[^"\\]{0,255}")*$/.test(raw);
    if (data === null || !isWhole) throw new SyntaxError(`rdata ${raw}`);
    return { name, type, ttl, ...data };
  });
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) {
    return { status: method === "POST" ? 201 : 200, body: { name, type, ttl, rdata } };
  }
  return failure(problem.problem === "invalid" ? 422 : 409, "Conflict", problem.message);
}

function failure(status: number, title: string, detail: string): SimulatedAnswer {
  const headers = { "content-type": "application/problem+json" };
  return { status, headers, body: { type: "about:blank", title, detail, status } };
}
