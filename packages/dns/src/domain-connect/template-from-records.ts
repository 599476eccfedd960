import { BUILT_IN_VARIABLES } from "./parameters.ts";
import { type EdgeAddresses, expandPattern, type RecordPattern } from "./record-pattern.ts";
import { type DomainConnectRecord, type DomainConnectTemplate, variablesOf } from "./template.ts";
import { templateRecord } from "./template-record.ts";
import type { TemplateIdentity } from "./template-support.ts";

/** How ownership is proven: a TXT at a label below the hostname, whose text starts so. */
export interface OwnershipPattern {
  readonly label: string;
  readonly prefix: string;
}

export interface TemplateSource {
  /** Apexes and subdomains need templates of their own: a CNAME cannot stand at an apex. */
  readonly kind: "apex" | "subdomain";
  readonly identity: TemplateIdentity;
  readonly providerName: string;
  readonly serviceName: string;
  readonly version: number;
  readonly logoUrl?: string;
  readonly syncPubKeyDomain: string;
  /** The host of the return address. */
  readonly syncRedirectDomain: string;
  /** An application's record template; empty for what leads the name to the edge. */
  readonly records: readonly RecordPattern[];
  readonly edge: EdgeAddresses;
  readonly ownership: OwnershipPattern;
}

export type MadeTemplate =
  | { readonly ok: true; readonly template: DomainConnectTemplate }
  | { readonly ok: false; readonly problems: readonly string[] };

const TOKEN_VARIABLE = "token";
const OWNERSHIP_TTL_SECONDS = 300;

/**
 * The template that writes an application's records and the proof of ownership in one apply. What is
 * the same for every connection is written out, so that a link can carry as little as possible; the
 * rest are variables. Not ok when a record cannot be expressed in a template.
 */
export function templateFromRecords(source: TemplateSource): MadeTemplate {
  const patterns = source.records.length > 0 ? source.records : defaultPatterns(source.kind);
  const made = patterns
    .flatMap((pattern) => expandPattern(pattern, source.kind, source.edge))
    .map((expanded) => (typeof expanded === "string" ? expanded : templateRecord(expanded)));
  const problems = made.filter((one) => typeof one === "string");
  if (made.length === 0) problems.push("The edge has no addresses that an apex could point to.");
  if (problems.length > 0) return { ok: false, problems };
  const records = [...made.filter((one) => typeof one !== "string"), ownershipRecord(source)];
  return { ok: true, template: withHead(source, records) };
}

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
    description:
      source.kind === "apex"
        ? "Leads a domain to the service and proves who connected it."
        : "Leads a subdomain to the service and proves who connected it.",
    variableDescription: describedVariables(records),
    syncPubKeyDomain: source.syncPubKeyDomain,
    syncRedirectDomain: source.syncRedirectDomain,
    ...(source.kind === "subdomain" ? { hostRequired: true } : {}),
    records,
  };
}

function describedVariables(records: readonly DomainConnectRecord[]): string {
  const connection = variablesOf(records).has("connection")
    ? " connection: the identifier of the connection."
    : "";
  return `${TOKEN_VARIABLE}: random text that the service compares in DNS to prove control of the name.${connection}`;
}

/** Needed while the records are applied and proven; a customer may tidy it away later. */
function ownershipRecord({ ownership }: TemplateSource): DomainConnectRecord {
  return {
    type: "TXT",
    host: ownership.label,
    data: `${ownership.prefix}%${TOKEN_VARIABLE}%`,
    ttl: OWNERSHIP_TTL_SECONDS,
    essential: "OnApply",
    // An earlier proof makes way, so that the name holds one at a time.
    txtConflictMatchingMode: "Prefix",
    txtConflictMatchingPrefix: ownership.prefix,
  };
}

function defaultPatterns(kind: TemplateSource["kind"]): readonly RecordPattern[] {
  const ours = (type: string, value: string): RecordPattern => {
    return { host: "@", type, value, ttl: null, priority: null };
  };
  if (kind === "subdomain") return [ours("CNAME", "{{edge_cname}}")];
  return [ours("A", "{{edge_ipv4}}"), ours("AAAA", "{{edge_ipv6}}")];
}

/**
 * The variables of a generated template for one connection, none more than it uses. Throws
 * RangeError for a challenge that does not have the pattern's prefix, or a variable of other origin.
 */
export function variablesFor(
  template: DomainConnectTemplate,
  ownership: OwnershipPattern,
  values: { readonly challenge: string; readonly connectionId: string },
): Readonly<Record<string, string>> {
  if (!values.challenge.startsWith(ownership.prefix)) {
    throw new RangeError("the challenge does not have the template's prefix");
  }
  const known: Readonly<Record<string, string>> = {
    [TOKEN_VARIABLE]: values.challenge.slice(ownership.prefix.length),
    connection: values.connectionId,
  };
  const wanted = [...variablesOf(template.records)].filter((name) => !BUILT_IN_VARIABLES.has(name));
  return Object.fromEntries(
    wanted.map((name) => {
      const value = known[name];
      if (value === undefined) throw new RangeError(`nothing is known for the variable ${name}`);
      return [name, value];
    }),
  );
}
