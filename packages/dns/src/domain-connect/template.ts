/** Identifies a template: service provider and service. Both are case-sensitive. */
export interface TemplateIdentity {
  readonly providerId: string;
  readonly serviceId: string;
}

/**
 * A template as the public repository of templates holds it (draft-ietf-dconn-domainconnect §5).
 * Which fields a record needs depends on its type; `lintTemplate` says what is wrong.
 */
export interface DomainConnectTemplate extends TemplateIdentity {
  readonly providerName: string;
  readonly serviceName: string;
  readonly version?: number;
  readonly logoUrl?: string;
  readonly description?: string;
  readonly variableDescription?: string;
  readonly syncBlock?: boolean;
  /** Its presence makes every apply link need a signature, with the key found below this name. */
  readonly syncPubKeyDomain?: string;
  /** Hosts that the customer may be sent back to, with commas and no spaces between. */
  readonly syncRedirectDomain?: string;
  readonly sharedProviderName?: boolean;
  readonly sharedServiceName?: boolean;
  readonly shared?: boolean;
  readonly multiInstance?: boolean;
  readonly hostRequired?: boolean;
  readonly warnPhishing?: boolean;
  readonly records: readonly DomainConnectRecord[];
}

/** A number, its decimal text, or one variable as the whole text. */
export type TemplateNumber = number | string;

export interface DomainConnectRecord {
  readonly type: string;
  readonly groupId?: string;
  readonly host?: string;
  readonly name?: string;
  readonly pointsTo?: string;
  readonly target?: string;
  readonly data?: string;
  readonly spfRules?: string;
  readonly ttl?: TemplateNumber;
  readonly priority?: TemplateNumber;
  readonly weight?: TemplateNumber;
  readonly port?: TemplateNumber;
  readonly service?: string;
  readonly protocol?: string;
  /**
   * `Always` (default): without the record the template counts as removed. `OnApply`: it may be
   * removed later.
   */
  readonly essential?: string;
  /**
   * Which TXT records at the name are replaced: `None` (default), `All`, or those with the
   * `Prefix`.
   */
  readonly txtConflictMatchingMode?: string;
  readonly txtConflictMatchingPrefix?: string;
}

/** A variable of a template: its name between percent signs. */
export const templateVariable = /%([A-Za-z0-9_-]+)%/g;

/** The fields of a record in which variables are filled in. */
export const variableFields = [
  "host",
  "name",
  "pointsTo",
  "target",
  "data",
  "spfRules",
  "service",
  "protocol",
  "ttl",
  "priority",
  "weight",
  "port",
] as const;

/** The names between percent signs, in one pass from the left, built-in ones included. */
export function variablesIn(field: string): readonly string[] {
  return [...field.matchAll(templateVariable)].map(([, name]) => name ?? "");
}

/** Every variable that the records name, once each. */
export function collectVariables(records: readonly DomainConnectRecord[]): ReadonlySet<string> {
  const fields = records.flatMap((record) => variableFields.map((field) => record[field] ?? ""));
  return new Set(fields.flatMap((field) => variablesIn(String(field))));
}
