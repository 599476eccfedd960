import { foreignLine } from "../foreign-text.ts";
import { ProviderError } from "../providers/adapter/errors.ts";
import { createProviderHttp, type Explain, type Fetch } from "../providers/adapter/http.ts";
import {
  decodeJson,
  isObject,
  jsonOrNull,
  number,
  object,
  optional,
  text,
} from "../providers/adapter/json.ts";
import { isIdentifier, percentEncode, plainQuery, requireVariables } from "./parameters.ts";
import type { TemplateIdentity } from "./template.ts";

/**
 * The client registration at a DNS provider. `urlAPI` is the one stored at registration: a hostile
 * zone may name another in its settings, which would then receive our secret.
 */
export interface AsyncClient {
  readonly urlAPI: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Must refuse internal addresses. */
  readonly fetch: Fetch;
}

/** The customer's consent; a secret, to be stored sealed. */
export interface AsyncGrant {
  readonly accessToken: string;
  /** Null when the provider gives none: the customer must then consent again. */
  readonly refreshToken: string | null;
  readonly expiresInSeconds: number;
}

export interface AsyncTarget {
  readonly template: TemplateIdentity;
  readonly domain: string;
  /** Empty for the apex. */
  readonly host: string;
  readonly accessToken: string;
}

export interface AsyncApply extends AsyncTarget {
  readonly variables: Readonly<Record<string, string>>;
  readonly groupIds?: readonly string[];
  /** Replace conflicting records. */
  readonly force: boolean;
}

export type AsyncApplied =
  | { readonly outcome: "applied" }
  | { readonly outcome: "conflict"; readonly records: readonly TemplateConflict[] };

const requestTimeoutMs = 10_000;
const maxBodyBytes = 64 * 1024;
const maxTokenLength = 8_192;
/** RFC 6749 §5.1: the lifetime is optional in the answer. */
const defaultLifetimeSeconds = 3_600;

export interface ConsentRequest {
  readonly urlAsyncUX: string;
  readonly providerId: string;
  /** The services that consent is asked for; their identifiers are the scope. */
  readonly serviceIds: readonly string[];
  readonly clientId: string;
  readonly domain: string;
  readonly host: string;
  readonly redirectUri: string;
  readonly state: string;
  /** Given so that the provider can show conflicts while it asks. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The page where the customer allows us to apply templates to their zone later. */
export function consentUrl(request: ConsentRequest): string {
  if (request.serviceIds.length === 0 || !request.serviceIds.every(isIdentifier)) {
    throw new RangeError("consent is asked for services, by their identifiers");
  }
  const query = plainQuery([
    ["domain", request.domain],
    ["host", request.host],
    ["client_id", request.clientId],
    ["redirect_uri", request.redirectUri],
    ["response_type", "code"],
    ["scope", request.serviceIds.join(" ")],
    ["state", request.state],
    ...requireVariables(request.variables),
  ]);
  return `${request.urlAsyncUX}/v2/domainTemplates/providers/${percentEncode(request.providerId)}?${query}`;
}

/** Exchanges the returned code for a grant. A code works once, so the request is never retried. */
export function exchangeCode(
  client: AsyncClient,
  input: { readonly code: string; readonly redirectUri: string },
  signal: AbortSignal,
): Promise<AsyncGrant> {
  const fields = { grant_type: "authorization_code", code: input.code };
  return requestGrant(client, { ...fields, redirect_uri: input.redirectUri }, [input.code], signal);
}

/** A new access token. Without a new refresh token in the answer the old one stays valid. */
export async function refreshGrant(
  client: AsyncClient,
  input: { readonly refreshToken: string; readonly redirectUri: string },
  signal: AbortSignal,
): Promise<AsyncGrant> {
  const { refreshToken, redirectUri } = input;
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
  const body = { ...fields, redirect_uri: redirectUri };
  const grant = await requestGrant(client, body, [refreshToken], signal);
  return { ...grant, refreshToken: grant.refreshToken ?? refreshToken };
}

const grantAnswer = object({
  access_token: text,
  token_type: optional(text, "bearer"),
  expires_in: optional(number, defaultLifetimeSeconds),
  refresh_token: optional(text, null),
});

async function requestGrant(
  client: AsyncClient,
  fields: Readonly<Record<string, string>>,
  secrets: readonly string[],
  signal: AbortSignal,
): Promise<AsyncGrant> {
  const { urlAPI, clientId, clientSecret } = client;
  const body = { ...fields, client_id: clientId, client_secret: clientSecret };
  const request = {
    method: "POST",
    url: `${urlAPI}/v2/oauth/access_token`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    idempotent: false,
  } as const;
  const http = open(client, secrets);
  const granted = decodeJson(await http.send(request, signal, explainGrant), grantAnswer);
  const tokens = [granted.access_token, granted.refresh_token ?? "unused"];
  const isUsable = tokens.every(
    (token) => /^[\x21-\x7e]+$/.test(token) && token.length <= maxTokenLength,
  );
  if (!isUsable || granted.token_type.toLowerCase() !== "bearer") {
    throw new ProviderError("unavailable", "The provider's grant cannot be used.");
  }
  return {
    accessToken: granted.access_token,
    refreshToken: granted.refresh_token,
    expiresInSeconds: Math.max(0, Math.floor(granted.expires_in)),
  };
}

/** Applies the template; with `force` there are no conflicts. */
export async function applyAsync(
  client: AsyncClient,
  request: AsyncApply,
  signal: AbortSignal,
): Promise<AsyncApplied> {
  const { groupIds = [], force } = request;
  const query = plainQuery([
    ["domain", request.domain],
    ...(request.host === "" ? [] : ([["host", request.host]] as const)),
    ...(groupIds.length === 0 ? [] : ([["groupId", groupIds.join(",")]] as const)),
    ["force", force ? "1" : "0"],
    ...requireVariables(request.variables),
  ]);
  let conflicts: readonly TemplateConflict[] | null = null;
  const explain: Explain = (answer) => {
    if (answer.status === 409) conflicts = readConflicts(jsonOrNull(answer));
    return null;
  };
  try {
    await post(client, request, `apply?${query}`, signal, explain);
    return { outcome: "applied" };
  } catch (error) {
    if (conflicts === null || !(error instanceof ProviderError)) throw error;
    return { outcome: "conflict", records: conflicts };
  }
}

/** Removes the template's records. A template that is not applied counts as removed. */
export async function revertAsync(
  client: AsyncClient,
  request: AsyncTarget,
  signal: AbortSignal,
): Promise<{ readonly outcome: "reverted" | "not_applied" }> {
  const query = plainQuery([
    ["domain", request.domain],
    ...(request.host === "" ? [] : ([["host", request.host]] as const)),
  ]);
  let isNotApplied = false;
  const explain: Explain = ({ status }) => {
    isNotApplied = status === 404 || status === 410;
    return status === 501 ? { kind: "unsupported" } : null;
  };
  try {
    await post(client, request, `revert?${query}`, signal, explain);
    return { outcome: "reverted" };
  } catch (error) {
    if (!isNotApplied) throw error;
    return { outcome: "not_applied" };
  }
}

async function post(
  client: AsyncClient,
  target: AsyncTarget,
  call: string,
  signal: AbortSignal,
  explain: Explain,
): Promise<void> {
  const { providerId, serviceId } = target.template;
  const base = `${client.urlAPI}/v2/domainTemplates/providers/${percentEncode(providerId)}/services/${percentEncode(serviceId)}`;
  const headers = { authorization: `Bearer ${target.accessToken}` };
  // Applying twice is applying once; a second revert is recognised by its status.
  const request = { method: "POST", url: `${base}/${call}`, headers, idempotent: true } as const;
  await open(client, [target.accessToken]).send(request, signal, explain);
}

function open(client: AsyncClient, secrets: readonly string[]) {
  return createProviderHttp({
    fetch: client.fetch,
    secrets: [client.clientSecret, ...secrets],
    timeoutMs: requestTimeoutMs,
    maxBodyBytes: maxBodyBytes,
  });
}

/** RFC 6749 §5.2: a refused grant is status 400 or 401. Its message may quote the request. */
const explainGrant: Explain = ({ status }) => (status === 400 ? { kind: "auth" } : null);

/** A record that conflicts with a template, as the provider reports it. */
interface TemplateConflict {
  readonly type: string;
  readonly host: string;
  readonly data: string;
}

const maxConflicts = 100;
const maxConflictFieldLength = 300;

/**
 * The records in the body of a refused apply; untrusted, so cut to a length and freed of control
 * characters.
 */
function readConflicts(body: unknown): readonly TemplateConflict[] {
  const records = isObject(body) ? body["records"] : null;
  if (!Array.isArray(records)) return [];
  return records
    .filter(isObject)
    .slice(0, maxConflicts)
    .map((record) => ({
      type: line(record["type"]),
      host: line(record["host"]),
      data: line(record["data"] ?? record["pointsTo"]),
    }));
}

function line(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  return foreignLine(String(value), maxConflictFieldLength);
}
