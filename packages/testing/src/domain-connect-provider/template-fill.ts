import { isPrintableAscii } from "../../../dns/src/domain-connect/parameters.ts";
import {
  type DomainConnectRecord,
  type DomainConnectTemplate,
  type TemplateNumber,
  templateVariable,
} from "../../../dns/src/domain-connect/template.ts";
import { isAtOrBelow, normalizeName } from "../../../dns/src/name.ts";
import { type DnsRecord, parseRecord } from "../../../dns/src/record.ts";

/** What an apply brings: the name it is for, and the values that fill the template. */
export interface TemplateParameters {
  /** The zone's apex. */
  readonly domain: string;
  /** The labels left of it; empty for the apex. */
  readonly host: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Only the records of these groups, and those without group; none means all. */
  readonly groupIds?: readonly string[];
}

/** A filled record. SPF rules become a record only beside what the zone already has. */
export type FilledRecord =
  | {
      readonly kind: "record";
      readonly record: DnsRecord;
      /** Which TXT records at the name make way: none, all of them, or those that start so. */
      readonly txtRivals: "none" | "all" | { readonly prefix: string };
    }
  | { readonly kind: "spf"; readonly name: string; readonly rules: readonly string[] };

/** For an SPF record where the zone has none yet; the template has no field for it. */
export const spfTtlSeconds = 3_600;

/**
 * Throws TemplateError when anything in it cannot be filled in: an apply is whole or not at all.
 */
export function fillTemplate(
  template: DomainConnectTemplate,
  parameters: TemplateParameters,
): readonly FilledRecord[] {
  const { domain, host, groupIds = [] } = parameters;
  if (template.hostRequired === true && host === "") {
    throw new TemplateError("the template is for subdomains only");
  }
  const active = template.records.filter(
    ({ groupId }) => groupIds.length === 0 || groupId === undefined || groupIds.includes(groupId),
  );
  const named = new Set(active.map(({ groupId }) => groupId));
  if (active.length === 0 || !groupIds.every((groupId) => named.has(groupId))) {
    throw new TemplateError("the template has no records in a group that was asked for");
  }
  const values = templateValues(parameters);
  return active.map((record) => {
    const filled = fillRecord(record, { domain, host }, values);
    const name = filled.kind === "spf" ? filled.name : filled.record.name;
    if (isAtOrBelow(name, domain)) return filled;
    throw new TemplateError(`${name} lies outside the zone`);
  });
}

function templateValues({
  domain,
  host,
  variables,
}: TemplateParameters): ReadonlyMap<string, string> {
  const bad = Object.entries(variables).find(([, value]) => !isPrintableAscii(value));
  if (bad !== undefined) throw new TemplateError(`the variable ${bad[0]} is not printable ASCII`);
  return new Map([
    ...Object.entries(variables),
    ["domain", domain],
    ["host", host],
    ["fqdn", host === "" ? domain : `${host}.${domain}`],
  ]);
}

/**
 * The absolute owner name of a record, without the trailing dot: `@` or nothing is the name that
 * the template is applied to, a trailing dot makes it absolute, anything else stands below that
 * name.
 */
export function ownerName(
  field: string,
  at: { readonly domain: string; readonly host: string },
  values: ReadonlyMap<string, string>,
): string {
  const fqdn = at.host === "" ? at.domain : `${at.host}.${at.domain}`;
  const filled = substitute(field, values);
  const name =
    filled === "@" || filled === ""
      ? fqdn
      : filled.endsWith(".")
        ? filled.slice(0, -1)
        : `${filled}.${fqdn}`;
  const canonical = normalizeName(name);
  if (canonical === null) throw new TemplateError(`${name} is no name`);
  return canonical;
}

function fillRecord(
  record: DomainConnectRecord,
  at: { readonly domain: string; readonly host: string },
  values: ReadonlyMap<string, string>,
): FilledRecord {
  const type = record.type.toUpperCase();
  const fill = (field: string | undefined): string => substitute(required(field, type), values);
  if (type === "SPFM") {
    const rules = fill(record.spfRules).trim().split(/\s+/);
    return { kind: "spf", name: ownerName(record.host ?? "@", at, values), rules };
  }
  const target = (field: string | undefined): string =>
    field === "@" ? fill("%fqdn%") : fill(field).replace(/(.)\.$/, "$1");
  const number = (field: TemplateNumber | undefined): number => wholeNumber(fill(toText(field)));
  const parsed = parseRecord({
    name: ownerName(ownerField(record, type), at, values),
    type,
    value: valueFrom(record, type, { fill, target, number }),
    ttl: number(record.ttl),
    priority: type === "MX" || type === "SRV" ? number(record.priority) : null,
  });
  if (!parsed.ok) throw new TemplateError(`${type}: ${parsed.message}`);
  const txtRivals = type === "TXT" ? readRivals(record) : "none";
  return { kind: "record", record: parsed.record, txtRivals };
}

function valueFrom(
  record: DomainConnectRecord,
  type: string,
  {
    fill,
    target,
    number,
  }: {
    readonly fill: (field: string | undefined) => string;
    readonly target: (field: string | undefined) => string;
    readonly number: (field: TemplateNumber | undefined) => number;
  },
): string {
  switch (type) {
    case "A":
    case "AAAA":
      return fill(record.pointsTo);
    case "CNAME":
    case "NS":
    case "MX":
      return target(record.pointsTo);
    case "SRV":
      return `${number(record.weight)} ${number(record.port)} ${target(record.target)}`;
    case "TXT":
    case "CAA":
      return fill(record.data);
    default:
      throw new TemplateError(`records of type ${type} are not supported`);
  }
}

function ownerField(record: DomainConnectRecord, type: string): string {
  if (type !== "SRV") return required(record.host, type);
  const { name = "@" } = record;
  const labels = `${required(record.service, type)}.${required(record.protocol, type)}`;
  return name === "@" || name === "" ? labels : `${labels}.${name}`;
}

function readRivals(record: DomainConnectRecord): "none" | "all" | { readonly prefix: string } {
  switch (record.txtConflictMatchingMode ?? "None") {
    case "None":
      return "none";
    case "All":
      return "all";
    case "Prefix":
      return { prefix: required(record.txtConflictMatchingPrefix, "TXT") };
    default:
      throw new TemplateError("the TXT conflict mode is None, All or Prefix");
  }
}

function required(field: string | undefined, type: string): string {
  if (field === undefined) throw new TemplateError(`a ${type} record lacks a field`);
  return field;
}

function toText(field: TemplateNumber | undefined): string | undefined {
  return field === undefined ? undefined : String(field);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new TemplateError(`${text} is not a whole number`);
  return Number(text);
}

/** Raised while a template is filled in; the whole apply fails then, and the message says why. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/**
 * Fills in the variables in one pass: text that a value brings is not expanded again. Throws
 * TemplateError for a variable without value. Names are case-sensitive.
 */
export function substitute(field: string, values: ReadonlyMap<string, string>): string {
  return field.replace(templateVariable, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new TemplateError(`the variable ${name} has no value`);
    return value;
  });
}
