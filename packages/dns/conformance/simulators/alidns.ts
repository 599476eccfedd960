import { createHash, createHmac } from "node:crypto";
import { toAbsolute, toRelative } from "../../src/name.ts";
import { readTarget } from "../../src/presentation.ts";
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

const testKeys = { access_key_id: "LTAI0123456789", access_key_secret: "ali-secret-0123456789" };

export function startAlidns(): Promise<Backend> {
  const nonces = new Set<string>();
  return startSimulator({
    credentials: testKeys,
    wrongCredentials: { ...testKeys, access_key_secret: "ali-secret-revoked" },
    missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
    handle: (request, store) => refusal(request, nonces) ?? handle(request, store),
    throttled: () =>
      failure(400, "Throttling.User", "Request was denied due to user flow control."),
    malformed: (message) => failure(400, "InvalidParameter", message),
  });
}

/** A signature is accepted once, and for a quarter of an hour. */
function refusal(request: SimulatedRequest, nonces: Set<string>): SimulatedAnswer | null {
  const header = (name: string) => String(request.headers[name]);
  const nonce = header("x-acs-signature-nonce");
  if (header("authorization") !== expectedSignature(request)) {
    const why = `Specified signature is not matched: ${header("authorization")}`;
    return failure(400, "SignatureDoesNotMatch", why);
  }
  const age = Date.now() - new Date(header("x-acs-date")).getTime();
  if (!(Math.abs(age) < 900_000)) return failure(400, "InvalidTimeStamp", "");
  if (nonces.has(nonce)) return failure(400, "SignatureNonceUsed", "The nonce has been used.");
  nonces.add(nonce);
  return null;
}

/**
 * The caller says which headers are signed; the host, the type of a body and all of `x-acs-` must
 * be.
 */
function expectedSignature({ method, url, headers, body }: SimulatedRequest): string {
  const mustBeSigned = (name: string) => name === "content-type" || name.startsWith("x-acs-");
  const names = ["host", ...Object.keys(headers).filter(mustBeSigned)].sort();
  const lines = names.map((name) => `${name}:${name === "host" ? url.host : headers[name]}`);
  const hash = sha256(body);
  const signed = [method, url.pathname, url.search.slice(1), ...lines, "", names.join(";"), hash];
  const message = `ACS3-HMAC-SHA256\n${sha256(signed.join("\n"))}`;
  const key = testKeys.access_key_secret;
  const signature = createHmac("sha256", key).update(message).digest("hex");
  const list = names.join(";");
  return `ACS3-HMAC-SHA256 Credential=${testKeys.access_key_id},SignedHeaders=${list},Signature=${signature}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function handle(request: SimulatedRequest, store: ZoneStore): SimulatedAnswer {
  const action = request.headers["x-acs-action"];
  // Parameters are taken from the address and from a form.
  const form = new URLSearchParams([
    ...request.url.searchParams,
    ...new URLSearchParams(request.body),
  ]);
  if (action === "DescribeDomains") {
    const domains = store.zones().map(({ name }) => ({ DomainName: name, PunyCode: name }));
    return page(form, domains, 100, (Domain) => ({ Domains: { Domain } }));
  }
  const id = form.get("RecordId") ?? "";
  const zone = store
    .zones()
    .find(
      ({ name, records }) => name === form.get("DomainName") || records.some((r) => r.id === id),
    );
  if (zone === undefined && id !== "") {
    return failure(400, "DomainRecordNotBelongToUser", "The record does not belong to you.");
  }
  if (zone === undefined) return failure(400, "InvalidDomainName.NoExist", "No such domain.");
  switch (action) {
    case "DescribeDomainInfo": {
      const DnsServers = { DnsServer: ["dns9.hichina.com", "dns10.hichina.com"] };
      return { status: 200, body: { DomainName: zone.name, MinTtl: 600, DnsServers } };
    }
    case "DescribeDomainRecords": {
      const shown = zone.records.map((record) => present(record, zone.name));
      return page(form, shown, 500, (Record) => ({ DomainRecords: { Record } }));
    }
    case "AddDomainRecord":
      return answer(createOne(store, zone, parse(form, zone)));
    case "UpdateDomainRecord":
      return answer(updateOne(store, zone, id, parse(form, zone)));
    case "DeleteDomainRecord":
      return answer(deleteOne(store, zone, id));
    default:
      return failure(404, "InvalidAction.NotFound", String(action));
  }
}

function page(
  form: URLSearchParams,
  items: readonly unknown[],
  most: number,
  wrap: (items: readonly unknown[]) => object,
): SimulatedAnswer {
  const [at, asked] = [Number(form.get("PageNumber") ?? 1), Number(form.get("PageSize") ?? 20)];
  if (asked > most) return failure(400, "InvalidParameter", "PageSize");
  // Smaller than the real pages, so that there are several.
  const size = Math.min(asked, 50);
  const shown = slicePage(items, at, size).items;
  const counts = { TotalCount: items.length, PageNumber: at, PageSize: size };
  return { status: 200, body: { RequestId: "0", ...counts, ...wrap(shown) } };
}

function present(record: StoredRecord, zone: string): unknown {
  const { id, name, value, ttl, priority, extras } = record;
  // A name that follows another is a CNAME, at the apex too.
  const type = record.type === "ALIAS" ? "CNAME" : record.type;
  const RR = toRelative(name, zone);
  const Value = type === "SRV" ? `${priority} ${value}` : value;
  const base = { RecordId: id, RR, Type: type, Value, TTL: ttl, Line: "default" };
  const rest = { Status: "ENABLE", Locked: false, ...extras };
  return { ...base, ...rest, ...(priority === null ? {} : { Priority: priority }) };
}

/** There is no ALIAS. */
const types: readonly string[] = ["A", "AAAA", "CNAME", "TXT", "MX", "NS", "SRV", "CAA"];

function parse(form: URLSearchParams, { name: zone }: StoredZone): RecordInput {
  const input = (key: string) => {
    const value = form.get(key);
    if (value === null) throw new SyntaxError(`${key} is mandatory`);
    return value;
  };
  const [rr, type, value, ttl] = [input("RR"), input("Type"), input("Value"), Number(input("TTL"))];
  if (!types.includes(type)) throw new SyntaxError("Type");
  if (rr === "" || rr.endsWith(`.${zone}`)) throw new SyntaxError("RR");
  if (ttl < 600 || ttl > 86_400) throw new SyntaxError("TTL");
  if (type === "TXT" && /["\\]|\s$/.test(value)) throw new SyntaxError("Value");
  const base = { name: toAbsolute(rr, zone), type, ttl };
  if (type === "MX") {
    return { ...base, value: readTarget(value, null), priority: Number(input("Priority")) };
  }
  if (type === "SRV") {
    const [priority, ...rest] = value.split(" ");
    return { ...base, value: rest.join(" "), priority: Number(priority) };
  }
  return { ...base, value: type === "CNAME" || type === "NS" ? readTarget(value, null) : value };
}

function answer(outcome: Outcome): SimulatedAnswer {
  if (outcome.done) return { status: 200, body: { RequestId: "0", RecordId: outcome.record.id } };
  const codes = {
    missing: "DomainRecordNotBelongToUser",
    duplicate: "DomainRecordDuplicate",
    clash: "DomainRecordConflict",
    invalid: "InvalidParameter",
  };
  return failure(400, codes[outcome.why], outcome.message);
}

function failure(status: number, Code: string, Message: string): SimulatedAnswer {
  return { status, body: { RequestId: "0", HostId: "alidns.aliyuncs.com", Code, Message } };
}
