import { builtInVariables } from "./parameters.ts";
import type { TemplateIdentity } from "./template.ts";
import {
  collectVariables,
  type DomainConnectRecord,
  type DomainConnectTemplate,
} from "./template.ts";

/** How ownership is proven: a TXT at a label below the hostname, whose text starts so. */
export interface OwnershipPattern {
  readonly label: string;
  readonly prefix: string;
}

export interface TemplateSource {
  /**
   * Apexes and subdomains need separate templates: an apex cannot have a CNAME. A pair is an apex
   * and its `www`, in one consent.
   */
  readonly kind: "apex" | "subdomain" | "pair";
  readonly identity: TemplateIdentity;
  readonly providerName: string;
  readonly serviceName: string;
  readonly version: number;
  readonly logoUrl?: string;
  readonly syncPubKeyDomain: string;
  /** The host of the return address. */
  readonly syncRedirectDomain: string;
  /** An application's record template; empty for the default records that point to the edge. */
  readonly records: readonly RecordPattern[];
  readonly edge: EdgeAddresses;
  readonly ownership: OwnershipPattern;
}

export type MadeTemplate =
  | { readonly ok: true; readonly template: DomainConnectTemplate }
  | { readonly ok: false; readonly problems: readonly string[] };

const tokenVariable = "token";
const wwwTokenVariable = "wwwtoken";
const targetVariable = "target";
const ownershipTtlSeconds = 300;

/**
 * The template that writes an application's records and the proof of ownership in one apply. What
 * is the same for every connection is written out, so that a link can carry as little as possible;
 * the rest are variables. Not ok when a record cannot be expressed in a template.
 */
export function templateFromRecords(source: TemplateSource): MadeTemplate {
  const made = source.kind === "pair" ? recordsOfPair(source) : makeRecords(source, source.kind);
  return "problems" in made ? made : { ok: true, template: withHead(source, made.records) };
}

type MadeRecords =
  | { readonly records: readonly DomainConnectRecord[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Those of the apex, and those of a subdomain below `www`. */
function recordsOfPair(source: TemplateSource): MadeRecords {
  if (source.records.length > 0) {
    return { ok: false, problems: ["An application's own records are approved name by name."] };
  }
  const apex = makeRecords(source, "apex");
  const www = makeRecords(source, "subdomain");
  if ("problems" in apex || "problems" in www) return "problems" in apex ? apex : www;
  return { records: [...apex.records, ...www.records.map(belowWww)] };
}

function belowWww(record: DomainConnectRecord): DomainConnectRecord {
  const host = record.host === "@" ? "www" : `${record.host}.www`;
  const { data } = record;
  if (data === undefined) return { ...record, host };
  return { ...record, host, data: data.replace(`%${tokenVariable}%`, `%${wwwTokenVariable}%`) };
}

function makeRecords(source: TemplateSource, kind: "apex" | "subdomain"): MadeRecords {
  const patterns = source.records.length > 0 ? source.records : defaultPatterns(kind);
  const made = patterns
    .flatMap((pattern) => expandPattern(pattern, kind, source.edge))
    .map((expanded) => (typeof expanded === "string" ? expanded : templateRecord(expanded)));
  const problems = made.filter((one) => typeof one === "string");
  if (made.length === 0) problems.push("The edge has no addresses that an apex could point to.");
  if (problems.length > 0) return { ok: false, problems };
  return { records: [...made.filter((one) => typeof one !== "string"), ownershipRecord(source)] };
}

const descriptions: Readonly<Record<TemplateSource["kind"], string>> = {
  apex: "Leads a domain to the service and proves who connected it.",
  subdomain: "Leads a subdomain to the service and proves who connected it.",
  pair: "Leads a domain and its www name to the service and proves who connected them.",
};

function withHead(
  source: TemplateSource,
  records: readonly DomainConnectRecord[],
): DomainConnectTemplate {
  return {
    providerId: source.identity.providerId,
    providerName: source.providerName,
    serviceId: source.identity.serviceId,
    serviceName: source.serviceName,
    version: source.version,
    ...(source.logoUrl === undefined ? {} : { logoUrl: source.logoUrl }),
    description: descriptions[source.kind],
    variableDescription: describedVariables(records),
    syncPubKeyDomain: source.syncPubKeyDomain,
    syncRedirectDomain: source.syncRedirectDomain,
    ...(source.kind === "subdomain" ? { hostRequired: true } : {}),
    records,
  };
}

function describedVariables(records: readonly DomainConnectRecord[]): string {
  const connection = collectVariables(records).has("connection")
    ? " connection: the identifier of the connection."
    : "";
  const www = collectVariables(records).has(wwwTokenVariable)
    ? ` ${wwwTokenVariable}: the same for the www name.`
    : "";
  const target = collectVariables(records).has(targetVariable)
    ? ` ${targetVariable}: the label of the connection's own name at the service.`
    : "";
  return `${tokenVariable}: random text that the service compares in DNS to prove control of the name.${www}${connection}${target}`;
}

/** Needed until ownership is proven; the customer may remove it later. */
function ownershipRecord({ ownership }: TemplateSource): DomainConnectRecord {
  return {
    type: "TXT",
    host: ownership.label,
    data: `${ownership.prefix}%${tokenVariable}%`,
    ttl: ownershipTtlSeconds,
    essential: "OnApply",
    // Replaces an earlier proof, so that the name has one at a time.
    txtConflictMatchingMode: "Prefix",
    txtConflictMatchingPrefix: ownership.prefix,
  };
}

function defaultPatterns(kind: "apex" | "subdomain"): readonly RecordPattern[] {
  const ours = (type: string, value: string): RecordPattern => {
    return { host: "@", type, value, ttl: null, priority: null };
  };
  if (kind === "subdomain") return [ours("CNAME", "{{edge_cname}}")];
  return [ours("A", "{{edge_ipv4}}"), ours("AAAA", "{{edge_ipv6}}")];
}

export interface TemplateValues {
  readonly challenge: string;
  readonly connectionId: string;
  /** Of a pair: the challenge of its `www`. */
  readonly wwwChallenge?: string;
  /** The first label of the connection's own target, where it has one. */
  readonly targetLabel?: string;
}

/**
 * The variables of a generated template for one connection, none more than it uses. Throws
 * RangeError for a challenge that does not have the pattern's prefix, or a variable of other
 * origin.
 */
export function variablesFor(
  template: DomainConnectTemplate,
  ownership: OwnershipPattern,
  values: TemplateValues,
): Readonly<Record<string, string>> {
  const readToken = (challenge: string) => {
    if (challenge.startsWith(ownership.prefix)) return challenge.slice(ownership.prefix.length);
    throw new RangeError("the challenge does not have the template's prefix");
  };
  const { wwwChallenge } = values;
  const known: Readonly<Record<string, string>> = {
    [tokenVariable]: readToken(values.challenge),
    connection: values.connectionId,
    ...(values.targetLabel === undefined ? {} : { [targetVariable]: values.targetLabel }),
    ...(wwwChallenge === undefined ? {} : { [wwwTokenVariable]: readToken(wwwChallenge) }),
  };
  const wanted = [...collectVariables(template.records)].filter(
    (name) => !builtInVariables.has(name),
  );
  return Object.fromEntries(
    wanted.map((name) => {
      const value = known[name];
      if (value === undefined) throw new RangeError(`nothing is known for the variable ${name}`);
      return [name, value];
    }),
  );
}

/** A record with placeholders, as `{{edge_cname}}`, that an application wants at every hostname. */
export interface RecordPattern {
  /** `@` is the hostname; a relative label is below it. */
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
}

/** The targets of all connected names. */
interface EdgeAddresses {
  readonly cname: string;
  /** Each connection has a name of its own below that one. */
  readonly hasTargets?: boolean;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/**
 * A pattern in the language of templates: percent-sign variables, and hosts as templates read them.
 */
interface ExpandedPattern {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority: number | null;
}

const defaultTtlSeconds = 300;

/**
 * The records of a pattern, one for each address; a string instead of a record is the reason why
 * there is none.
 */
function expandPattern(
  pattern: RecordPattern,
  kind: "apex" | "subdomain",
  edge: EdgeAddresses,
): readonly (ExpandedPattern | string)[] {
  if (`${pattern.host}${pattern.value}`.includes("%")) {
    return [`${described(pattern)}: a percent sign would start a variable of the template.`];
  }
  const host = expandHost(pattern.host, kind);
  if (host === null) {
    return [
      `${described(pattern)}: {{subdomain}} in a host would double the labels; write @ for the hostname.`,
    ];
  }
  const isApex = host === "%domain%." || (kind === "apex" && host === "@");
  const type = pattern.type.toUpperCase();
  const rest = { host, ttl: pattern.ttl ?? defaultTtlSeconds, priority: pattern.priority };
  if (type !== "CNAME" && type !== "ALIAS") {
    return expandValues(pattern.value, edge).map((value) => ({ ...rest, type, value }));
  }
  if (!isApex) {
    return expandValues(pattern.value, edge).map((value) => ({ ...rest, type: "CNAME", value }));
  }
  return followAtApex(pattern, edge, rest);
}

/** Not every provider can point an apex to another name; the edge's addresses are known here. */
function followAtApex(
  pattern: RecordPattern,
  edge: EdgeAddresses,
  rest: Pick<ExpandedPattern, "host" | "ttl" | "priority">,
): readonly (ExpandedPattern | string)[] {
  const isEdge = ["{{edge_cname}}", "{{target}}", edge.cname].includes(
    pattern.value.replace(/\.$/, ""),
  );
  if (!isEdge) return [`${described(pattern)}: no template can put a CNAME at the apex of a zone.`];
  const addresses = [
    ...edge.ipv4.map((value) => ({ ...rest, type: "A", value })),
    ...edge.ipv6.map((value) => ({ ...rest, type: "AAAA", value })),
  ];
  if (addresses.length > 0) return addresses;
  return [`${described(pattern)}: the edge has no addresses that an apex could point to.`];
}

function expandValues(value: string, edge: EdgeAddresses): readonly string[] {
  const filled = value
    .replaceAll("{{hostname}}", "%fqdn%")
    .replaceAll("{{apex}}", "%domain%")
    .replaceAll("{{subdomain}}", "%host%")
    .replaceAll("{{connection_id}}", "%connection%")
    .replaceAll("{{edge_cname}}", edge.cname)
    .replaceAll("{{target}}", edge.hasTargets ? `%${targetVariable}%.${edge.cname}` : edge.cname);
  const addresses = filled.includes("{{edge_ipv4}}")
    ? edge.ipv4
    : filled.includes("{{edge_ipv6}}")
      ? edge.ipv6
      : [""];
  return addresses.map((address) =>
    filled.replaceAll("{{edge_ipv4}}", address).replaceAll("{{edge_ipv6}}", address),
  );
}

/** Null when the host cannot be said without the `%host%` that doubles labels. */
function expandHost(host: string, kind: "apex" | "subdomain"): string | null {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (kind === "apex") return relativeTo(name, ["{{hostname}}", "{{apex}}", "{{subdomain}}"]);
  const below = relativeTo(name, ["{{subdomain}}.{{apex}}", "{{hostname}}"]);
  if (below.includes("{{subdomain}}")) return null;
  const absolute = below.replaceAll("{{apex}}", "%domain%");
  return absolute === below ? below : `${absolute}.`;
}

/** The name relative to whichever of the endings it has, `@` for the ending itself. */
function relativeTo(name: string, endings: readonly string[]): string {
  for (const ending of endings) {
    if (name === ending) return "@";
    if (name.endsWith(`.${ending}`)) return relativeTo(name.slice(0, -ending.length - 1), endings);
  }
  return name === "" ? "@" : name;
}

function described({ host, type, value }: RecordPattern): string {
  return `${host} ${type.toUpperCase()} ${value}`;
}

/** An expanded pattern as a record of a template; a string is the reason why there is none. */
function templateRecord(pattern: ExpandedPattern): DomainConnectRecord | string {
  const { type, host, value, ttl } = pattern;
  switch (type) {
    case "A":
    case "AAAA":
    case "CNAME":
    case "NS":
      return { type, host, pointsTo: value, ttl };
    case "MX":
      return pattern.priority === null
        ? `${host} MX ${value}: the priority is missing.`
        : { type, host, pointsTo: value, ttl, priority: pattern.priority };
    case "TXT":
      return txtRecord(pattern);
    case "SRV":
      return srvRecord(pattern);
    case "CAA":
      return { type, host, data: value, ttl };
    default:
      return `${host} ${type} ${value}: templates have no records of this type.`;
  }
}

/** A name has at most one SPF and one DMARC text; templates express that in different ways. */
function txtRecord({ host, value, ttl }: ExpandedPattern): DomainConnectRecord | string {
  if (/^v=spf1(?:\s|$)/i.test(value)) return spfRecord(host, value);
  if (!/^v=DMARC1(?:\s|;|$)/i.test(value)) return { type: "TXT", host, data: value, ttl };
  return {
    type: "TXT",
    host,
    data: value,
    ttl,
    essential: "OnApply",
    txtConflictMatchingMode: "Prefix",
    txtConflictMatchingPrefix: "v=DMARC1",
  };
}

/** SPF is given as rules, which the provider merges into what is there. */
function spfRecord(host: string, value: string): DomainConnectRecord | string {
  const terms = value.split(/\s+/).slice(1);
  const rules = terms.filter((term) => !/^[+?~-]?all$/i.test(term));
  if (rules.length === 0 || rules.some((term) => /^[a-z][a-z0-9._-]*=/i.test(term))) {
    return `${host} TXT ${value}: only the mechanisms of an SPF record can be merged into another.`;
  }
  return { type: "SPFM", host, spfRules: rules.join(" ") };
}

/** `_service._protocol[.name]`; the value is `weight port target`. */
function srvRecord(pattern: ExpandedPattern): DomainConnectRecord | string {
  const { host, value, ttl, priority } = pattern;
  const [, service, protocol, name] = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/.exec(host) ?? [];
  const [, weight, port, target] = /^(\d+)\s+(\d+)\s+(\S+)$/.exec(value.trim()) ?? [];
  if (
    service === undefined ||
    protocol === undefined ||
    target === undefined ||
    priority === null
  ) {
    return `${host} SRV ${value}: the host must be _service._protocol, the value weight port target.`;
  }
  const numbers = { priority, weight: Number(weight), port: Number(port) };
  return { type: "SRV", name: name ?? "@", service, protocol, ...numbers, target, ttl };
}
