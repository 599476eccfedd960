import { randomUUID } from "node:crypto";
import { parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import { isObject, jsonOrNull, list, number, object, optional, text } from "../adapter/json.ts";
import { ignoreNotFound, jsonApi, requireCount } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { edgeGridHeader } from "./edgegrid.ts";
import { manifest } from "./manifest.ts";

/** Quotes and backslashes are refused; how other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 4_000 };
/** Each client has a host of its own below this name; a key must not be sent anywhere else. */
const hostPattern = /^[a-z0-9-]+\.luna\.akamaiapis\.net$/;

const metadata = optional(object({ totalElements: optional(number, 0) }), { totalElements: 0 });
const zonePage = object({
  metadata,
  zones: optional(list(object({ zone: text, type: text })), []),
});
const set = object({ name: text, type: text, ttl: number, rdata: list(text) });
const setPage = object({ metadata, recordsets: optional(list(set), []) });
/** Without it a list is a page. */
const query = { showAll: "true" };

export const akamai = defineSetProvider<string>(manifest, (credentials, { http, now }) => {
  const host = readHost(credentials);
  const { client_token, client_secret, access_token } = credentials;
  const keys = {
    clientToken: client_token ?? "",
    clientSecret: client_secret ?? "",
    accessToken: access_token ?? "",
  };
  const api = jsonApi(http, {
    baseUrl: `https://${host}/config-dns/v2`,
    headers: {},
    explain,
    authorize: async (request) => ({
      authorization: edgeGridHeader(keys, request, now(), randomUUID()),
    }),
  });
  const zonePath = (zone: Zone) => `/zones/${encodeURIComponent(zone.id)}`;

  return {
    textLimits,
    readNameservers: "apex",
    async listZones(signal) {
      const call = { path: "/zones", query };
      const { zones, metadata: stated } = await api.read(call, zonePage, signal);
      requireCount(zones, stated.totalElements);
      // The records of a secondary zone, or of an alias of a zone, are elsewhere.
      return zones
        .filter(({ type }) => type.toUpperCase() === "PRIMARY")
        .map(({ zone: name }) => ({ id: name, name: name.toLowerCase(), nameservers: [] }));
    },
    async readRows(zone, signal) {
      const call = { path: `${zonePath(zone)}/recordsets`, query };
      const { recordsets, metadata: stated } = await api.read(call, setPage, signal);
      requireCount(recordsets, stated.totalElements);
      return recordsets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSet(zone, edit, signal) {
      const { name, type, ttl } = edit;
      const path = `${zonePath(zone)}/names/${encodeURIComponent(name)}/types/${type}`;
      const body = { name, type, ttl, rdata: listData(edit) };
      if (body.rdata.length === 0) {
        return ignoreNotFound(api.write({ method: "DELETE", path }, signal));
      }
      const method = edit.before.length === 0 ? "POST" : "PUT";
      await api.write({ method, path, body }, signal);
    },
  };
});

function readHost({ host = "" }: Credentials): string {
  const bare = host.replace(/^https:\/\//, "").replace(/\/$/, "");
  if (hostPattern.test(bare)) return bare;
  throw new ProviderError("auth", "Host must be a name below luna.akamaiapis.net.");
}

function listData({ retain, add }: SetEdit<string>): readonly string[] {
  return [...retain.map(({ raw }) => raw), ...add.map(presentData)];
}

/** Names are full and have no closing dot. */
function toRows(wire: ReturnType<typeof set>, zone: string): readonly Row<string>[] {
  // Both types give the addresses of an Akamai property, at the apex too.
  const isMapping = wire.type === "AKAMAICDN" || wire.type === "AKAMAITLC";
  const type = isMapping ? "ALIAS" : wire.type;
  const lockedBecause = isMapping ? "it leads to a property at Akamai" : null;
  return wire.rdata.map((raw) => {
    const data = parseData(type, raw, null);
    const { value = null, priority = null } = data ?? {};
    const record = { name: wire.name, type, ttl: wire.ttl, value, priority };
    return readRow({ id: null, raw, zone, record, lockedBecause });
  });
}

/** RFC 9457. */
const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const said = [body["title"], body["detail"]].filter((one) => typeof one === "string");
  return { message: said.join(": ") };
};
