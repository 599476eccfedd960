import type { Vault } from "@mooring/vault";
import type { Config } from "../../config.ts";
import type { Application } from "../../domain/application.ts";
import { invalid } from "../../domain/errors.ts";

type Redirecting = Pick<Application, "allowedOrigins" | "environment">;

const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

/**
 * Where the customer may be sent at the end: an origin that the application lists, or our own. An
 * unlisted place would make our name lend itself to anybody's.
 */
export function requireRedirect(
  config: Pick<Config, "BASE_URL">,
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
  config: Pick<Config, "BASE_URL">,
  { allowedOrigins, environment }: Redirecting,
  origin: string,
): boolean {
  if (origin === new URL(config.BASE_URL).origin || allowedOrigins.includes(origin)) return true;
  return environment === "test" && allowedOrigins.length === 0 && localOrigin.test(origin);
}

/** Who may hear from the page that ends the popup: exactly these origins. */
export function openerOrigins(
  config: Pick<Config, "BASE_URL">,
  { allowedOrigins }: Pick<Application, "allowedOrigins">,
): readonly string[] {
  return [...new Set([...allowedOrigins, new URL(config.BASE_URL).origin])];
}

/** The keys of states, that of the current root key first: a rotation leaves customers under way alone. */
export function stateKeys(vault: Vault): readonly [Buffer, ...Buffer[]] {
  const others = vault.keyIds.filter((id) => id !== vault.currentKeyId);
  return [
    vault.deriveKey("domain_connect"),
    ...others.map((id) => vault.deriveKey("domain_connect", id)),
  ];
}

/** Where the customer comes back to. The synchronous flow has the state in the path besides. */
export function returnUrl(config: Pick<Config, "BASE_URL">, state?: string): string {
  const url = `${config.BASE_URL}/v1/connect/domain-connect/return`;
  // Some providers do not give `state` back, and some write a second question mark after a first.
  return state === undefined ? url : `${url}/${state}`;
}
