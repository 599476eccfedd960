import { isPublicHostName } from "./host-name.ts";
import { lintRecord } from "./lint-record.ts";
import { type Found, lintRecordSets } from "./lint-record-sets.ts";
import { isIdentifier } from "./parameters.ts";
import type { DomainConnectTemplate } from "./template.ts";

/** An `error` keeps a template out of the public repository or breaks it; a `warning` needs a reason. */
export interface TemplateIssue {
  readonly severity: "error" | "warning";
  /** Where it is, such as `records.2.host`. */
  readonly path: string;
  readonly message: string;
}

const LONGEST_NAME = 255;
const LONGEST_TEXT = 2_048;

/** Everything that the protocol, the repository's rules or a known provider holds against a template. */
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
    if (length === 0 || length > LONGEST_NAME) yield { path, message: "is 1 to 255 characters" };
  }
  for (const path of ["description", "variableDescription"] as const) {
    const { length } = [...(template[path] ?? "")];
    if (length > LONGEST_TEXT) yield { path, message: "is at most 2048 characters" };
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

/** What makes a link trustworthy: the signature's key, and where the customer may be sent back to. */
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
