import { toAbsolute, toRelative } from "../../src/name.ts";
import { escapeXml } from "../../src/providers/adapter/xml.ts";
import type { RecordInput } from "../../src/record.ts";
import {
  type Backend,
  type SimulatedAnswer,
  type SimulatedRequest,
  slicePage,
  startSimulator,
} from "../simulator.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

const testKeys = { api_user: "captain", api_key: "nc-key-0123456789", client_ip: "192.0.2.77" };
const maxPerPage = 25;

/** How the list of hosts comes; public clients and Namecheap's own sample show all of these. */
export interface Listing {
  element: "host" | "Host";
  hasEmailType: boolean;
  /** The most rows that it shows. */
  mostRows: number;
}

export type NamecheapBackend = Backend & {
  readonly store: ZoneStore;
  /** The domain-wide mail setting, by zone. */
  readonly emailTypes: Map<string, string>;
  readonly listing: Listing;
  /** The forms of the writes that came in. */
  readonly written: URLSearchParams[];
};

export async function startNamecheap(): Promise<NamecheapBackend> {
  const emailTypes = new Map<string, string>();
  const listing: Listing = { element: "host", hasEmailType: true, mostRows: Infinity };
  const written: URLSearchParams[] = [];
  const account = { emailTypes, listing, written };
  const backend = await startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, api_key: "nc-key-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => handle(request, store, account),
    throttled: () => ({ status: 405, body: "Too many requests" }),
    malformed: (message) => failure(2015280, message),
  });
  return { ...backend, ...account };
}

type Account = Pick<NamecheapBackend, "emailTypes" | "listing" | "written">;

function handle(request: SimulatedRequest, store: ZoneStore, account: Account): SimulatedAnswer {
  if (request.url.search !== "") return failure(1, "a key must not be part of an address");
  const form = new URLSearchParams(request.body);
  if (form.get("ApiUser") !== testKeys.api_user || form.get("ApiKey") !== testKeys.api_key) {
    return failure(1011102, `API Key is invalid: ${form.get("ApiKey")}`);
  }
  if (form.get("ClientIp") !== testKeys.client_ip) return failure(1011150, "Invalid request IP");
  const command = form.get("Command");
  if (command === "namecheap.domains.getList") return listDomains(form, store);
  const zone = store.zone(`${form.get("SLD")}.${form.get("TLD")}`);
  if (zone === null) return failure(2019166, "Domain name not found");
  const emailType = account.emailTypes.get(zone.name) ?? (hasMx(zone.records) ? "MX" : "NONE");
  if (command === "namecheap.domains.dns.getHosts") return getHosts(zone, emailType, account);
  if (command !== "namecheap.domains.dns.setHosts") return failure(1, "unknown command");
  account.written.push(form);
  return setHosts(form, zone, store, emailType, account);
}

function hasMx(records: readonly { readonly type: string }[]): boolean {
  return records.some(({ type }) => type === "MX");
}

function listDomains(form: URLSearchParams, store: ZoneStore): SimulatedAnswer {
  const page = Number(form.get("Page") ?? 1);
  const size = Math.min(maxPerPage, Number(form.get("PageSize") ?? 20));
  const { items } = slicePage(store.zones(), page, size);
  const domains = items.map(({ name }) => `<Domain ID="1" Name="${name}" IsOurDNS="true" />`);
  const paging = `<Paging><TotalItems>${store.zones().length}</TotalItems><CurrentPage>${page}</CurrentPage><PageSize>${size}</PageSize></Paging>`;
  return success(`<DomainGetListResult>${domains.join("")}</DomainGetListResult>${paging}`);
}

/** SRV rows exist in the panel, but are not shown here. */
function getHosts(zone: StoredZone, emailType: string, { listing }: Account): SimulatedAnswer {
  const hosts = zone.records
    .filter(({ type }) => type !== "SRV")
    .slice(0, listing.mostRows)
    .map((one) => `<${listing.element} ${present(one, zone.name)} />`);
  const mail = listing.hasEmailType ? `EmailType="${emailType}" ` : "";
  return success(
    `<DomainDNSGetHostsResult Domain="${zone.name}" ${mail}IsUsingOurDNS="true">${hosts.join("")}</DomainDNSGetHostsResult>`,
  );
}

function present(record: StoredRecord, zone: string): string {
  const { id, type, ttl, priority, value, extras } = record;
  const isTarget = ["CNAME", "ALIAS", "MX", "NS"].includes(type);
  const address = escapeXml(isTarget ? `${value}.` : value);
  const isDynamic = extras["dynamic"] === true;
  return `HostId="${id}" Name="${toRelative(record.name, zone)}" Type="${type}" Address="${address}" MXPref="${priority ?? 10}" TTL="${ttl}" IsActive="true" IsDDNSEnabled="${isDynamic}"`;
}

/**
 * What is not in the form is deleted, but for the MX rows of a hosted mail service: they come from
 * the mail setting. A form without a mail setting leaves it as it is.
 */
function setHosts(
  form: URLSearchParams,
  zone: StoredZone,
  store: ZoneStore,
  before: string,
  { emailTypes }: Account,
): SimulatedAnswer {
  const inputs: RecordInput[] = [];
  for (let n = 1; form.has(`HostName${n}`); n += 1) inputs.push(parse(form, n, zone.name));
  if (inputs.length === 0) return failure(2015280, "no hosts");
  const given = form.get("EmailType");
  const emailType = given ?? before;
  if (given !== null && hasMx(inputs) !== (given === "MX"))
    return failure(2015280, "MX rows and EmailType disagree");
  const isHosted = emailType === "OX" || emailType === "GMAIL";
  const generated = zone.records.filter(({ type }) => isHosted && type === "MX");
  const extras = new Map(zone.records.map((record) => [`${record.name} ${record.type}`, record]));
  const unrelated = inputs.filter(({ type }) => /^(?:URL|URL301|FRAME)$/.test(type));
  const plain = inputs.filter((input) => !unrelated.includes(input));
  const problem = store.replace(
    zone,
    zone.records.filter((one) => !generated.includes(one)).map(({ id }) => id),
    plain,
  );
  if (problem !== null && !problem.ok) return failure(2015280, problem.message);
  for (const { name, type, value, ttl } of unrelated) {
    const old = extras.get(`${name} ${type}`)?.extras ?? {};
    store.plant(zone.name, { name, type, value, ttl, priority: null, extras: old });
  }
  emailTypes.set(zone.name, emailType);
  return success(`<DomainDNSSetHostsResult Domain="${zone.name}" IsSuccess="true" />`);
}

function parse(form: URLSearchParams, n: number, zone: string): RecordInput {
  const field = (name: string) => form.get(`${name}${n}`) ?? "";
  const [type, address, ttl] = [field("RecordType"), field("Address"), Number(field("TTL"))];
  if (type === "SRV") throw new SyntaxError("unknown record type");
  if (ttl < 60 || ttl > 60_000) throw new SyntaxError("TTL out of range");
  if (type === "TXT" && address.includes('"')) throw new SyntaxError("quotes are not allowed");
  const value = type === "TXT" || type === "CAA" ? address : address.replace(/\.$/, "");
  const priority = type === "MX" ? Number(field("MXPref")) : null;
  return { name: toAbsolute(field("HostName"), zone), type, value, ttl, priority };
}

function success(inner: string): SimulatedAnswer {
  const body = `<?xml version="1.0" encoding="utf-8"?><ApiResponse Status="OK" xmlns="http://api.namecheap.com/xml.response"><Errors /><CommandResponse>${inner}</CommandResponse></ApiResponse>`;
  return { status: 200, body };
}

/** Errors, too, come with status 200. */
function failure(code: number, message: string): SimulatedAnswer {
  const error = `<Error Number="${code}">${escapeXml(message)}</Error>`;
  return {
    status: 200,
    body: `<ApiResponse Status="ERROR"><Errors>${error}</Errors></ApiResponse>`,
  };
}
