import type { Parameter } from "./encode.ts";

/** Names that mean something to the protocol, so that no variable of a template may have them. */
const RESERVED: ReadonlySet<string> = new Set([
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

/** Filled in by the provider itself. */
export const BUILT_IN_VARIABLES: ReadonlySet<string> = new Set(["domain", "host", "fqdn"]);

export function isVariableName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !RESERVED.has(name);
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
  const given = Object.entries(variables);
  for (const [name, value] of given) {
    if (!isVariableName(name)) throw new RangeError(`no template variable may be called ${name}`);
    if (!isPrintableAscii(value))
      throw new RangeError(`the variable ${name} is not printable ASCII`);
  }
  return given;
}
