import type { Vault } from "@mooring/vault";
import type { Config } from "../../config/config.ts";
import type { Application } from "../../domain/applications/application.ts";
import { invalid } from "../../domain/errors.ts";

type Redirecting = Pick<Application, "allowedOrigins" | "environment">;

const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

/**
 * Where the customer may be sent at the end: an origin that the application lists, or our own.
 * Anything else would be an open redirect.
 */
export function requireRedirect(
  config: Pick<Config, "baseUrl">,
  application: Redirecting,
  text: string,
): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const refuse = (message: string) => invalid([{ path: "redirect_uri", message }]);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw refuse("expected an http or https URL");
  }
  if (url.username + url.password !== "") throw refuse("must not carry credentials");
  if (!isAllowed(config, application, url.origin)) {
    throw refuse(`${url.origin} is not in the application's allowed_origins`);
  }
  return url.href;
}

function isAllowed(
  config: Pick<Config, "baseUrl">,
  { allowedOrigins, environment }: Redirecting,
  origin: string,
): boolean {
  if (origin === new URL(config.baseUrl).origin || allowedOrigins.includes(origin)) return true;
  return environment === "test" && allowedOrigins.length === 0 && localOrigin.test(origin);
}

/** The origins that the popup's last page may post its message to. */
export function openerOrigins(
  config: Pick<Config, "baseUrl">,
  { allowedOrigins }: Pick<Application, "allowedOrigins">,
): readonly string[] {
  return [...new Set([...allowedOrigins, new URL(config.baseUrl).origin])];
}

/**
 * The HMAC keys of states, the current root key's first; older ones accept visits begun before a
 * rotation.
 */
export function stateKeys(vault: Vault): readonly [Buffer, ...Buffer[]] {
  const others = vault.keyIds.filter((id) => id !== vault.currentKeyId);
  return [
    vault.deriveKey("domain_connect"),
    ...others.map((id) => vault.deriveKey("domain_connect", id)),
  ];
}

/** Where the customer returns to. The synchronous flow has the state in the path too. */
export function returnUrl(config: Pick<Config, "baseUrl">, state?: string): string {
  const url = `${config.baseUrl}/v1/connect/domain-connect/return`;
  // Some providers do not return `state`, and some append a second question mark to a query.
  return state === undefined ? url : `${url}/${state}`;
}
