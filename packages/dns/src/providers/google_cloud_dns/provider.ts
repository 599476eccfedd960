import { anything, isObject, list, number, object, optional, text } from "../../decode.ts";
import { ProviderError } from "../../errors.ts";
import { type Explain, jsonOrNull } from "../../http.ts";
import { allPages, jsonApi } from "../../json-api.ts";
import { tokenSource } from "../../oauth.ts";
import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import { defineProvider } from "../../provider.ts";
import { listingOf, type Row, readRow, setEdits } from "../../rows.ts";
import type { Zone } from "../../zone.ts";
import { manifest } from "./manifest.ts";
import { readServiceAccount, tokenRequest } from "./service-account.ts";

const BASE_URL = "https://dns.googleapis.com/dns/v1/projects";

const nextPageToken = optional(text, null);
const zonePage = object({
  managedZones: optional(
    list(
      object({
        name: text,
        dnsName: text,
        nameServers: optional(list(text), []),
        visibility: optional(text, "public"),
      }),
    ),
    [],
  ),
  nextPageToken,
});
const set = object({
  name: text,
  type: text,
  ttl: optional(number, 0),
  rrdatas: optional(list(text), []),
  routingPolicy: optional(anything, null),
});
type Set = ReturnType<typeof set>;
const setPage = object({ rrsets: optional(list(set), []), nextPageToken });

/** A deletion must repeat the set as it is stored. */
interface Raw {
  readonly value: string;
  readonly ttl: number;
}

export const googleCloudDns = defineProvider(manifest, (credentials, { http, now }) => {
  const account = readServiceAccount(credentials["service_account_json"] ?? "");
  const project = credentials["project_id"] ?? account.projectId;
  if (project === "")
    throw new ProviderError("auth", "The key file names no project; give its ID.");
  const tokens = tokenSource(http, now, (at) => tokenRequest(account, at));
  const api = jsonApi(http, {
    baseUrl: `${BASE_URL}/${encodeURIComponent(project)}`,
    headers: {},
    explain,
    authorize: (_request, signal) => tokens.headers(signal),
  });
  const zonePath = (zone: Zone) => `/managedZones/${encodeURIComponent(zone.id)}`;
  const pageQuery = (pageToken: string | null) => ({
    maxResults: 1_000,
    ...(pageToken === null ? {} : { pageToken }),
  });

  const readRows = async (zone: Zone, signal: AbortSignal): Promise<readonly Row<Raw>[]> => {
    const sets = await allPages(async (token: string | null) => {
      const call = { path: `${zonePath(zone)}/rrsets`, query: pageQuery(token) };
      const answer = await api.read(call, setPage, signal);
      return { items: answer.rrsets, next: answer.nextPageToken };
    });
    return sets.flatMap((one) => toRows(one, zone.name));
  };

  return {
    async listZones(signal) {
      const zones = await allPages(async (token: string | null) => {
        const call = { path: "/managedZones", query: pageQuery(token) };
        const answer = await api.read(call, zonePage, signal);
        return { items: answer.managedZones, next: answer.nextPageToken };
      });
      return zones
        .filter(({ visibility }) => visibility === "public")
        .map(({ name: id, dnsName, nameServers }) => ({
          id,
          name: bare(dnsName),
          nameservers: nameServers.map(bare),
        }));
    },
    async listRecords(zone, signal) {
      return listingOf(await readRows(zone, signal));
    },
    async apply(zone, plan, signal) {
      const edits = setEdits(plan, await readRows(zone, signal), manifest.minimumTtlSeconds);
      if (edits.length === 0) return;
      const deletions = edits.flatMap(({ name, type, before }) => {
        const ttl = before[0]?.raw.ttl;
        const rrdatas = before.map(({ raw }) => raw.value);
        return ttl === undefined ? [] : [{ name: absoluteTarget(name), type, ttl, rrdatas }];
      });
      const additions = edits.flatMap(({ name, type, ttl, keep, add }) => {
        const rrdatas = [...keep.map(({ raw }) => raw.value), ...add.map(presentData)];
        return rrdatas.length === 0 ? [] : [{ name: absoluteTarget(name), type, ttl, rrdatas }];
      });
      // One change is one transaction; it fails when a set is no longer as it was read.
      const call = { method: "POST", path: `${zonePath(zone)}/changes` } as const;
      await api.write({ ...call, body: { additions, deletions } }, signal);
    },
  };
});

function bare(name: string): string {
  return name.replace(/\.$/, "");
}

function toRows(
  { name, type, ttl, rrdatas, routingPolicy }: Set,
  zone: string,
): readonly Row<Raw>[] {
  const isSteered = routingPolicy !== null;
  const lockedBecause = isSteered ? "it is part of a routing policy" : null;
  return (isSteered ? [""] : rrdatas).map((value) => {
    const data = parseData(type, value, null);
    const record = {
      name: bare(name),
      type,
      ttl,
      value: data?.value ?? null,
      priority: data?.priority ?? null,
    };
    return readRow({ id: "", raw: { value, ttl }, zone, record, lockedBecause });
  });
}

const explain: Explain = (answer) => {
  const body = jsonOrNull(answer);
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : null;
  if (error === null) return null;
  const message = String(error["message"] ?? "");
  const details = Array.isArray(error["errors"]) ? error["errors"] : [];
  const first: unknown = details[0];
  const reason = isObject(first) ? String(first["reason"] ?? "") : "";
  if (/^(?:rateLimitExceeded|quotaExceeded|userRateLimitExceeded)$/.test(reason)) {
    return { kind: "rate_limited", message };
  }
  return reason === "cnameResourceRecordSetConflict" ? { kind: "conflict", message } : { message };
};
