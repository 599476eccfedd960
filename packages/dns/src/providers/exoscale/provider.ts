import { createHmac } from "node:crypto";
import { entryFor } from "../../foreign-text.ts";
import { toAbsolute, toRelative } from "../../name.ts";
import { absoluteTarget, plainTxt, quoteTxt, readTarget } from "../../presentation.ts";
import type { DnsRecord } from "../../record.ts";
import type { Zone } from "../../zone.ts";
import type { AdapterContext, Credentials } from "../adapter/contract.ts";
import { ProviderError, type ProviderErrorKind } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  boolean,
  entryKey,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { ignoreNotFound, type JsonApi, type JsonCall, jsonApi } from "../adapter/json-api.ts";
import { defineRecordProvider } from "../adapter/record-provider.ts";
import { type Row, readRow } from "../adapter/rows.ts";
import { manifest } from "./manifest.ts";

/** Domains belong to no zone of the cloud, so that each of its hosts answers for all. */
const apiUrl = "https://api-ch-gva-2.exoscale.com/v2";
/** Quotes and single backslashes are refused; how other scripts are stored is not documented. */
const textLimits = { forbidden: /["\\]|[^\x20-\x7e]|^\s|\s$|^$/, mostCharacters: 2_000 };
const signatureSeconds = 600;
const targetTypes = ["CNAME", "ALIAS", "NS", "MX", "SRV"];
/** An operation that takes longer is left to the next apply, which reads the zone again. */
const pollPausesMs: readonly number[] = [300, 700, 1_000, 2_000, 3_000, 3_000];

const domains = object({
  "dns-domains": optional(list(object({ id: text, "unicode-name": text })), []),
});
const wireRecord = object({
  id: entryKey,
  name: optional(text, ""),
  type: text,
  content: optional(text, ""),
  ttl: optional(number, manifest.defaultTtlSeconds),
  priority: optional(number, 0),
  "system-record": optional(boolean, false),
});
type WireRecord = ReturnType<typeof wireRecord>;
const records = object({ "dns-domain-records": optional(list(wireRecord), []) });
const operation = object({
  id: text,
  state: text,
  reason: optional(text, ""),
  message: optional(text, ""),
});

export const exoscale = defineRecordProvider(manifest, (credentials, { http, now, wait }) => {
  const authorize = signer(credentials, now);
  const api = jsonApi(http, { baseUrl: apiUrl, headers: {}, explain, authorize });
  const recordsPath = (zone: Zone) => `/dns-domain/${encodeURIComponent(zone.id)}/record`;
  const run = (call: JsonCall, signal: AbortSignal) => finish(api, call, wait, signal);
  const remove = (zone: Zone, { id }: Row, signal: AbortSignal) =>
    run({ method: "DELETE", path: `${recordsPath(zone)}/${id}` }, signal);
  const add = (zone: Zone, record: DnsRecord, signal: AbortSignal) => {
    const body = { type: record.type, ...toWire(record, zone.name) };
    return run({ method: "POST", path: recordsPath(zone), body }, signal);
  };

  return {
    textLimits,
    async listZones(signal) {
      const answer = await api.read({ path: "/dns-domain" }, domains, signal);
      return answer["dns-domains"].map(({ id, "unicode-name": name }) => ({
        id,
        name,
        nameservers: [],
      }));
    },
    async readNameservers(zone, signal) {
      const answer = await api.read({ path: recordsPath(zone) }, records, signal);
      return answer["dns-domain-records"]
        .filter(({ type, name }) => type === "NS" && name === "")
        .map(({ content }) => readTarget(content, null));
    },
    async readRows(zone, signal) {
      const answer = await api.read({ path: recordsPath(zone) }, records, signal);
      return answer["dns-domain-records"].map((record) => toRow(record, zone.name));
    },
    remove,
    async change(zone, row, record, signal) {
      // A change refuses the priority 0.
      if (record.priority !== 0) {
        const path = `${recordsPath(zone)}/${row.id}`;
        return run({ method: "PUT", path, body: toWire(record, zone.name) }, signal);
      }
      await ignoreNotFound(remove(zone, row, signal));
      return add(zone, record, signal);
    },
    add,
  };
});

/** A change is an operation, which may end after its answer. */
async function finish(
  api: JsonApi,
  call: JsonCall,
  wait: AdapterContext["wait"],
  signal: AbortSignal,
): Promise<void> {
  let last = await api.read(call, operation, signal);
  for (const pauseMs of pollPausesMs) {
    if (last.state !== "pending") break;
    await wait(pauseMs, signal);
    const path = `/operation/${encodeURIComponent(last.id)}`;
    last = await api.read({ path }, operation, signal);
  }
  if (last.state === "success") return;
  const kind =
    last.state === "failure"
      ? (entryFor(kindByReason, last.reason) ?? "unavailable")
      : "unavailable";
  throw new ProviderError(kind, `Exoscale: ${last.state} ${last.reason} ${last.message}`.trim());
}

/** Last verified 2026-11. */
const kindByReason: Readonly<Record<string, ProviderErrorKind>> = {
  conflict: "conflict",
  forbidden: "auth",
  incorrect: "unsupported",
  "not-found": "not_found",
  unsupported: "unsupported",
};

/** Signs method, path, body, query, headers (none of the two here) and expiry, one on each line. */
function signer({ api_key: key = "", api_secret: secret = "" }: Credentials, now: () => Date) {
  return async ({ method, url, body }: { method: string; url: string; body: string }) => {
    const expires = Math.floor(now().getTime() / 1_000) + signatureSeconds;
    const message = [`${method} ${new URL(url).pathname}`, body, "", "", expires].join("\n");
    const signature = createHmac("sha256", secret).update(message).digest("base64");
    const parts = [`credential=${key}`, `expires=${expires}`, `signature=${signature}`];
    return { authorization: `EXO2-HMAC-SHA256 ${parts.join(",")}` };
  };
}

function toWire(record: DnsRecord, zone: string): Readonly<Record<string, unknown>> {
  const { type, value, ttl, priority } = record;
  const target = targetTypes.includes(type) ? absoluteTarget(value) : value;
  return {
    name: toRelative(record.name, zone),
    content: type === "TXT" ? quoteTxt(value) : target,
    ttl,
    ...(priority === null ? {} : { priority }),
  };
}

function toRow(wire: WireRecord, zone: string): Row {
  const { id, type, ttl } = wire;
  const record = {
    name: toAbsolute(wire.name, zone),
    type,
    ttl,
    value: readContent(wire),
    priority: type === "MX" || type === "SRV" ? wire.priority : null,
  };
  return readRow({ id, raw: null, zone, record, lockedBecause: findLock(wire) });
}

/** Texts come back in quotes, or bare as some clients send them. */
function readContent({ type, content }: WireRecord): string | null {
  if (type === "TXT") return plainTxt(content);
  return targetTypes.includes(type) ? readTarget(content, null) : content;
}

function findLock({ type, content, "system-record": isSystem }: WireRecord): string | null {
  if (isSystem || type === "NS") return "Exoscale manages it";
  const isMirror = type === "TXT" && /^"?ALIAS for /.test(content);
  return isMirror ? "Exoscale has it beside an ALIAS record" : null;
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  return isObject(body) ? { message: String(body["message"] ?? "") } : null;
};
