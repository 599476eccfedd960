/** One query parameter before encoding. */
export type Parameter = readonly [name: string, value: string];

/**
 * RFC 3986 §2.3: everything but the unreserved characters is escaped, as UTF-8 and in upper-case
 * hex. `encodeURIComponent` lets five more characters through, one of which browsers escape later,
 * and so break a signature.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The query string that is signed, and sent exactly so: encoded, then sorted by encoded name in
 * byte order (draft-ietf-dconn-domainconnect-02 §7.3). Throws for a repeated name, of which the
 * protocol says nothing, and for the two names that are not signed.
 */
export function canonicalQuery(parameters: readonly Parameter[]): string {
  const names = new Set(parameters.map(([name]) => name));
  if (names.size !== parameters.length) throw new RangeError("a parameter is given twice");
  if (names.has("key") || names.has("sig")) throw new RangeError("key and sig are never signed");
  return joined(parameters.map(encoded).toSorted(byName));
}

/** The parameters as a query string in their own order. */
export function plainQuery(parameters: readonly Parameter[]): string {
  return joined(parameters.map(encoded));
}

function encoded([name, value]: Parameter): Parameter {
  return [percentEncode(name), percentEncode(value)];
}

/** Encoded names are ASCII, so that the order of code units is the order of bytes. */
function byName([a]: Parameter, [b]: Parameter): number {
  return a < b ? -1 : Number(a > b);
}

function joined(pairs: readonly Parameter[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join("&");
}

/** Names that mean something to the protocol, so that no variable of a template may have them. */
const reservedNames: ReadonlySet<string> = new Set([
  "domain",
  "host",
  "fqdn",
  "redirect_uri",
  "state",
  "providerName",
  "serviceName",
  "groupId",
  "instanceId",
  "force",
  "key",
  "sig",
  "crit",
  "scope",
  "code",
  "client_id",
  "client_secret",
  "response_type",
  "grant_type",
  "access_token",
  "refresh_token",
  "error",
  "error_description",
]);

/** Filled in by the provider. */
export const builtInVariables: ReadonlySet<string> = new Set(["domain", "host", "fqdn"]);

export function isVariableName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !reservedNames.has(name);
}

/** Identifiers of providers, services and groups. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z0-9_.-]{1,63}$/.test(text);
}

export function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** The variables as parameters; throws for a name or value that the protocol does not allow. */
export function requireVariables(
  variables: Readonly<Record<string, string>>,
): readonly Parameter[] {
  const input = Object.entries(variables);
  for (const [name, value] of input) {
    if (!isVariableName(name)) throw new RangeError(`no template variable may be called ${name}`);
    if (!isPrintableAscii(value))
      throw new RangeError(`the variable ${name} is not printable ASCII`);
  }
  return input;
}
