import { isObject } from "./application-origins.ts";

/** Rules for the requests of an application's hosts, or of one that differs. */
export interface EdgeRules {
  readonly rateLimit: RateRule | null;
  /** Networks; null where everybody is served. */
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[] | null;
  readonly maintenance: Maintenance | null;
  readonly basicAuth: BasicAuth | null;
}

export interface RateRule {
  readonly requests: number;
  readonly perSeconds: number;
  readonly by: "visitor" | "host";
}

export interface Maintenance {
  /** In milliseconds; null until it is taken back. */
  readonly untilMs: number | null;
  /** Plain text; null for the usual one. */
  readonly page: string | null;
}

export interface BasicAuth {
  /** `scrypt$N$r$p$salt$hash` of `username:password`; nobody gets in by one that is malformed. */
  readonly hash: string;
}

/** Not to have a rule of its application; only a connection says that. */
const off = "off";

/**
 * The rules of the stored `edge` object of an application; null without any. A rule that restricts
 * access and is not understood, perhaps that of another release, lets nobody in.
 */
export function readRules(stored: Readonly<Record<string, unknown>>): EdgeRules | null {
  return ruledOrNull({
    rateLimit: readRateRule(stored["rate_limit"]),
    allow: readNetworks(stored["allow"]),
    deny: readNetworks(stored["deny"]),
    maintenance: readMaintenance(stored["maintenance"]),
    basicAuth: readBasicAuth(stored["basic_auth"]),
  });
}

/** The rules of an application under those that a connection stores itself. */
export function overrideRules(application: EdgeRules | null, own: unknown): EdgeRules | null {
  if (!isObject(own)) return application;
  const read = readRules(own);
  const choose = <T>(key: string, ofOwn: T | undefined, inherited: T | undefined): T | null =>
    (isSet(own[key]) ? ofOwn : inherited) ?? null;
  return ruledOrNull({
    rateLimit: choose("rate_limit", read?.rateLimit, application?.rateLimit),
    allow: choose("allow", read?.allow, application?.allow),
    deny: choose("deny", read?.deny, application?.deny),
    maintenance: choose("maintenance", read?.maintenance, application?.maintenance),
    basicAuth: choose("basic_auth", read?.basicAuth, application?.basicAuth),
  });
}

/** A host without rules costs one comparison. */
function ruledOrNull(rules: EdgeRules): EdgeRules | null {
  return Object.values(rules).every((rule) => rule === null) ? null : rules;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readRateRule(value: unknown): RateRule | null {
  if (!isObject(value)) return null;
  const { requests, per_s: perSeconds, by } = value;
  if (typeof requests !== "number" || typeof perSeconds !== "number") return null;
  if (!(requests > 0) || !(perSeconds > 0)) return null;
  return { requests, perSeconds, by: by === "host" ? "host" : "visitor" };
}

function readNetworks(value: unknown): readonly string[] | null {
  if (!isSet(value) || value === off) return null;
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function readMaintenance(value: unknown): Maintenance | null {
  if (!isObject(value)) return null;
  const { until, page } = value;
  const untilMs = typeof until === "string" ? Date.parse(until) : Number.NaN;
  return {
    untilMs: Number.isNaN(untilMs) ? null : untilMs,
    page: typeof page === "string" ? page : null,
  };
}

function readBasicAuth(value: unknown): BasicAuth | null {
  if (!isSet(value) || value === off) return null;
  const hash = isObject(value) ? value["hash"] : null;
  return { hash: typeof hash === "string" ? hash : "" };
}
