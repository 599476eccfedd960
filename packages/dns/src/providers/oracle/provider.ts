import { parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { readPrivateKey } from "../adapter/private-key.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";
import { signOracle } from "./signature.ts";

/** Quotes and backslashes are refused; how other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 4_000 };
const pageSize = 100;
/** A region is part of the host's name; a signed request must not go anywhere else. */
const regionPattern = /^[a-z]{2}-[a-z]+-\d{1,2}$/;

const zones = list(object({ id: text, name: text, zoneType: text, lifecycleState: text }));
const servers = object({ nameservers: optional(list(object({ hostname: text })), []) });
const wireRecord = object({
  domain: text,
  rtype: text,
  rdata: text,
  ttl: number,
  recordHash: text,
  isProtected: optional(boolean, false),
});
const records = object({ items: list(wireRecord) });
/** The key by which a record is removed. */
type Hash = string;

export const oracle = defineSetProvider<Hash>(manifest, (credentials, { http, now }) => {
  const key = {
    id: [credentials["tenancy_ocid"], credentials["user_ocid"], credentials["fingerprint"]].join(
      "/",
    ),
    key: readPrivateKey("The private key", credentials["private_key"] ?? ""),
  };
  const api = jsonApi(http, {
    baseUrl: `https://dns.${readRegion(credentials)}.oci.oraclecloud.com/20180115`,
    headers: {},
    explain,
    authorize: async (request) => signOracle(request, key, now()),
  });
  const zonePath = ({ id }: Zone) => `/zones/${encodeURIComponent(id)}`;
  const paging = (page: string | null) => ({ limit: pageSize, ...(page === null ? {} : { page }) });

  return {
    textLimits,
    async listZones(signal) {
      const compartmentId = credentials["compartment_ocid"] ?? "";
      const found = await allPages(async (page: string | null) => {
        const query = { compartmentId, scope: "GLOBAL", zoneType: "PRIMARY", ...paging(page) };
        const { body, headers } = await api.page({ path: "/zones", query }, zones, signal);
        return { items: body, next: headers.get("opc-next-page") };
      });
      return found
        .filter(
          ({ zoneType, lifecycleState: state }) => zoneType === "PRIMARY" && state === "ACTIVE",
        )
        .map(({ id, name }) => ({ id, name: name.toLowerCase(), nameservers: [] }));
    },
    async readNameservers(zone, signal) {
      const { nameservers } = await api.read({ path: zonePath(zone) }, servers, signal);
      return nameservers.map(({ hostname }) => hostname);
    },
    async readRows(zone, signal) {
      const listed = await allPages(async (page: string | null) => {
        const call = { path: `${zonePath(zone)}/records`, query: paging(page) };
        const { body, headers } = await api.page(call, records, signal);
        return { items: body.items, next: headers.get("opc-next-page") };
      });
      return listed.map((record) => toRow(record, zone.name));
    },
    async writeSets(zone, edits, signal) {
      // One request is one transaction, in which a set may be emptied before a CNAME takes its
      // name.
      const items = [...edits.flatMap(removals), ...edits.flatMap(additions)];
      const call = { method: "PATCH", path: `${zonePath(zone)}/records`, body: { items } } as const;
      await api.write(call, signal);
    },
  };
});

function readRegion({ region = "" }: Credentials): string {
  if (regionPattern.test(region)) return region;
  throw new ProviderError("auth", "Region must be an identifier like eu-frankfurt-1.");
}

function removals({ before, retain }: SetEdit<Hash>): readonly unknown[] {
  return before
    .filter((row) => !retain.includes(row))
    .map(({ raw }) => ({ recordHash: raw, operation: "REMOVE" }));
}

function additions({ ttl, add }: SetEdit<Hash>): readonly unknown[] {
  return add.map((record) => ({
    domain: record.name,
    rtype: record.type,
    rdata: presentData(record),
    ttl,
    operation: "ADD",
  }));
}

function toRow(wire: ReturnType<typeof wireRecord>, zone: string): Row<Hash> {
  const { domain: name, rtype: type, ttl, rdata } = wire;
  const data = parseData(type, rdata, null);
  const { value = null, priority = null } = data ?? {};
  const lockedBecause = wire.isProtected ? "Oracle manages it" : null;
  const record = { name, type, ttl, value, priority };
  return readRow({ id: null, raw: wire.recordHash, zone, record, lockedBecause });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const said = [body["code"], body["message"]].filter((one) => typeof one === "string");
  return { message: said.join(": ") };
};
