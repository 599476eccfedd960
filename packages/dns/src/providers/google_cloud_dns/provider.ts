import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { absoluteTarget, parseData, presentData } from "../../presentation.ts";
import type { Zone } from "../../zone.ts";
import type { Credentials } from "../adapter/contract.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Explain } from "../adapter/http.ts";
import {
  anything,
  isObject,
  jsonOrNull,
  list,
  number,
  object,
  optional,
  text,
} from "../adapter/json.ts";
import { allPages, jsonApi } from "../adapter/json-api.ts";
import { defineSetProvider } from "../adapter/record-provider.ts";
import { type Row, readRow, type SetEdit } from "../adapter/rows.ts";
import { type TokenRequest, type TokenSource, tokenSource } from "../adapter/session.ts";
import { manifest } from "./manifest.ts";
import { listProjects, ofProjects, resourceManagerUrl } from "./projects.ts";

const apiUrl = "https://dns.googleapis.com/dns/v1/projects";

const nextPageToken = optional(text, null);
const zonePage = object({
  managedZones: optional(
    list(
      object({
        name: text,
        dnsName: text,
        nameServers: optional(list(text), []),
        visibility: optional(text, "public"),
        dnssecConfig: optional(object({ state: optional(text, "off") }), { state: "off" }),
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

const noApexAlias =
  "The zone is signed with DNSSEC, and Google Cloud DNS has no ALIAS records in signed zones.";

/** A deletion must repeat the set as it is stored. */
interface Raw {
  readonly value: string;
  readonly ttl: number;
}

export const googleCloudDns = defineSetProvider<Raw>(manifest, (credentials, { http, now }) => {
  const { headers, project } = openAccess(credentials, (account) =>
    tokenSource(http, now, (at) => tokenRequest(account, at)),
  );
  const authorize = (_request: unknown, signal: AbortSignal) => headers(signal);
  const open = (baseUrl: string) => jsonApi(http, { baseUrl, headers: {}, explain, authorize });
  const api = open(apiUrl);
  const zonesPath = (id: string) => `/${encodeURIComponent(id)}/managedZones`;
  const zonePath = ({ id }: Zone) => {
    const [name = "", where = project ?? ""] = id.split("/").reverse();
    return `${zonesPath(where)}/${encodeURIComponent(name)}`;
  };
  const pageQuery = (pageToken: string | null) => ({
    maxResults: 1_000,
    ...(pageToken === null ? {} : { pageToken }),
  });

  const readZones = async (id: string, signal: AbortSignal): Promise<readonly Zone[]> => {
    const zones = await allPages(async (token: string | null) => {
      const call = { path: zonesPath(id), query: pageQuery(token) };
      const answer = await api.read(call, zonePage, signal);
      return { items: answer.managedZones, next: answer.nextPageToken };
    });
    return zones
      .filter(({ visibility }) => visibility === "public")
      .map(({ name, dnsName, nameServers, dnssecConfig }) => ({
        id: project === null ? `${id}/${name}` : name,
        name: bare(dnsName),
        nameservers: nameServers.map(bare),
        ...(dnssecConfig.state === "off" ? {} : { limits: { noApexAlias } }),
      }));
  };

  return {
    async listZones(signal) {
      if (project !== null) return readZones(project, signal);
      const projects = await listProjects(open(resourceManagerUrl), signal);
      return ofProjects(projects, (id) => readZones(id, signal));
    },
    async readRows(zone, signal) {
      const sets = await allPages(async (token: string | null) => {
        const call = { path: `${zonePath(zone)}/rrsets`, query: pageQuery(token) };
        const answer = await api.read(call, setPage, signal);
        return { items: answer.rrsets, next: answer.nextPageToken };
      });
      return sets.flatMap((one) => toRows(one, zone.name));
    },
    async writeSets(zone, edits, signal) {
      if (zone.limits?.noApexAlias !== undefined && edits.some(addsAlias)) {
        throw new ProviderError("unsupported", zone.limits.noApexAlias);
      }
      const deletions = edits.flatMap(({ name, type, before }) => {
        const ttl = before[0]?.raw.ttl;
        const rrdatas = before.map(({ raw }) => raw.value);
        return ttl === undefined ? [] : [{ name: absoluteTarget(name), type, ttl, rrdatas }];
      });
      const additions = edits.flatMap(({ name, type, ttl, retain, add }) => {
        const rrdatas = [...retain.map(({ raw }) => raw.value), ...add.map(presentData)];
        return rrdatas.length === 0 ? [] : [{ name: absoluteTarget(name), type, ttl, rrdatas }];
      });
      // One change is one transaction; it fails when a set is no longer as it was read.
      const call = { method: "POST", path: `${zonePath(zone)}/changes` } as const;
      await api.write({ ...call, body: { additions, deletions } }, signal);
    },
  };
});

interface Access {
  readonly headers: TokenSource["headers"];
  /** Null for a person's sign-in, which may see several. */
  readonly project: string | null;
}

function openAccess(
  credentials: Credentials,
  createTokens: (account: ServiceAccount) => TokenSource,
): Access {
  const token = credentials["access_token"];
  if (token !== undefined) {
    return { headers: async () => ({ authorization: `Bearer ${token}` }), project: null };
  }
  const account = readServiceAccount(credentials["service_account_json"] ?? "");
  const project = credentials["project_id"] ?? account.projectId;
  if (project === "")
    throw new ProviderError("auth", "The key file names no project; give its ID.");
  return { headers: createTokens(account).headers, project };
}

function addsAlias({ type, add }: SetEdit<Raw>): boolean {
  return type === "ALIAS" && add.length > 0;
}

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
    return readRow({ id: null, raw: { value, ttl }, zone, record, lockedBecause });
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

const oauthScope = "https://www.googleapis.com/auth/ndev.clouddns.readwrite";
const lifetimeSeconds = 3_600;

export interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
  readonly keyId: string;
  readonly tokenUrl: string;
  readonly projectId: string;
}

const file = object({
  type: text,
  client_email: text,
  private_key: text,
  private_key_id: optional(text, ""),
  token_uri: optional(text, "https://oauth2.googleapis.com/token"),
  project_id: optional(text, ""),
});

/** Reads the key file as it was pasted. Nothing of it enters a message. */
export function readServiceAccount(pasted: string): ServiceAccount {
  try {
    const parsed = file(JSON.parse(pasted), "");
    const url = new URL(parsed.token_uri);
    // The file names where its token comes from; it must not send us anywhere else.
    const isGoogle = url.protocol === "https:" && /(?:^|\.)googleapis\.com$/.test(url.hostname);
    if (parsed.type !== "service_account" || !isGoogle) throw new Error("not a service account");
    return {
      email: parsed.client_email,
      key: createPrivateKey(parsed.private_key),
      keyId: parsed.private_key_id,
      tokenUrl: url.href,
      projectId: parsed.project_id,
    };
  } catch {
    throw new ProviderError(
      "auth",
      "The service account key is not a complete JSON key file from Google.",
    );
  }
}

/** RFC 7523 §2.1: a signed statement in exchange for a token. */
export function assertion(account: ServiceAccount, at: Date): string {
  const issuedAt = Math.floor(at.getTime() / 1_000);
  const header = {
    alg: "RS256",
    typ: "JWT",
    ...(account.keyId === "" ? {} : { kid: account.keyId }),
  };
  const claims = {
    iss: account.email,
    scope: oauthScope,
    aud: account.tokenUrl,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  };
  const content = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("RSA-SHA256", Buffer.from(content), account.key).toString("base64url");
  return `${content}.${signature}`;
}

function tokenRequest(account: ServiceAccount, at: Date): TokenRequest {
  return {
    url: account.tokenUrl,
    form: {
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: assertion(account, at),
    },
  };
}
