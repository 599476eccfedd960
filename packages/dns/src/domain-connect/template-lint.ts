import { isIPv4, isIPv6 } from "node:net";
import { parseSpfTerm } from "../email/spf.ts";
import { entryFor } from "../foreign-text.ts";
import { builtInVariables, isIdentifier, isPrintableAscii, isVariableName } from "./parameters.ts";
import {
  type DomainConnectRecord,
  type DomainConnectTemplate,
  type TemplateNumber,
  variableFields,
  variablesIn,
} from "./template.ts";

/**
 * An `error` breaks a template or bars it from the public repository; a `warning` needs a reason.
 */
export interface TemplateIssue {
  readonly severity: "error" | "warning";
  /** Where it is, such as `records.2.host`. */
  readonly path: string;
  readonly message: string;
}

interface Found {
  readonly path: string;
  readonly message: string;
  readonly warning?: boolean;
}

const maxNameLength = 255;
const maxDescriptionLength = 2_048;

/** Every violation of the protocol, the repository's rules or a known provider's limits. */
export function lintTemplate(template: DomainConnectTemplate): readonly TemplateIssue[] {
  const found = [
    ...lintHead(template),
    ...lintVersion(template),
    ...lintFlags(template),
    ...lintTrust(template),
    ...template.records.flatMap((record, index) =>
      [...lintRecord(record)].map((one) => ({ ...one, path: `records.${index}.${one.path}` })),
    ),
    ...lintRecordSets(template),
  ];
  return found.map(({ warning = false, path, message }) => {
    return { severity: warning ? "warning" : "error", path, message };
  });
}

function* lintHead(template: DomainConnectTemplate): Generator<Found> {
  for (const path of ["providerId", "serviceId"] as const) {
    if (!isIdentifier(template[path])) {
      yield { path, message: "is 1 to 63 letters, digits, hyphens, underscores and dots" };
    }
  }
  for (const path of ["providerName", "serviceName"] as const) {
    const { length } = [...template[path]];
    if (length === 0 || length > maxNameLength) yield { path, message: "is 1 to 255 characters" };
  }
  for (const path of ["description", "variableDescription"] as const) {
    const { length } = [...(template[path] ?? "")];
    if (length > maxDescriptionLength) yield { path, message: "is at most 2048 characters" };
  }
}

function* lintVersion({ version, logoUrl }: DomainConnectTemplate): Generator<Found> {
  if (version === undefined) {
    yield { path: "version", message: "is raised with every change", warning: true };
  } else if (!Number.isInteger(version) || version < 1) {
    yield { path: "version", message: "is a whole number from 1" };
  }
  if (logoUrl !== undefined && !isHttps(logoUrl))
    yield { path: "logoUrl", message: "is an https URL" };
}

function* lintFlags(template: DomainConnectTemplate): Generator<Found> {
  const { syncBlock, shared, sharedProviderName, warnPhishing } = template;
  if (syncBlock === true) {
    yield { path: "syncBlock", message: "forbids the flow that the template is for" };
  }
  if (shared === true && sharedProviderName !== true) {
    yield { path: "shared", message: "is old; set sharedProviderName beside it", warning: true };
  }
  if (warnPhishing === true && template.syncPubKeyDomain !== undefined) {
    yield { path: "warnPhishing", message: "contradicts syncPubKeyDomain" };
  } else if (warnPhishing !== undefined) {
    yield { path: "warnPhishing", message: "is no longer used", warning: true };
  }
}

/**
 * What makes a link trustworthy: the signature's key, and where the customer may be sent back to.
 */
function* lintTrust(template: DomainConnectTemplate): Generator<Found> {
  const { syncPubKeyDomain, syncRedirectDomain } = template;
  if (syncPubKeyDomain === undefined) {
    yield { path: "syncPubKeyDomain", message: "is needed: unsigned links are refused" };
  } else if (syncPubKeyDomain.startsWith("_")) {
    // Verifiers put the label of the key before this name.
    yield { path: "syncPubKeyDomain", message: "must not hold the key's own label" };
  } else if (!isPublicHostName(syncPubKeyDomain)) {
    yield { path: "syncPubKeyDomain", message: "is a domain name" };
  }
  if (syncRedirectDomain === undefined) {
    const message = "is needed where the customer is to be sent back";
    yield { path: "syncRedirectDomain", message, warning: true };
  } else if (/\s/.test(syncRedirectDomain)) {
    yield { path: "syncRedirectDomain", message: "has no spaces" };
  } else if (!syncRedirectDomain.split(",").every(isPublicHostName)) {
    yield { path: "syncRedirectDomain", message: "is a list of host names, with commas between" };
  } else if (syncRedirectDomain.includes(",")) {
    const message = "as a list is not understood by Plesk, which compares the whole text";
    yield { path: "syncRedirectDomain", message, warning: true };
  }
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:";
}

type Field = keyof DomainConnectRecord;

const requiredFields: Readonly<Record<string, readonly Field[]>> = {
  A: ["host", "pointsTo", "ttl"],
  AAAA: ["host", "pointsTo", "ttl"],
  CNAME: ["host", "pointsTo", "ttl"],
  NS: ["host", "pointsTo", "ttl"],
  MX: ["host", "pointsTo", "ttl", "priority"],
  TXT: ["host", "data", "ttl"],
  SRV: ["name", "service", "protocol", "priority", "weight", "port", "target", "ttl"],
  SPFM: ["host", "spfRules"],
  CAA: ["host", "data", "ttl"],
};

const largestNumbers: Readonly<Record<"ttl" | "priority" | "weight" | "port", number>> = {
  // RFC 2181 §8.
  ttl: 2_147_483_647,
  priority: 65_535,
  weight: 65_535,
  port: 65_535,
};

function* lintRecord(record: DomainConnectRecord): Generator<Found> {
  const required = entryFor(requiredFields, record.type);
  if (required === undefined) {
    yield { path: "type", message: `${record.type} is not supported by all providers` };
    return;
  }
  for (const path of required) {
    if (record[path] === undefined) yield { path, message: `is needed by ${record.type} records` };
  }
  if (record.type === "NS" || record.type === "CAA") {
    const message = `${record.type} records are supported by few providers`;
    yield { path: "type", message, warning: true };
  }
  yield* lintOwner(record);
  yield* lintTarget(record);
  yield* lintBareValues(record);
  yield* lintNumbers(record);
  yield* lintTxt(record);
  yield* lintVariables(record);
  yield* lintChoices(record);
}

function* lintOwner(record: DomainConnectRecord): Generator<Found> {
  for (const path of ["host", "name"] as const) {
    const value = record[path] ?? "";
    if (variablesIn(value).includes("host")) {
      yield { path, message: "has %host%, which doubles the labels" };
    } else if (/^%[^%]+%$/.test(value)) {
      const message = "is a variable alone; subdomains go into the host parameter";
      yield { path, message, warning: true };
    }
  }
  const { service, protocol } = record;
  if (service !== undefined && !/^_[A-Za-z0-9-]+$/.test(service)) {
    yield { path: "service", message: "is a label that starts with an underscore" };
  }
  if (protocol !== undefined && !["_tcp", "_udp", "_tls"].includes(protocol.toLowerCase())) {
    yield { path: "protocol", message: "is _tcp, _udp or _tls" };
  }
}

function* lintTarget(record: DomainConnectRecord): Generator<Found> {
  const { type, pointsTo } = record;
  const isAddress = type === "A" || type === "AAAA";
  if (pointsTo === "@" && (isAddress || type === "NS")) {
    yield { path: "pointsTo", message: "must not be @" };
  } else if (isAddress && pointsTo !== undefined && variablesIn(pointsTo).length === 0) {
    const isRight = type === "A" ? isIPv4(pointsTo) : isIPv6(pointsTo);
    if (!isRight) yield { path: "pointsTo", message: `is an IPv${type === "A" ? 4 : 6} address` };
  }
}

function* lintBareValues(record: DomainConnectRecord): Generator<Found> {
  for (const path of ["pointsTo", "target", "data"] as const) {
    if (/^%[^%]+%$/.test(record[path] ?? "")) {
      const message = "is a variable alone, so that a link decides everything; put text around it";
      yield { path, message, warning: true };
    }
  }
}

function* lintNumbers(record: DomainConnectRecord): Generator<Found> {
  for (const path of ["ttl", "priority", "weight", "port"] as const) {
    const value = record[path];
    if (value !== undefined && !isNumberField(value, largestNumbers[path])) {
      yield { path, message: `is a whole number up to ${largestNumbers[path]}, or one variable` };
    }
  }
  if (Number(record.ttl) === 0) {
    yield { path: "ttl", message: "of zero is not honoured everywhere", warning: true };
  }
}

function isNumberField(value: TemplateNumber, largest: number): boolean {
  if (typeof value === "string" && /^%[A-Za-z0-9_-]+%$/.test(value)) return true;
  return /^\d+$/.test(String(value)) && Number(value) <= largest;
}

function* lintVariables(record: DomainConnectRecord): Generator<Found> {
  for (const path of variableFields) {
    const field = String(record[path] ?? "");
    if (!isPrintableAscii(field)) yield { path, message: "is not printable ASCII" };
    for (const name of variablesIn(field)) {
      if (!builtInVariables.has(name) && !isVariableName(name)) {
        yield { path, message: `%${name}% has the name of a parameter of the protocol` };
      }
    }
    if (field.replace(/%[A-Za-z0-9_-]+%/g, "").includes("%")) {
      yield { path, message: "has a percent sign that ends no variable" };
    }
  }
}

function* lintChoices(record: DomainConnectRecord): Generator<Found> {
  const { groupId, essential } = record;
  if (groupId !== undefined && !isIdentifier(groupId)) {
    yield { path: "groupId", message: "is an identifier without variables" };
  }
  if (essential !== undefined && essential !== "Always" && essential !== "OnApply") {
    yield { path: "essential", message: "is Always or OnApply" };
  }
}

/** The rules for texts: SPF is merged, a name has one policy, and a text may replace others. */
function* lintTxt(record: DomainConnectRecord): Generator<Found> {
  const { type, data = "", spfRules } = record;
  if (type === "TXT") {
    if (/^\s*v=spf1/i.test(data)) yield { path: "data", message: "is SPF, which SPFM merges" };
    yield* lintPolicy(record);
    if (data !== "@" && data.includes("@")) {
      const message = "has @, which Plesk replaces by the name everywhere";
      yield { path: "data", message, warning: true };
    }
  }
  if (spfRules !== undefined) yield* lintSpfRules(spfRules);
  yield* lintRivals(record);
}

function* lintSpfRules(rules: string): Generator<Found> {
  if (/v=spf1/i.test(rules)) yield { path: "spfRules", message: "is without v=spf1" };
  const terms = rules.split(" ").filter((term) => variablesIn(term).length === 0);
  if (terms.some((term) => /^[+?~-]?all$/i.test(term))) {
    yield { path: "spfRules", message: "is without all" };
  } else if (terms.some((term) => parseSpfTerm(term) === null)) {
    yield { path: "spfRules", message: "is a list of SPF mechanisms, one space between" };
  }
}

/** A second DMARC record switches DMARC off, and customers tune theirs (RFC 7489 §6.6.3). */
function* lintPolicy(record: DomainConnectRecord): Generator<Found> {
  if (!/^v=DMARC1/i.test(record.data ?? "")) return;
  if ((record.txtConflictMatchingMode ?? "None") === "None") {
    yield { path: "txtConflictMatchingMode", message: "is needed: a name has one DMARC policy" };
  }
  if (record.essential !== "OnApply") {
    const message = "should be OnApply: customers change their policy";
    yield { path: "essential", message, warning: true };
  }
}

function* lintRivals(record: DomainConnectRecord): Generator<Found> {
  const { type, data = "" } = record;
  const { txtConflictMatchingMode: mode, txtConflictMatchingPrefix: prefix } = record;
  const modePath = "txtConflictMatchingMode";
  const path = "txtConflictMatchingPrefix";
  if (mode !== undefined && !["None", "All", "Prefix"].includes(mode)) {
    yield { path: modePath, message: "is None, All or Prefix" };
  }
  if ((mode !== undefined || prefix !== undefined) && type !== "TXT") {
    yield { path: modePath, message: "is for TXT records" };
  }
  if (mode === "Prefix" && (prefix === undefined || prefix === "")) {
    yield { path, message: "is needed with the mode Prefix" };
  }
  if (prefix === undefined) return;
  if (mode !== "Prefix")
    yield { path, message: "has no effect without the mode Prefix", warning: true };
  if (!isPrintableAscii(prefix) || variablesIn(prefix).length > 0) {
    yield { path, message: "is printable ASCII without variables" };
  } else if (!data.startsWith(prefix)) {
    yield { path, message: "is not how the record's own text starts", warning: true };
  }
}

/** Contradictions between the records of a template. */
function* lintRecordSets(template: DomainConnectTemplate): Generator<Found> {
  const { records } = template;
  if (records.length === 0) yield { path: "records", message: "has at least one record" };
  yield* lintApex(template);
  yield* lintNeighbours(records);
  const grouped = records.filter(({ groupId }) => groupId !== undefined).length;
  if (grouped > 0 && grouped < records.length) {
    const message = "have groups only in part, which providers read differently";
    yield { path: "records", message, warning: true };
  }
}

function* lintApex({ records, hostRequired }: DomainConnectTemplate): Generator<Found> {
  for (const [index, record] of records.entries()) {
    const host = canonicalHost(record);
    const path = `records.${index}.host`;
    const isAlone = record.type === "CNAME" || record.type === "NS";
    if (isAlone && host === "@" && hostRequired !== true) {
      yield { path, message: `a ${record.type} at @ needs hostRequired` };
    }
    if (isAlone && host === "%domain%.") {
      yield { path, message: `a ${record.type} cannot be at the apex of a zone` };
    }
    if (host === "www" && hostRequired === true) {
      const message = "www below a subdomain is rarely meant";
      yield { path, message, warning: true };
    }
  }
}

function* lintNeighbours(records: readonly DomainConnectRecord[]): Generator<Found> {
  for (const [index, record] of records.entries()) {
    const others = records.filter(
      (other) =>
        other !== record &&
        canonicalHost(other) === canonicalHost(record) &&
        mayMeet(record, other),
    );
    const path = `records.${index}`;
    if (record.type === "CNAME" && others.length > 0) {
      yield { path, message: "a CNAME is the only record of its name" };
    }
    if (record.type === "NS" && others.some(({ type }) => type !== "NS")) {
      yield { path, message: "a delegation has no other records beside it" };
    }
    const sameSet = others.filter(({ type }) => type === record.type);
    if (sameSet.some(({ ttl }) => String(ttl) !== String(record.ttl))) {
      yield { path: `${path}.ttl`, message: "is the same for all records of a name and type" };
    }
  }
}

/** Records of different groups need not be applied together. */
function mayMeet(one: DomainConnectRecord, other: DomainConnectRecord): boolean {
  return one.groupId === undefined || other.groupId === undefined || one.groupId === other.groupId;
}

function canonicalHost(record: DomainConnectRecord): string {
  if (record.type === "SRV") return `${record.service}.${record.protocol}.${record.name ?? "@"}`;
  const host = (record.host ?? "@").toLowerCase();
  return host === "" || host === "%fqdn%." ? "@" : host;
}

/** A host name with at least two labels, in ASCII; no address. */
function isPublicHostName(text: string): boolean {
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(text);
  return isName && text.length <= 253;
}
