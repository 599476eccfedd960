import { randomUUID } from "node:crypto";
import { toAbsolute, toRelative } from "../../name.ts";
import { parseData, readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  boolean,
  type Decoder,
  decodeJson,
  entryKey,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { countedPages } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { signAcs3 } from "./acs3.ts";
import { manifest } from "./manifest.ts";

const host = "alidns.aliyuncs.com";
/**
 * Quotes and spaces at the end are dropped, single backslashes garbled, most other scripts refused.
 */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 512 };
const domainsPerPage = 100;
const recordsPerPage = 500;
const maxTtlSeconds = 86_400;

type Fields = Readonly<Record<string, string>>;

const domain = object({ DomainName: text, PunyCode: optional(text, null) });
const domains = object({ Domains: object({ Domain: list(domain) }), TotalCount: number });
const domainInfo = object({
  DnsServers: optional(object({ DnsServer: optional(list(text), []) }), { DnsServer: [] }),
});
const wireRecord = object({
  RecordId: entryKey,
  RR: text,
  Type: text,
  Value: optional(text, ""),
  TTL: number,
  Priority: optional(number, 0),
  Line: optional(text, "default"),
  Status: optional(text, "ENABLE"),
  Locked: optional(boolean, false),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({
  DomainRecords: object({ Record: list(wireRecord) }),
  TotalCount: number,
});

export const alidns = defineRecordProvider(manifest, (credentials, { http, now }) => {
  const { access_key_id: id = "", access_key_secret: secret = "" } = credentials;

  /** Every call is a form to one address; the action is in a header. */
  const call = async <T>(
    action: string,
    fields: Fields,
    decoder: Decoder<T>,
    signal: AbortSignal,
    idempotent = true,
  ): Promise<T> => {
    const body = new URLSearchParams(fields).toString();
    const sign = async () => signAcs3({ host, action, body }, { id, secret }, now(), randomUUID());
    const request = { method: "POST", url: `https://${host}/`, body, sign, idempotent } as const;
    return decodeJson(await http.send(request, signal, explain), decoder);
  };
  const write = async (action: string, sent: Fields, idempotent: boolean, signal: AbortSignal) => {
    await call(action, sent, anything, signal, idempotent);
  };
  return {
    textLimits,
    async listZones(signal) {
      const listed = await countedPages(async (page) => {
        const fields = paging(page, domainsPerPage);
        const answer = await call("DescribeDomains", fields, domains, signal);
        return { items: answer.Domains.Domain, total: answer.TotalCount };
      });
      return listed.map(({ DomainName, PunyCode }) => ({
        id: DomainName,
        name: PunyCode ?? DomainName,
        nameservers: [],
      }));
    },
    async readNameservers(zone, signal) {
      const fields = { DomainName: zone.id };
      return (await call("DescribeDomainInfo", fields, domainInfo, signal)).DnsServers.DnsServer;
    },
    async readRows(zone, signal) {
      const listed = await countedPages(async (page) => {
        const fields = { DomainName: zone.id, ...paging(page, recordsPerPage) };
        const answer = await call("DescribeDomainRecords", fields, records, signal);
        return { items: answer.DomainRecords.Record, total: answer.TotalCount };
      });
      return listed.map((record) => toRow(record, zone.name));
    },
    remove: (_zone, { id }, signal) => write("DeleteDomainRecord", { RecordId: id }, true, signal),
    change: (zone, { id }, record, signal) => {
      const fields = { RecordId: id, ...toWire(record, zone.name) };
      return write("UpdateDomainRecord", fields, true, signal);
    },
    add: (zone, record, signal) => {
      const fields = { DomainName: zone.id, ...toWire(record, zone.name) };
      return write("AddDomainRecord", fields, false, signal);
    },
  };
});

function paging(page: number, size: number): Fields {
  return { PageNumber: String(page), PageSize: String(size) };
}

/** A service's priority is in its value, too. */
function toWire(record: DnsRecord, zone: string): Fields {
  const { name, type, value, ttl, priority } = record;
  return {
    RR: toRelative(name, zone) ?? name,
    // There is no ALIAS: at the apex, too, a name that follows another is a CNAME.
    Type: type === "ALIAS" ? "CNAME" : type,
    Value: type === "SRV" ? `${priority} ${value}` : value,
    TTL: String(Math.min(ttl, maxTtlSeconds)),
    ...(priority === null ? {} : { Priority: String(priority) }),
  };
}

const redirects = ["REDIRECT_URL", "FORWARD_URL"];

function toRow(wire: WireRecord, zone: string): Row {
  const type = redirects.includes(wire.Type) ? "REDIRECT" : wire.Type;
  const service = type === "SRV" ? parseData("SRV", wire.Value, null) : null;
  const isTarget = type === "CNAME" || type === "NS" || type === "MX";
  const plain = isTarget ? readTarget(wire.Value, null) : wire.Value;
  const record = {
    name: toAbsolute(wire.RR, zone),
    type,
    ttl: wire.TTL,
    value: type === "SRV" ? (service?.value ?? null) : plain,
    priority: type === "MX" ? wire.Priority : (service?.priority ?? null),
  };
  return readRow({ id: wire.RecordId, raw: null, zone, record, lockedBecause: findLock(wire) });
}

function findLock({ Line, Status, Locked }: WireRecord): string | null {
  if (Status.toUpperCase() !== "ENABLE") return "it is switched off at Alibaba Cloud";
  if (Locked) return "it is locked at Alibaba Cloud";
  return Line === "default" ? null : "it is answered by line";
}

/** Last verified 2026-11. */
const kindByCode: readonly (readonly [RegExp, ProviderErrorKind])[] = [
  [/^Throttling/, "rate_limited"],
  [/^(?:InvalidAccessKeyId|SignatureDoesNotMatch|IncompleteSignature|Forbidden)/, "auth"],
  [/NoExist|NotBelongToUser|^IncorrectDomainUser/, "not_found"],
  [/Duplicate|Conflict/, "conflict"],
  [/^(?:ServiceUnavailable|InternalError|SignatureNonceUsed)/, "unavailable"],
];

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const code = String(body["Code"] ?? "");
  const kind = kindByCode.find(([pattern]) => pattern.test(code))?.[1];
  const message = `${code}: ${String(body["Message"] ?? "")}`;
  return kind === undefined ? { message } : { kind, message };
};
