import type { Resolver } from "../resolve/resolver.ts";
import type { TemplateIdentity } from "./template.ts";

/**
 * Why Domain Connect is not offered. `dns_failure` and `settings_unavailable` may pass; the others
 * are what the zone or the provider says.
 */
export type DomainConnectRefusal =
  | "no_record"
  | "invalid_record"
  | "dns_failure"
  | "zone_not_found"
  | "settings_unavailable"
  | "settings_invalid";

export type DomainConnectDiscovery =
  | ({ readonly offered: true } & DomainConnectSettings)
  | { readonly offered: false; readonly reason: DomainConnectRefusal };

export interface DiscoveryOptions {
  readonly resolver: Resolver;
  /** Must refuse addresses inside our own network: the zone's owner chooses the host. */
  readonly fetch: Get;
  readonly signal: AbortSignal;
}

/** A zone with several records is misconfigured or changing; only this many are tried. */
const maxRecords = 3;
const maxPrefixLength = 509;

/**
 * Whether the zone's provider offers Domain Connect for it: the `_domainconnect` TXT names the API,
 * whose settings call speaks for this zone. Rejects only when aborted.
 */
export async function discoverDomainConnect(
  zone: string,
  options: DiscoveryOptions,
): Promise<DomainConnectDiscovery> {
  const reply = await options.resolver.resolve(`_domainconnect.${zone}`, "TXT", options.signal);
  if (reply.outcome === "failed") return refused("dns_failure");
  if (reply.outcome === "absent") return refused("no_record");
  const prefixes = reply.records
    .filter(({ type }) => type === "TXT")
    .map(({ value }) => value.trim().replace(/\/+$/, ""))
    .filter(isApiPrefix);
  let last: DomainConnectDiscovery = refused("invalid_record");
  for (const prefix of [...new Set(prefixes)].slice(0, maxRecords)) {
    last = await readSettings(prefix, zone, options);
    if (last.offered) return last;
  }
  return last;
}

async function readSettings(
  prefix: string,
  zone: string,
  options: DiscoveryOptions,
): Promise<DomainConnectDiscovery> {
  const answer = await get(
    options.fetch,
    `https://${prefix}/v2/${encodeURIComponent(zone)}/settings`,
    options.signal,
  );
  if (answer === null) return refused("settings_unavailable");
  if (answer.status === 404) return refused("zone_not_found");
  if (answer.status < 200 || answer.status > 299) return refused("settings_unavailable");
  const settings = parseSettings(answer.body, zone);
  return settings === null ? refused("settings_invalid") : { offered: true, ...settings };
}

function refused(reason: DomainConnectRefusal): DomainConnectDiscovery {
  return { offered: false, reason };
}

/**
 * A public host name with an optional path, and nothing that a URL could read as anything else. A
 * wildcard TXT answers for this name too, so the value may be any text.
 */
function isApiPrefix(value: string): boolean {
  if (value.length > maxPrefixLength || value.includes("..")) return false;
  const host =
    /^((?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9])(?::\d{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/;
  return host.test(value) && URL.canParse(`https://${value}/v2`);
}

/**
 * What a DNS provider says about Domain Connect for one zone (draft-ietf-dconn-domainconnect §6).
 */
export interface DomainConnectSettings {
  /** The provider's own identifier; some leave it out, and nothing we build needs it. */
  readonly providerId: string | null;
  /** The name to show to a person. */
  readonly providerName: string;
  /**
   * Prefixes without trailing slash, to which `/v2/…` is appended; null where the flow is not
   * offered.
   */
  readonly urlSyncUX: string | null;
  readonly urlAsyncUX: string | null;
  readonly urlAPI: string;
  /** Size of the consent window. */
  readonly width: number;
  readonly height: number;
  /** Where the zone is edited by hand, for this domain. */
  readonly urlControlPanel: string | null;
  readonly nameServers: readonly string[];
}

const maxUrlLength = 2_048;
const maxTextLength = 200;
const defaultWindowSize = 750;

/** Properties that `crit` may list: those that are understood here. */
const knownProperties: ReadonlySet<string> = new Set([
  "providerId",
  "providerName",
  "providerDisplayName",
  "urlSyncUX",
  "urlAsyncUX",
  "urlAPI",
  "width",
  "height",
  "urlControlPanel",
  "nameServers",
  "crit",
]);

/** The settings in a body, or null when it is not what the protocol promises. */
function parseSettings(body: string, domain: string): DomainConnectSettings | null {
  const input = parseObject(body);
  if (input === null || hasUnknownCritical(input["crit"])) return null;
  const providerName = text(input["providerDisplayName"]) ?? text(input["providerName"]);
  const urlAPI = prefix(input["urlAPI"]);
  const urlSyncUX = optionalPrefix(input["urlSyncUX"]);
  const urlAsyncUX = optionalPrefix(input["urlAsyncUX"]);
  if (providerName === null || urlAPI === null) return null;
  if (urlSyncUX === undefined || urlAsyncUX === undefined) return null;
  return {
    providerId: text(input["providerId"]),
    providerName,
    urlSyncUX,
    urlAsyncUX,
    urlAPI,
    width: size(input["width"]),
    height: size(input["height"]),
    urlControlPanel: controlPanel(input["urlControlPanel"], domain),
    nameServers: nameServers(input["nameServers"]),
  };
}

function parseObject(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch {
    return null;
  }
}

function hasUnknownCritical(crit: unknown): boolean {
  if (crit === undefined || crit === null) return false;
  return !(Array.isArray(crit) && crit.every((name) => knownProperties.has(String(name))));
}

/** A line for display: no control or direction-changing characters. */
function text(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = value.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  return line === "" || line.length > maxTextLength ? null : line;
}

/**
 * Undefined when something is there that is no prefix: then the whole answer is not to be trusted.
 */
function optionalPrefix(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === "") return null;
  return prefix(value) ?? undefined;
}

/** An https URL without query and fragment, free of the trailing slashes that some send. */
function prefix(value: unknown): string | null {
  if (typeof value !== "string" || value.length > maxUrlLength || /[\s\\?#@]/.test(value))
    return null;
  if (!URL.canParse(value) || new URL(value).protocol !== "https:") return null;
  return value.replace(/\/+$/, "");
}

function controlPanel(value: unknown, domain: string): string | null {
  if (typeof value !== "string" || value.length > maxUrlLength) return null;
  const filled = value.replaceAll("%domain%", encodeURIComponent(domain));
  return URL.canParse(filled) && new URL(filled).protocol === "https:" ? filled : null;
}

/** Numbers come as numbers or as text; anything that no window could have is the default. */
function size(value: unknown): number {
  const pixels = typeof value === "number" || typeof value === "string" ? Number(value) : 0;
  return Number.isInteger(pixels) && pixels >= 100 && pixels <= 4_000 ? pixels : defaultWindowSize;
}

function nameServers(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const hosts = value.filter((host) => typeof host === "string" && host.length <= 255);
  return hosts.slice(0, 32).map((host) => String(host).toLowerCase().replace(/\.$/, ""));
}

export type TemplateSupport = "supported" | "unsupported" | "unknown";

/**
 * Whether a DNS provider has deployed the template. Any 2xx says so, whatever the body; 404 says
 * no; everything else says nothing.
 */
export async function templateSupport(
  urlAPI: string,
  template: TemplateIdentity,
  options: { readonly fetch: Get; readonly signal: AbortSignal },
): Promise<TemplateSupport> {
  const provider = encodeURIComponent(template.providerId);
  const service = encodeURIComponent(template.serviceId);
  const url = `${urlAPI}/v2/domainTemplates/providers/${provider}/services/${service}`;
  const answer = await get(options.fetch, url, options.signal);
  if (answer === null) return "unknown";
  if (answer.status >= 200 && answer.status <= 299) return "supported";
  return answer.status === 404 ? "unsupported" : "unknown";
}

/** The part of `fetch` that is used here; a guarded one is expected. */
export type Get = (
  url: string,
  init: {
    readonly signal: AbortSignal;
    readonly headers: Record<string, string>;
    readonly redirect: "manual";
  },
) => Promise<Response>;

interface GetAnswer {
  readonly status: number;
  readonly body: string;
}

const requestTimeoutMs = 5_000;
const maxBodyBytes = 64 * 1024;

/**
 * One GET without credentials, within 5 s and 64 KiB. Null when there was no usable answer; a
 * redirect is an answer like another. Rejects only when the caller's signal is aborted.
 */
async function get(fetch: Get, url: string, signal: AbortSignal): Promise<GetAnswer | null> {
  signal.throwIfAborted();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
  try {
    const headers = { accept: "application/json" };
    const response = await fetch(url, { signal: limit, headers, redirect: "manual" });
    const body = await readUpTo(response, maxBodyBytes);
    return body === null ? null : { status: response.status, body };
  } catch {
    // All failures of the remote server count alike; only the caller's abort differs.
    signal.throwIfAborted();
    return null;
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<string | null> {
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
