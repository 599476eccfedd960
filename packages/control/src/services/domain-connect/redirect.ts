import type { Config } from "../../config/config.ts";
import type { Application } from "../../domain/application.ts";
import { invalid } from "../../domain/errors.ts";

type Redirecting = Pick<Application, "allowedOrigins" | "environment">;

const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

/**
 * Where the customer may be sent at the end: an origin that the application lists, or our own. An
 * unlisted place would make our name lend itself to anybody's.
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

/** Who may hear from the page that ends the popup: exactly these origins. */
export function openerOrigins(
  config: Pick<Config, "baseUrl">,
  { allowedOrigins }: Pick<Application, "allowedOrigins">,
): readonly string[] {
  return [...new Set([...allowedOrigins, new URL(config.baseUrl).origin])];
}
