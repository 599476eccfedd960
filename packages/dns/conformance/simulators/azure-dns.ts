import { toAbsolute, toRelative } from "../../src/name.ts";
import {
  isObject,
  list,
  number,
  object,
  optional,
  text,
} from "../../src/providers/adapter/json.ts";
import type { RecordInput } from "../../src/record.ts";
import { canonicalIpv6 } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";
import { groupSets, type StoredSet } from "./rrsets.ts";

const testKeys = {
  tenant_id: "11111111-tenant",
  client_id: "22222222-client",
  client_secret: "azure-secret-0123",
  subscription_id: "33333333-subscription",
};
const apiToken = "eyJ-azure-token";
const itemsPerPage = 25;
const zonesPath = `/subscriptions/${testKeys.subscription_id}/resourceGroups/dns/providers/Microsoft.Network/dnsZones`;

/** Notes that the owner of a set has put on it, by absolute name and type. */
export type Notes = Map<string, unknown>;

export interface AzureOptions {
  /** The role covers single zones; lists need a role on the group or the subscription. */
  readonly hasZoneRoleOnly?: boolean;
  readonly login?: string;
  readonly management?: string;
}

export async function startAzureDns(
  options: AzureOptions = {},
): Promise<Backend & { readonly notes: Notes }> {
  const notes: Notes = new Map();
  const backend = await startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, client_secret: "azure-secret-revoked" },
    missingZone: { id: `${zonesPath}/absent.example`, name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, notes, options),
    malformed: (message) => failure(400, "BadRequest", message),
  });
  return { ...backend, notes };
}

function handle(
  request: SimulatedRequest,
  store: ZoneStore,
  notes: Notes,
  options: AzureOptions,
): SimulatedAnswer {
  const { login = "login.microsoftonline.com", management = "management.azure.com" } = options;
  if (request.url.hostname === login) return grant(request, management);
  if (request.url.hostname !== management) return failure(404, "NotFound", "another cloud");
  if (request.headers.authorization !== `Bearer ${apiToken}`) {
    return failure(401, "InvalidAuthenticationToken", "The access token is invalid.");
  }
  if (request.url.searchParams.get("api-version") !== "2018-05-01")
    return failure(400, "NoVersion", "version");
  // No part of a path depends on case; clients write both `dnsZones` and `dnszones`.
  const pathname = request.url.pathname.replace(/\/dnszones(?=\/|$)/i, "/dnsZones");
  const everywhere = `/subscriptions/${testKeys.subscription_id}/providers/Microsoft.Network/dnsZones`;
  if (pathname === everywhere || pathname === zonesPath) {
    if (options.hasZoneRoleOnly === true) {
      return failure(403, "AuthorizationFailed", "no authorization for dnszones/read");
    }
    return page(request, store.zones().map(presentZone));
  }
  if (!pathname.startsWith(`${zonesPath}/`)) return failure(403, "AuthorizationFailed", "no");
  const [name = "", type = "", relative = ""] = pathname
    .slice(zonesPath.length + 1)
    .split("/")
    .map(decodeURIComponent);
  const zone = store.zone(name);
  if (zone === null) return failure(404, "ResourceNotFound", `dnszones/${name} was not found`);
  if (type === "") return { status: 200, body: presentZone(zone) };
  if (type === "recordsets")
    return page(
      request,
      groupSets(zone).map((set) => presentSet(set, zone, notes)),
    );
  const owner = toAbsolute(relative, zone.name);
  const answer = writeSet(request, zone, store, type, owner);
  if (request.method === "PUT" && answer.status < 300)
    notes.set(`${owner} ${type}`, notesIn(request));
  return answer;
}

function grant(request: SimulatedRequest, management: string): SimulatedAnswer {
  const form = new URLSearchParams(request.body);
  const isRight =
    request.url.pathname === `/${testKeys.tenant_id}/oauth2/v2.0/token` &&
    form.get("grant_type") === "client_credentials" &&
    form.get("client_id") === testKeys.client_id &&
    form.get("client_secret") === testKeys.client_secret &&
    form.get("scope") === `https://${management}/.default`;
  if (isRight)
    return {
      status: 200,
      body: { access_token: apiToken, expires_in: 3_599, token_type: "Bearer" },
    };
  const error_description = `AADSTS7000215: Invalid client secret ${form.get("client_secret")}`;
  return { status: 401, body: { error: "invalid_client", error_description } };
}

function presentZone({ name }: StoredZone): unknown {
  return {
    id: `${zonesPath}/${name}`,
    name,
    properties: { nameServers: ["ns1-01.azure-dns.com."], zoneType: "Public" },
  };
}

function page(request: SimulatedRequest, items: readonly unknown[]): SimulatedAnswer {
  const at = Number(request.url.searchParams.get("$skipToken") ?? 1);
  const { items: value, hasMore } = slicePage(items, at, itemsPerPage);
  const link = `${request.url.origin}${request.url.pathname}?api-version=2018-05-01&$skipToken=${at + 1}`;
  return { status: 200, body: { value, ...(hasMore ? { nextLink: link } : {}) } };
}

function makeEtag({ records }: StoredSet): string {
  return records.map(({ id }) => id).join("-");
}

const propertyNames: Readonly<Record<string, string>> = {
  A: "ARecords",
  AAAA: "AAAARecords",
  CNAME: "CNAMERecord",
  NS: "NSRecords",
  MX: "MXRecords",
  SRV: "SRVRecords",
  CAA: "caaRecords",
  TXT: "TXTRecords",
};

function presentSet(set: StoredSet, zone: StoredZone, notes: Notes): unknown {
  const { name, type, ttl } = set;
  const entries = set.records.map(presentEntry);
  const stored = type === "CNAME" ? entries[0] : entries;
  return {
    name: toRelative(name, zone.name),
    type: `Microsoft.Network/dnszones/${type}`,
    etag: makeEtag(set),
    properties: {
      TTL: ttl,
      fqdn: `${name}.`,
      [propertyNames[type] ?? ""]: stored,
      targetResource: {},
      metadata: notes.get(`${name} ${type}`),
    },
  };
}

function presentEntry({ type, value, priority }: StoredRecord): unknown {
  const words = value.split(" ");
  switch (type) {
    case "A":
      return { ipv4Address: value };
    case "AAAA":
      return { ipv6Address: value };
    case "CNAME":
      return { cname: `${value}.` };
    case "NS":
      return { nsdname: `${value}.` };
    case "MX":
      return { preference: priority, exchange: `${value}.` };
    case "SRV":
      return { priority, weight: Number(words[0]), port: Number(words[1]), target: `${words[2]}.` };
    case "CAA":
      return { flags: Number(words[0]), tag: words[1], value: words[2]?.slice(1, -1) };
    default:
      return { value: value.match(/.{1,255}/gs) ?? [] };
  }
}

const body = object({
  properties: object({
    TTL: number,
    ...Object.fromEntries(
      Object.values(propertyNames).map((key) => [key, optional((value: unknown) => value, null)]),
    ),
  }),
});

function writeSet(
  request: SimulatedRequest,
  zone: StoredZone,
  store: ZoneStore,
  type: string,
  name: string,
): SimulatedAnswer {
  const set = groupSets(zone).find((one) => one.name === name && one.type === type);
  const ids = set?.records.map(({ id }) => id) ?? [];
  const refusal = unmetCondition(request, set);
  if (refusal !== null) return refusal;
  if (request.method === "DELETE") {
    if (set !== undefined) store.replace(zone, ids, []);
    return { status: set === undefined ? 204 : 200 };
  }
  if (request.method !== "PUT") return failure(405, "NotAllowed", "no");
  const { properties } = body(JSON.parse(request.body), "");
  const stored: unknown = Object.entries(properties).find(
    ([key]) => key === propertyNames[type],
  )?.[1];
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [stored];
  if (type === "CNAME" && Array.isArray(stored))
    return failure(400, "BadRequest", "CNAMERecord is one");
  const problem = store.replace(
    zone,
    ids,
    entries.map((entry) => parse(entry, { name, type, ttl: Number(properties["TTL"]) })),
  );
  if (problem === null || problem.ok) return { status: set === undefined ? 201 : 200, body: {} };
  return failure(400, "BadRequest", `${problem.message} (CNAME)`);
}

function notesIn(request: SimulatedRequest): unknown {
  const shape = object({
    properties: object({ metadata: optional((value: unknown) => value, {}) }),
  });
  return shape(JSON.parse(request.body), "").properties.metadata;
}

function unmetCondition(
  request: SimulatedRequest,
  set: StoredSet | undefined,
): SimulatedAnswer | null {
  const match = request.headers["if-match"];
  if (match !== undefined && (set === undefined || makeEtag(set) !== match)) {
    return failure(412, "PreconditionFailed", "The etag does not match");
  }
  if (request.headers["if-none-match"] === "*" && set !== undefined) {
    return failure(412, "PreconditionFailed", "The set exists");
  }
  return null;
}

function parse(entry: unknown, base: { name: string; type: string; ttl: number }): RecordInput {
  if (!isObject(entry)) throw new SyntaxError("an entry is an object");
  const read = (key: string) => text(entry[key], key);
  const count = (key: string) => number(entry[key], key);
  switch (base.type) {
    case "A":
      return { ...base, value: read("ipv4Address") };
    case "AAAA":
      return { ...base, value: canonicalIpv6(read("ipv6Address")) ?? "" };
    case "CNAME":
      return { ...base, value: read("cname") };
    case "NS":
      return { ...base, value: read("nsdname") };
    case "MX":
      return { ...base, priority: count("preference"), value: read("exchange") };
    case "SRV":
      return {
        ...base,
        priority: count("priority"),
        value: `${count("weight")} ${count("port")} ${read("target")}`,
      };
    case "CAA":
      return { ...base, value: `${count("flags")} ${read("tag")} "${read("value")}"` };
    default: {
      const parts = list(text)(entry["value"], "value");
      if (parts.some((part) => part.length > 255)) throw new SyntaxError("string too long");
      return { ...base, value: parts.join("") };
    }
  }
}

function failure(status: number, code: string, message: string): SimulatedAnswer {
  return { status, body: { error: { code, message } } };
}
