/** What a DNS provider says about Domain Connect for one zone (draft-ietf-dconn-domainconnect §6). */
export interface DomainConnectSettings {
  /** The provider's own identifier; some leave it out, and nothing we build needs it. */
  readonly providerId: string | null;
  /** The name to show to a person. */
  readonly providerName: string;
  /** Prefixes without trailing slash, to which `/v2/…` is appended; null where the flow is not offered. */
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

const MAX_TEXT = 2_048;
const MAX_NAME = 200;
const DEFAULT_SIZE = 750;

/** Properties that `crit` may list: those that are understood here. */
const KNOWN_PROPERTIES: ReadonlySet<string> = new Set([
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
export function parseSettings(body: string, domain: string): DomainConnectSettings | null {
  const given = parseObject(body);
  if (given === null || hasUnknownCritical(given["crit"])) return null;
  const providerName = text(given["providerDisplayName"]) ?? text(given["providerName"]);
  const urlAPI = prefix(given["urlAPI"]);
  const urlSyncUX = optionalPrefix(given["urlSyncUX"]);
  const urlAsyncUX = optionalPrefix(given["urlAsyncUX"]);
  if (providerName === null || urlAPI === null) return null;
  if (urlSyncUX === undefined || urlAsyncUX === undefined) return null;
  return {
    providerId: text(given["providerId"]),
    providerName,
    urlSyncUX,
    urlAsyncUX,
    urlAPI,
    width: size(given["width"]),
    height: size(given["height"]),
    urlControlPanel: controlPanel(given["urlControlPanel"], domain),
    nameServers: nameServers(given["nameServers"]),
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
  return !(Array.isArray(crit) && crit.every((name) => KNOWN_PROPERTIES.has(String(name))));
}

/** A line that can be shown to a person: no control or direction-changing characters. */
function text(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = value.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  return line === "" || line.length > MAX_NAME ? null : line;
}

/** Undefined when something is there that is no prefix: then the whole answer is not to be trusted. */
function optionalPrefix(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === "") return null;
  return prefix(value) ?? undefined;
}

/** An https URL without query and fragment, free of the trailing slashes that some send. */
function prefix(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_TEXT || /[\s\\?#@]/.test(value)) return null;
  if (!URL.canParse(value) || new URL(value).protocol !== "https:") return null;
  return value.replace(/\/+$/, "");
}

function controlPanel(value: unknown, domain: string): string | null {
  if (typeof value !== "string" || value.length > MAX_TEXT) return null;
  const filled = value.replaceAll("%domain%", encodeURIComponent(domain));
  return URL.canParse(filled) && new URL(filled).protocol === "https:" ? filled : null;
}

/** Numbers come as numbers or as text; anything that no window could have is the default. */
function size(value: unknown): number {
  const pixels = typeof value === "number" || typeof value === "string" ? Number(value) : 0;
  return Number.isInteger(pixels) && pixels >= 100 && pixels <= 4_000 ? pixels : DEFAULT_SIZE;
}

function nameServers(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const hosts = value.filter((host) => typeof host === "string" && host.length <= 255);
  return hosts.slice(0, 32).map((host) => String(host).toLowerCase().replace(/\.$/, ""));
}
