import { entryFor } from "../../foreign-text.ts";
import { normalizeName } from "../../name.ts";
import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  type Decoder,
  entryKey,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, ignoreNotFound, jsonApi, requireCount } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { signSdkHmac } from "./sdk-hmac.ts";

/** As the official SDK lists them; public zones are the same in all of them. */
const regions: ReadonlySet<string> = new Set(
  `cn-east-2 cn-east-3 cn-east-4 cn-east-5 cn-north-1 cn-north-2 cn-north-4 cn-north-9 cn-south-1
  cn-south-2 cn-southwest-2 af-north-1 af-south-1 ap-southeast-1 ap-southeast-2 ap-southeast-3
  ap-southeast-4 ap-southeast-5 ae-ad-1 la-north-2 la-south-2 me-east-1 my-kualalumpur-1
  na-mexico-1 ru-moscow-1 sa-brazil-1 tr-west-1`.split(/\s+/),
);
const pageSize = 500;
/** Quotes and backslashes are refused; how other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^$/, mostCharacters: 2_000 };
const defaultLine = "default_view";
const defaultWeight = 1;

const paged = {
  links: optional(object({ next: optional(text, null) }), { next: null }),
  metadata: optional(object({ total_count: optional(number, 0) }), { total_count: 0 }),
};
const zones = object({
  ...paged,
  zones: optional(list(object({ id: text, name: text, zone_type: optional(text, "public") })), []),
});
const wireSet = object({
  id: entryKey,
  name: text,
  type: text,
  ttl: optional(number, manifest.defaultTtlSeconds),
  records: optional(list(text), []),
  status: optional(text, "ACTIVE"),
  line: optional(text, defaultLine),
  weight: optional(number, null),
  description: optional(text, null),
  alias_target: optional(anything, null),
});
type WireSet = ReturnType<typeof wireSet>;
const sets = object({ ...paged, recordsets: optional(list(wireSet), []) });
const servers = object({ nameservers: optional(list(object({ hostname: text })), []) });

interface Listed {
  readonly set: WireSet;
  readonly value: string;
}

export const huaweicloud = defineSetProvider<Listed>(manifest, (credentials, { http, now }) => {
  const keys = {
    id: credentials["access_key_id"] ?? "",
    secret: credentials["secret_access_key"] ?? "",
  };
  const api = jsonApi(http, {
    baseUrl: findEndpoint(credentials),
    headers: {},
    explain,
    authorize: async (request) => signSdkHmac(request, keys, now()),
  });
  const listAll = async <T, P extends { readonly links: { readonly next: string | null } }>(
    path: string,
    decoder: Decoder<P & { readonly metadata: { readonly total_count: number } }>,
    items: (page: P) => readonly T[],
    signal: AbortSignal,
  ): Promise<readonly T[]> => {
    let stated = 0;
    const all = await allPages(async (marker: string | null) => {
      const query = { limit: pageSize, ...(marker === null ? {} : { marker }) };
      const page = await api.read({ path, query }, decoder, signal);
      stated = page.metadata.total_count;
      return { items: items(page), next: readMarker(page.links.next) };
    });
    requireCount(all, stated);
    return all;
  };
  const setsPath = (zone: Zone) => `/v2.1/zones/${encodeURIComponent(zone.id)}/recordsets`;

  return {
    textLimits,
    requireWritable: refuseNullExchanger,
    async listZones(signal) {
      const found = await listAll("/v2/zones", zones, (page) => page.zones, signal);
      return found.flatMap(({ id, name: given, zone_type: kind }) => {
        const name = kind === "public" ? normalizeName(given) : null;
        return name === null ? [] : [{ id, name, nameservers: [] }];
      });
    },
    async readNameservers(zone, signal) {
      const path = `/v2/zones/${encodeURIComponent(zone.id)}/nameservers`;
      const { nameservers } = await api.read({ path }, servers, signal);
      return nameservers.map(({ hostname }) => hostname.replace(/\.$/, "").toLowerCase());
    },
    async readRows(zone, signal) {
      const found = await listAll(setsPath(zone), sets, (page) => page.recordsets, signal);
      return found
        .filter(({ status }) => status !== "PENDING_DELETE")
        .flatMap((set) => toRows(set, zone.name));
    },
    async writeSet(zone, edit, signal) {
      const set = findSet(edit);
      const { name, type, ttl, retain, add } = edit;
      const values = [...retain.map(({ raw }) => raw.value), ...add.map(presentData)];
      const path = setsPath(zone);
      if (set === null) {
        const body = { name: absoluteTarget(name), type, ttl, records: values };
        return api.write({ method: "POST", path, body }, signal);
      }
      const one = `${path}/${encodeURIComponent(set.id)}`;
      if (values.length === 0) {
        return ignoreNotFound(api.write({ method: "DELETE", path: one }, signal));
      }
      const { weight, description } = set;
      const body = {
        name: set.name,
        type,
        ttl,
        records: values,
        ...(weight === null ? {} : { weight }),
        ...(description === null ? {} : { description }),
      };
      await api.write({ method: "PUT", path: one, body }, signal);
    },
  };
});

function findEndpoint(credentials: Credentials): string {
  const region = credentials["region"] ?? "";
  if (region === "") return "https://dns.myhuaweicloud.com";
  if (regions.has(region)) return `https://dns.${region}.myhuaweicloud.com`;
  throw new ProviderError("auth", "Region is not one of Huawei Cloud's, like ap-southeast-1.");
}

/** The marker is part of an address; the address itself is not followed. */
function readMarker(next: string | null): string | null {
  if (next === null || next === "") return null;
  const marker = URL.parse(next, "https://dns.myhuaweicloud.com")?.searchParams.get("marker");
  if (marker != null && marker !== "") return marker;
  throw new ProviderError("unavailable", "Huawei Cloud named no marker of the next page.");
}

/** One name and type can be stored as several weighted sets, which must not be made one. */
function findSet({ before, name, type }: SetEdit<Listed>): WireSet | null {
  const stored = new Map(before.map(({ raw }) => [raw.set.id, raw.set]));
  const [set = null] = stored.values();
  if (stored.size <= 1) return set;
  const why = "it is stored as several sets";
  throw new ProviderError("conflict", `${name} ${type} cannot be changed: ${why}.`);
}

function toRows(set: WireSet, zone: string): readonly Row<Listed>[] {
  const { name, type, ttl } = set;
  const lockedBecause = findLock(set);
  // An alias of a cloud resource has no values.
  const values = set.records.length === 0 ? [""] : set.records;
  return values.map((value) => {
    const data = parseData(type, value, null);
    const record = {
      name,
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    return readRow({ id: set.id, raw: { set, value }, zone, record, lockedBecause });
  });
}

const liveStates: readonly string[] = ["ACTIVE", "PENDING_CREATE", "PENDING_UPDATE"];

function findLock({ status, line, weight, alias_target: alias }: WireSet): string | null {
  if (alias !== null) return "it follows a resource of Huawei Cloud";
  if (line !== defaultLine) return "it answers one line only";
  if (weight !== null && weight !== defaultWeight) return "it has a weight";
  return liveStates.includes(status) ? null : "it is switched off at Huawei Cloud";
}

function refuseNullExchanger(records: readonly DnsRecord[]): void {
  const refused = records.find(({ type, value }) => type === "MX" && value === ".");
  if (refused === undefined) return;
  throw new ProviderError("unsupported", `${refused.name}: Huawei Cloud refuses the target ".".`);
}

/** Last verified 2026-11. */
const kindByCode: Readonly<Record<string, ProviderErrorKind>> = {
  "DNS.0005": "auth",
  "DNS.0013": "auth",
  "DNS.0014": "rate_limited",
  "DNS.0021": "rate_limited",
  "DNS.0040": "auth",
  "DNS.0302": "not_found",
  "DNS.0312": "conflict",
  "DNS.0313": "not_found",
  "DNS.0335": "conflict",
  "APIGW.0301": "auth",
  "APIGW.0302": "auth",
  "APIGW.0303": "auth",
  "APIGW.0305": "auth",
  "APIGW.0308": "rate_limited",
};

/** The service and the gateway before it call the same fields differently. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const code = String(body["code"] ?? body["error_code"] ?? "");
  const message = String(body["message"] ?? body["error_msg"] ?? "");
  const kind = entryFor(kindByCode, code);
  return { message: `${code} ${message}`.trim(), ...(kind === undefined ? {} : { kind }) };
};
