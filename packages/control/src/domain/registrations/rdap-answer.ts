import { foreignLine } from "@mooring/dns";
import type { RegistrationFacts } from "./registration.ts";

const maxStatuses = 32;
const maxRegistrarLength = 200;

/**
 * What a registry's answer (RFC 9083) says for certain about the domain; null when it is no answer
 * about it: broken JSON, another kind of object, another name. Only what stands directly in the
 * answer is read, so that its depth costs nothing.
 */
export function parseRdapAnswer(text: string, domain: string): RegistrationFacts | null {
  const answer = parseObject(text);
  if (answer === null || !isAbout(answer, domain)) return null;
  return {
    expiresAt: readExpiry(answer["events"]),
    status: readStatus(answer["status"]),
    registrar: readRegistrar(answer["entities"]),
  };
}

type Json = Readonly<Record<string, unknown>>;

function parseObject(text: string): Json | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // A registry's broken answer is no answer.
    return null;
  }
}

function asObject(value: unknown): Json | null {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Json) : null;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Some servers leave the class or the name out; one that names another object is not believed. */
function isAbout(answer: Json, domain: string): boolean {
  const { objectClassName, ldhName, unicodeName, errorCode } = answer;
  if (errorCode !== undefined) return false;
  if (objectClassName !== undefined && objectClassName !== "domain") return false;
  if (typeof ldhName === "string") return ldhName.toLowerCase().replace(/\.$/, "") === domain;
  return objectClassName === "domain" || unicodeName !== undefined;
}

/**
 * The end of the registration at the registry. `registrar expiration` is the registrar's own date,
 * which may be another. `Record expires` is what the registry of .kg writes (seen 2026-07). Answers
 * that name several days name none for certain.
 */
const expiryActions: ReadonlySet<string> = new Set([
  "expiration",
  "registry expiration",
  "record expires",
]);

const day = 86_400_000;

function readExpiry(events: unknown): Date | null {
  const times = asArray(events)
    .map(asObject)
    .filter((event) => expiryActions.has(normalize(event?.["eventAction"])))
    .map((event) => readTime(event?.["eventDate"]));
  const known = times.filter((time) => time !== null);
  const [first] = known.toSorted((one, other) => one - other);
  const last = Math.max(...known);
  if (first === undefined || known.length < times.length || last - first > day) return null;
  return new Date(first);
}

function normalize(value: unknown): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}

const timeForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/** Later ends stand for "never"; no registry sells more than ten years. */
const lastYear = 2150;

/** RFC 3339, also without a zone or a time, which then are UTC and the day's start. */
function readTime(value: unknown): number | null {
  const found = typeof value === "string" ? timeForm.exec(value.trim()) : null;
  if (found === null) return null;
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const isTime = hour < 24 && minute < 60 && second <= 60;
  if (!isTime || year < 1985 || year > lastYear || !isDate(year, month, date)) return null;
  const offset = offsetMs(found[7] ?? "Z");
  return offset === null ? null : Date.UTC(year, month - 1, date, hour, minute, second) - offset;
}

/** `Date.UTC` would take February 30 for March 2. */
function isDate(year: number, month: number, date: number): boolean {
  const at = new Date(Date.UTC(year, month - 1, date));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
}

function offsetMs(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const statusForm = /^[a-z][a-z0-9]{0,39}(?: [a-z0-9]{1,40}){0,4}$/i;

/** `client hold` (RFC 8056) and EPP's own `clientHold`, which some servers write, become one. */
function readStatus(value: unknown): string[] {
  const words = asArray(typeof value === "string" ? [value] : value)
    .filter((one) => typeof one === "string")
    .map((one) => one.trim())
    .filter((one) => statusForm.test(one))
    .map(toEppStatus);
  return [...new Set(words)].slice(0, maxStatuses);
}

function toEppStatus(text: string): string {
  const [first = "", ...others] = text.split(" ");
  if (others.length === 0) return first.charAt(0).toLowerCase() + first.slice(1);
  const capital = (word: string): string =>
    word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  return first.toLowerCase() + others.map(capital).join("");
}

/** By its name, else by a handle that is more than a number. */
function readRegistrar(entities: unknown): string | null {
  const registrar = asArray(entities)
    .map(asObject)
    .find((entity) => asArray([entity?.["roles"]].flat()).includes("registrar"));
  if (!registrar) return null;
  const { handle } = registrar;
  const named = readName(registrar["vcardArray"]);
  const name = named ?? (typeof handle === "string" && /\p{L}/u.test(handle) ? handle : "");
  const line = foreignLine(name, maxRegistrarLength);
  return line === "" ? null : line;
}

/** `fn` of a jCard (RFC 7095), else `org`. */
function readName(vcard: unknown): string | null {
  const properties = asArray(asArray(vcard)[1]).map(asArray);
  const texts = ["fn", "org"].map((name) => {
    const value = properties.find(([property]) => normalize(property) === name)?.[3];
    return typeof value === "string" && value.trim() !== "" ? value : null;
  });
  return texts.find((text) => text !== null) ?? null;
}
