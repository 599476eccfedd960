import { ProviderError } from "./errors.ts";

export interface ServerUrlRules {
  /** What the form calls the input. */
  readonly label: string;
  readonly example: string;
  /** Where the server listens unless the input says otherwise. */
  readonly defaultPort: number;
}

/**
 * The address of a server that a customer names: https, and nothing in it that is not part of an
 * address. A bare host is enough. Which addresses it may have is for the caller's `fetch` to check,
 * whenever it connects.
 */
export function readServerUrl(input: string, { label, example, defaultPort }: ServerUrlRules): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(input);
  const url = URL.parse(hasScheme ? input : `https://${input}`);
  const isUsable =
    url?.protocol === "https:" && url.username === "" && url.password === "" && url.hash === "";
  if (url === null || !isUsable)
    throw new ProviderError("auth", `${label} must be like ${example}.`);
  if (!hasScheme && url.port === "") url.port = String(defaultPort);
  return url;
}
