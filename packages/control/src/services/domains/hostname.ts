import { isAtOrBelow, parseHostname } from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import { sandboxValidationZone, validationZoneFor } from "../../domain/certificates/validation.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import type { Actor, Environment } from "../../domain/tenancy.ts";

/**
 * Names that exist on private networks only; resolving them would reveal the operator's network:
 * RFC 6761, 6762, 7686, 8375, 9476, and ICANN's list of names that are never delegated.
 */
const privateSuffixes = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "arpa",
  "onion",
  "alt",
  "invalid",
];

/**
 * The canonical form of a hostname that may be connected or checked; throws `invalid` at `path`.
 */
export function requireHostname(
  config: Config,
  environment: Environment,
  text: string,
  path: string,
  { allowsWildcard }: { readonly allowsWildcard: boolean } = { allowsWildcard: false },
): string {
  const refuse = (code: string, message: string) => invalid([{ path, message, code }]);
  const parsed = parseHostname(text, { reserved: ownNames(config), allowsWildcard });
  if (!parsed.ok) throw refuse(parsed.reason, parsed.message);
  if (privateSuffixes.some((suffix) => isAtOrBelow(parsed.hostname, suffix))) {
    throw refuse(
      "private_name",
      "This name exists on private networks only; give a public hostname.",
    );
  }
  if (environment === "live" && isSandboxName(parsed.hostname)) {
    throw refuse(
      "sandbox_name",
      "Names under .test belong to the sandbox; use a test key for them.",
    );
  }
  return parsed.hostname;
}

/** A widget token that is bound to a domain may act on that hostname only. */
export function requireBoundDomain(actor: Actor, hostname: string): void {
  if (actor.kind === "widget" && actor.domain !== null && actor.domain !== hostname) {
    throw new AppError("forbidden", "this token is bound to another domain");
  }
}

/** A wildcard needs DNS-01, which needs the delegated zone. */
export function requireWildcards(
  config: Config,
  { wildcards }: { readonly wildcards: boolean },
  hostname: string,
  path = "hostname",
): void {
  if (!hostname.startsWith("*.")) return;
  const refuse = (message: string) => invalid([{ path, message, code: "wildcard" }]);
  if (!wildcards) {
    throw refuse("This application does not accept wildcards; give one exact hostname.");
  }
  if (config.edgeKind === "external" && !isSandboxName(hostname)) {
    throw refuse("Wildcards need the edge of this service, which is not in use here.");
  }
  if (validationZoneFor(config.validationZone, hostname) === null) {
    throw refuse("Wildcards need delegated validation, which is not configured here.");
  }
}

function ownNames(config: Config): string[] {
  const zones = [sandboxValidationZone, ...(config.validationZone ? [config.validationZone] : [])];
  return [
    new URL(config.baseUrl).hostname,
    ...[config.edgeCname, ...zones].flatMap((name) => [name, `*.${name}`]),
    ...config.validationNameServers,
  ];
}
