import { entryFor } from "../../foreign-text.ts";
import { toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, parseData, plainTxt, quoteLongTxt } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import {
  anything,
  type Decoder,
  entryKey,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { countedPages, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { signTc3 } from "./tc3.ts";

const hosts: Readonly<Record<string, string>> = {
  china: "dnspod.tencentcloudapi.com",
  international: "dnspod.intl.tencentcloudapi.com",
};
const apiVersion = "2021-03-23";
/** How quotes, backslashes and other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
const pageSize = 1_000;
const maxTtlSeconds = 604_800;
/** The line of everybody for whom no other is set; the API knows it by this name only. */
const defaultLine = "默认";
const defaultLines = [defaultLine, "Default", "default"];

type Params = Readonly<Record<string, unknown>>;

const envelope = object({
  Response: object({
    Error: optional(object({ Code: text, Message: optional(text, "") }), null),
  }),
});
const inside = <T>(decoder: Decoder<T>) => object({ Response: decoder });
const domains = inside(
  object({
    DomainCountInfo: object({ AllTotal: number }),
    DomainList: list(object({ Name: text, Punycode: optional(text, null) })),
  }),
);
const domainDetail = inside(
  object({ DomainInfo: object({ DnspodNsList: optional(list(text), []) }) }),
);
const wireRecord = object({
  RecordId: entryKey,
  Name: text,
  Type: text,
  Value: optional(text, ""),
  TTL: number,
  MX: optional(number, 0),
  Line: optional(text, defaultLine),
  Status: optional(text, "ENABLE"),
  Weight: optional(number, null),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = inside(
  object({ RecordCountInfo: object({ TotalCount: number }), RecordList: list(wireRecord) }),
);

/** The weight among the records of its set, which a change that does not repeat it switches off. */
type Weight = number | null;

export const tencentcloud = defineRecordProvider<Weight>(manifest, (credentials, { http, now }) => {
  const host = findHost(credentials);
  const keys = { id: credentials["secret_id"] ?? "", secret: credentials["secret_key"] ?? "" };
  const api = jsonApi(http, {
    baseUrl: `https://${host}`,
    headers: { "x-tc-version": apiVersion },
    explain: () => null,
    authorize: async ({ body }) => signTc3({ host, body }, keys, now()),
  });

  /** Every call is a POST to one address; a failure is in the body, with status 200. */
  const call = async <T>(
    action: string,
    body: Params,
    decoder: Decoder<T>,
    signal: AbortSignal,
    idempotent = true,
  ): Promise<T> => {
    const headers = { "x-tc-action": action };
    const request = { method: "POST", path: "/", headers, body, idempotent } as const;
    const answer = await api.read(request, anything, signal);
    const { Error: error } = envelope(answer, "").Response;
    if (error !== null) throw toError(error.Code, error.Message);
    return decoder(answer, "");
  };
  const write = async (
    zone: Zone,
    action: string,
    params: Params,
    idempotent: boolean,
    signal: AbortSignal,
  ) => {
    await call(action, { Domain: zone.id, ...params }, anything, signal, idempotent);
  };
  return {
    textLimits,
    async listZones(signal) {
      const listed = await countedPages(async (page) => {
        const { Response } = await call("DescribeDomainList", paging(page), domains, signal);
        return { items: Response.DomainList, total: Response.DomainCountInfo.AllTotal };
      });
      return listed.map(({ Name, Punycode }) => ({
        id: Name,
        name: Punycode ?? Name,
        nameservers: [],
      }));
    },
    async readNameservers(zone, signal) {
      const { Response } = await call("DescribeDomain", { Domain: zone.id }, domainDetail, signal);
      return Response.DomainInfo.DnspodNsList;
    },
    async readRows(zone, signal) {
      const listed = await countedPages(async (page) => {
        const params = { Domain: zone.id, ...paging(page) };
        const answer = await call("DescribeRecordList", params, records, signal).catch(noRecords);
        const { RecordList: items, RecordCountInfo: count } = answer.Response;
        return { items, total: count.TotalCount };
      });
      return listed.map((record) => toRow(record, zone.name));
    },
    remove: (zone, { id }, signal) =>
      write(zone, "DeleteRecord", { RecordId: Number(id) }, true, signal),
    change: (zone, { id, raw: weight }, record, signal) => {
      const repeated = weight === null ? {} : { Weight: weight };
      const params = { RecordId: Number(id), ...toWire(record, zone.name), ...repeated };
      return write(zone, "ModifyRecord", params, true, signal);
    },
    add: (zone, record, signal) =>
      write(zone, "CreateRecord", toWire(record, zone.name), false, signal),
  };
});

function findHost({ site = "china" }: Credentials): string {
  const host = Object.hasOwn(hosts, site) ? hosts[site] : undefined;
  if (host !== undefined) return host;
  throw new ProviderError("auth", "Site must be china or international.");
}

function paging(page: number): Params {
  return { Offset: (page - 1) * pageSize, Limit: pageSize };
}

/** An empty list is an error there. */
function noRecords(error: unknown): ReturnType<typeof records> {
  if (error instanceof ProviderError && error.message.includes("NoDataOfRecord")) {
    return { Response: { RecordCountInfo: { TotalCount: 0 }, RecordList: [] } };
  }
  throw error;
}

function toWire(record: DnsRecord, zone: string): Params {
  const { type, ttl, priority } = record;
  return {
    SubDomain: toRelative(record.name, zone),
    // There is no ALIAS: at the apex, too, a name that follows another is a CNAME.
    RecordType: type === "ALIAS" ? "CNAME" : type,
    RecordLine: defaultLine,
    Value: readContent(record),
    TTL: Math.min(ttl, maxTtlSeconds),
    ...(type === "MX" ? { MX: priority } : {}),
  };
}

/** Like a zone file, apart from a mail exchanger's priority and from the quotes of a short text. */
function readContent({ type, value, priority }: DnsRecord): string {
  switch (type) {
    case "TXT":
      return quoteLongTxt(value);
    case "SRV":
      return `${priority} ${absoluteTarget(value)}`;
    case "CNAME":
    case "ALIAS":
    case "NS":
    case "MX":
      return absoluteTarget(value);
    default:
      return value;
  }
}

const readTypes: Readonly<Record<string, string>> = {
  显性URL: "REDIRECT",
  隐性URL: "REDIRECT",
};

function toRow(wire: WireRecord, zone: string): Row<Weight> {
  const type = entryFor(readTypes, wire.Type) ?? wire.Type;
  const content = type === "MX" ? `${wire.MX} ${wire.Value}` : wire.Value;
  const plain = { value: plainTxt(wire.Value), priority: null };
  const data = type === "TXT" ? plain : parseData(type, content, null);
  const record = {
    name: toAbsolute(wire.Name, zone),
    type,
    ttl: wire.TTL,
    value: data?.value ?? null,
    priority: data?.priority ?? null,
  };
  const { RecordId: id, Weight: raw } = wire;
  return readRow({ id, raw, zone, record, lockedBecause: findLock(wire) });
}

function findLock({ Line, Status }: WireRecord): string | null {
  if (Status.toUpperCase() !== "ENABLE") return "it is switched off at DNSPod";
  return defaultLines.includes(Line) ? null : "it is answered by line";
}

/** Last verified 2026-11. */
const kindByCode: readonly (readonly [RegExp, ProviderErrorKind])[] = [
  [/^(?:AuthFailure|UnauthorizedOperation)/, "auth"],
  [/^RequestLimitExceeded/, "rate_limited"],
  [/NoDataOf|DomainNotExist|RecordIdInvalid|^ResourceNotFound/, "not_found"],
  [/RecordExist|Conflict/, "conflict"],
  [/^InternalError/, "unavailable"],
];

function toError(code: string, said: string): ProviderError {
  const kind = kindByCode.find(([pattern]) => pattern.test(code))?.[1] ?? "unsupported";
  // An answer about the signature may repeat the key.
  return new ProviderError(kind, kind === "auth" ? `DNSPod: ${code}.` : `DNSPod: ${code}: ${said}`);
}
