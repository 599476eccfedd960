import { ProviderError } from "../providers/adapter/errors.ts";
import type { HttpAnswer } from "../providers/adapter/http.ts";
import { isObject, jsonOrNull } from "../providers/adapter/json.ts";
import type { JsonApi, JsonApiOptions } from "../providers/adapter/json-api.ts";
import type { SendingInputs } from "./generate.ts";

/** The domain as it is in the tenant's account at the service. */
export interface AccountDomain {
  /** What the console shows, for `generateSending`. */
  readonly inputs: SendingInputs;
  /** The service sends for the domain. */
  readonly isAccepted: boolean;
}

export type SendingAccess = Readonly<Record<string, string>>;

/**
 * Reads the domain. With `verify` the service is first asked to check DNS again. A domain that the
 * account does not have is a ProviderError `not_found`.
 */
export type SendingReader = (
  open: (options: JsonApiOptions) => JsonApi,
  request: AccountRequest,
  signal: AbortSignal,
) => Promise<AccountDomain>;

export interface AccountRequest {
  readonly domain: string;
  readonly access: SendingAccess;
  /** Where the service's API is. */
  readonly baseUrl: string;
  readonly now: () => Date;
  readonly verify: boolean;
}

/** The sentence in an error answer of any of the services. */
export function explainAnswer(answer: HttpAnswer): { readonly message: string } | null {
  const body = jsonOrNull(answer);
  if (!isObject(body)) return null;
  const said = body["message"] ?? body["Message"];
  return typeof said === "string" ? { message: said } : null;
}

export function unknownDomain(name: string, domain: string): ProviderError {
  return new ProviderError("not_found", `${name} does not have ${domain}: add it there first.`);
}

/** A record's name relative to the sending domain. */
export function below(name: string, domain: string): string {
  const bare = name.toLowerCase().replace(/\.$/, "");
  return bare.endsWith(`.${domain}`) ? bare.slice(0, -domain.length - 1) : bare;
}
