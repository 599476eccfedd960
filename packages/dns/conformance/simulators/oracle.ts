import { createHash, generateKeyPairSync, verify } from "node:crypto";
import { parseData } from "../../src/presentation.ts";
import { list, number, object, optional, text } from "../../src/providers/adapter/json.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { zoneFileData } from "./rrsets.ts";

const keys = generateKeyPairSync("rsa", { modulusLength: 1_024 });
const other = generateKeyPairSync("rsa", { modulusLength: 1_024 });
const exportPem = ({ privateKey }: typeof keys) =>
  privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const testKeys = {
  tenancy_ocid: "ocid1.tenancy.oc1..aaaa",
  user_ocid: "ocid1.user.oc1..bbbb",
  fingerprint: "12:34:56:78:90",
  private_key: exportPem(keys),
  region: "eu-frankfurt-1",
  compartment_ocid: "ocid1.compartment.oc1..cccc",
};
/** Smaller than the real ones, so that there are several. */
const pageSize = 40;

export function startOracle(): Promise<Backend> {
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, private_key: exportPem(other) },
    missingZone: { id: "ocid1.dns-zone.oc1..absent", name: "absent.example", nameservers: [] },
    handle,
    malformed: (message) => failure(400, "InvalidParameter", message),
  });
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  if (!isSigned(request)) return failure(401, "NotAuthenticated", "The signature is wrong");
  const [version, resource, id, kind] = request.segments;
  if (version !== "20180115" || resource !== "zones") return failure(404, "NotFound", "path");
  const query = request.url.searchParams;
  if (id === undefined) {
    if (query.get("compartmentId") !== testKeys.compartment_ocid) {
      return failure(404, "NotAuthorizedOrNotFound", "compartment");
    }
    const all = store.zones().map(({ id, name }) => ({
      id,
      name,
      zoneType: "PRIMARY",
      scope: query.get("scope"),
      lifecycleState: "ACTIVE",
    }));
    return page(query, all, (items) => items);
  }
  const zone = store.zones().find((one) => one.id === id);
  if (zone === undefined) return failure(404, "NotAuthorizedOrNotFound", `zone ${id}`);
  if (kind === undefined) {
    const nameservers = [{ hostname: "ns1.p201.dns.oraclecloud.net" }];
    return { status: 200, body: { id, name: zone.name, nameservers } };
  }
  if (request.method === "PATCH") return patch(request, zone, store);
  return page(query, zone.records.map(present), (items) => ({ items }));
}

/** The date, the target and the host are signed, of a body its length, type and hash, too. */
function isSigned({ method, url, headers, body }: SimulatedRequest): boolean {
  const input = Object.fromEntries(
    [...String(headers.authorization).matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [
      key,
      value,
    ]),
  );
  const names: readonly string[] = input["headers"]?.toLowerCase().split(" ") ?? [];
  const date = names.includes("x-date") ? "x-date" : "date";
  const needed = [date, "(request-target)", "host", ...(body === "" ? [] : bodyHeaders)];
  const keyId = `${testKeys.tenancy_ocid}/${testKeys.user_ocid}/${testKeys.fingerprint}`;
  const hash = createHash("sha256").update(body).digest("base64");
  const isWhole = body === "" || headers["x-content-sha256"] === hash;
  const isComplete = needed.every((name) => names.includes(name));
  if (input["keyId"] !== keyId || !isComplete || !isWhole) return false;
  const values: Readonly<Record<string, unknown>> = {
    ...headers,
    host: url.host,
    "(request-target)": `${method.toLowerCase()} ${url.pathname}${url.search}`,
  };
  const lines = names.map((name) => `${name}: ${values[name]}`);
  const signature = Buffer.from(input["signature"] ?? "", "base64");
  const isFresh = Math.abs(Date.parse(String(headers[date])) - Date.now()) < 300_000;
  return isFresh && verify("sha256", Buffer.from(lines.join("\n")), keys.publicKey, signature);
}

const bodyHeaders = ["content-length", "content-type", "x-content-sha256"];

function page(
  query: URLSearchParams,
  items: readonly unknown[],
  wrap: (items: readonly unknown[]) => unknown,
): SimulatedAnswer {
  const at = Number(query.get("page") ?? 1);
  const { items: shown, hasMore } = slicePage(items, at, pageSize);
  const headers: Record<string, string> = hasMore ? { "opc-next-page": String(at + 1) } : {};
  return { status: 200, headers, body: wrap(shown) };
}

function present(record: StoredRecord): unknown {
  const { id, name, type, ttl, extras } = record;
  const rdata = zoneFileData(record);
  const shown = { domain: name, rtype: type, rdata, ttl, recordHash: `hash${id}` };
  return { ...shown, rrsetVersion: "1", isProtected: false, ...extras };
}

const operations = object({
  items: list(
    object({
      operation: text,
      recordHash: optional(text, null),
      domain: optional(text, ""),
      rtype: optional(text, ""),
      rdata: optional(text, ""),
      ttl: optional(number, 0),
    }),
  ),
});

/** All of it or nothing. */
function patch(request: SimulatedRequest, zone: StoredZone, store: ZoneStore): SimulatedAnswer {
  const { items } = operations(JSON.parse(request.body), "");
  const ids = items
    .filter(({ operation }) => operation === "REMOVE")
    .map(({ recordHash }) => String(recordHash).replace("hash", ""));
  const known = zone.records.map(({ id }) => id);
  if (!ids.every((id) => known.includes(id))) return failure(400, "InvalidParameter", "no record");
  const inputs = items
    .filter(({ operation }) => operation === "ADD")
    .map(({ domain, rtype, rdata, ttl }) => {
      const data = parseData(rtype, rdata, null);
      const isWhole = rtype !== "TXT" || /^"[^"\\]{0,255}"(?: "[^"\\]{0,255}")*$/.test(rdata);
      if (data === null || !isWhole || ttl < 1) throw new SyntaxError(`rdata ${rdata}`);
      return { name: domain, type: rtype, ttl, ...data };
    });
  const problem = store.replace(zone, ids, inputs);
  if (problem === null || problem.ok) return { status: 200, body: { items: [] } };
  const isClash = problem.problem !== "invalid";
  return failure(isClash ? 409 : 400, isClash ? "Conflict" : "InvalidParameter", problem.message);
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { code, message } };
}
