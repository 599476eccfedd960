import {
  type DnsRecord,
  type ParsedRecord,
  type ProviderManifest,
  parseRecord,
  recordKey,
} from "@mooring/dns";
import type { TemplateRecord } from "../applications/application.ts";
import type { ValidationAlias } from "../certificates/validation.ts";
import type { DesiredRecord } from "../connections/connection.ts";
import { type Issue, invalid } from "../errors.ts";
import { isTargetName } from "../ownership/target.ts";
import {
  defaultTtlSeconds,
  type RenderedRecord,
  renderRecord,
  type TemplateValues,
} from "./record-template.ts";

/** The parts of the connected name that its records depend on. */
export interface ConnectedName {
  readonly hostname: string;
  /** The registrable domain. */
  readonly apex: string;
  /** The labels left of the apex; empty for the apex itself. */
  readonly subdomain: string;
  readonly kind: "apex" | "subdomain";
  readonly connectionId: string;
  /** The zone that holds the name, when known: the apex of a zone cannot have a CNAME. */
  readonly zone?: string | null;
  /** The CNAME that delegates validation; null where validation is not delegated. */
  readonly validation?: ValidationAlias | null;
  /** The certificate is obtained before the name resolves to us. */
  readonly isCuttingOver?: boolean;
  /** Nothing else that its application allows can prove ownership. */
  readonly isProvenByDelegation?: boolean;
}

/** Where connected names point to. */
export interface EdgeTarget {
  readonly cname: string;
  /** The connection's own name; absent where all share the edge's. */
  readonly target?: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/**
 * The records that a connection needs, in canonical form and each once: from the application's
 * template, or by default those that point the name to the edge at this provider. Throws `invalid`
 * when the template gives an invalid record for this name.
 */
export function desiredRecords(
  template: readonly TemplateRecord[],
  name: ConnectedName,
  edge: EdgeTarget,
  manifest: ProviderManifest | null,
): DesiredRecord[] {
  const values = {
    ...name,
    edgeCname: edge.cname,
    target: edge.target ?? edge.cname,
    edgeIpv4: edge.ipv4,
    edgeIpv6: edge.ipv6,
    validationName: name.validation?.target ?? null,
  };
  const leading = isLeading(template, values)
    ? template
    : [...template, ...defaultTemplate(name, edge, manifest)];
  const requested = [...leading, ...delegating(name)];
  const tried = requested.flatMap((record, index) =>
    renderRecord(record, values).map((rendered) => ({ index, parsed: parse(rendered, manifest) })),
  );
  const issues = tried.flatMap(({ index, parsed }) => [
    ...recordIssues(index, name.hostname, parsed),
    ...foreignTarget(index, edge, parsed),
  ]);
  if (issues.length > 0) throw invalid(issues);
  const records = tried.flatMap(({ parsed }) => (parsed.ok ? [parsed.record] : []));
  const once = new Map(records.map((record) => [recordKey(record), toDesired(record)]));
  return [...once.values()];
}

/**
 * False for an empty template, and for one whose addresses the edge does not have: the hostname
 * would resolve to nothing. A template without any of them resolves to what it says.
 */
function isLeading(template: readonly TemplateRecord[], values: TemplateValues): boolean {
  const rendered = template.map((record) => ({ record, records: renderRecord(record, values) }));
  const isEmptied = rendered.some(
    ({ record, records }) => isTrafficType(record.type) && records.length === 0,
  );
  if (!isEmptied) return template.length > 0;
  return rendered.some(({ records }) =>
    records.some(({ host, type }) => host === values.hostname && isTrafficType(type)),
  );
}

/** Whether a record of this type decides where visitors of its name go. */
export function isTrafficType(type: string): boolean {
  return ["A", "AAAA", "CNAME", "ALIAS"].includes(type.toUpperCase());
}

function parse(rendered: RenderedRecord, manifest: ProviderManifest | null): ParsedRecord {
  const ttl = Math.max(rendered.ttl, manifest?.minimumTtlSeconds ?? 0);
  return parseRecord({ ...rendered, name: rendered.host, ttl });
}

function recordIssues(index: number, hostname: string, parsed: ParsedRecord): Issue[] {
  if (parsed.ok) return [];
  const field = parsed.field === "name" ? "host" : parsed.field;
  const path = `record_template.${index}.${field}`;
  return [{ path, message: `for ${hostname}: ${parsed.message}` }];
}

/** A holder whose records named another's target would not drift when that one's are published. */
function foreignTarget(index: number, edge: EdgeTarget, parsed: ParsedRecord): Issue[] {
  if (!parsed.ok || !isTargetName(edge.cname, parsed.record.value)) return [];
  if (parsed.record.value === edge.target) return [];
  const message = "is the target of another connection; write {{target}}";
  return [{ path: `record_template.${index}.value`, message }];
}

/** A desired record as the DNS package compares it. */
export function fromDesired(record: DesiredRecord): DnsRecord {
  const parsed = parseRecord({ ...record, name: record.host });
  // Desired records are canonical when stored, so a parse error means a damaged row.
  if (!parsed.ok) throw new Error(`a desired record is not valid: ${parsed.message}`);
  return parsed.record;
}

export function toDesired({ name, type, value, ttl, priority }: DnsRecord): DesiredRecord {
  return { host: name, type, value, ttl, priority };
}

function defaultTemplate(
  name: ConnectedName,
  edge: EdgeTarget,
  manifest: ProviderManifest | null,
): TemplateRecord[] {
  const type = followerType(name, manifest);
  // An ALIAS is resolved by the provider, and tells nobody what it names.
  if (type !== null) return [ours(type, type === "CNAME" ? "{{target}}" : "{{edge_cname}}")];
  // Without configured addresses the edge can be reached by its name only.
  if (edge.ipv4.length + edge.ipv6.length === 0) return [ours("ALIAS", "{{edge_cname}}")];
  return [ours("A", "{{edge_ipv4}}"), ours("AAAA", "{{edge_ipv6}}")];
}

/** The record type that points to the edge's name; null when only addresses work. */
function followerType(
  name: ConnectedName,
  manifest: ProviderManifest | null,
): "CNAME" | "ALIAS" | null {
  const isZoneApex = name.kind === "apex" || name.zone === name.hostname;
  if (!isZoneApex) return "CNAME";
  switch (manifest?.apexFlattening ?? "none") {
    case "alias":
      return "ALIAS";
    case "cname":
      return "CNAME";
    case "none":
      return null;
  }
}

/** A wildcard and a cut-over need the delegation, whatever the template says. */
function delegating(name: ConnectedName): TemplateRecord[] {
  const { hostname, validation, isCuttingOver, isProvenByDelegation } = name;
  const isNeeded =
    hostname.startsWith("*.") || isCuttingOver === true || isProvenByDelegation === true;
  if (!isNeeded || !validation) return [];
  const { name: host, target: value } = validation;
  return [{ host, type: "CNAME", value, ttl: defaultTtlSeconds, priority: null }];
}

function ours(type: string, value: string): TemplateRecord {
  return { host: "@", type, value, ttl: defaultTtlSeconds, priority: null };
}
