import { type Api, ApiProblem, createProblem } from "./api.ts";

export interface Renewal {
  readonly token: () => string;
  /** Resolves to false without `getToken`, or when it returns no token. */
  readonly renew: () => Promise<boolean>;
  /** Wraps an API: a refused call is retried once with a new token. */
  readonly guard: (api: Api) => Api;
}

/** Whether the API refused the token (401 or 403), which ends the session. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 401 || error.status === 403);
}

export function createRenewal(
  first: string | null,
  getToken: (() => Promise<string> | string) | null,
): Renewal {
  let token = first;
  warnUnnamed(first);
  let renewing: Promise<boolean> | null = null;

  const ask = async () => {
    try {
      const fresh: unknown = await getToken?.();
      if (typeof fresh !== "string" || fresh === "") return false;
      token = fresh;
      warnUnnamed(fresh);
      return true;
    } catch {
      // The page could not get a token; the widget shows that the session has expired.
      return false;
    } finally {
      renewing = null;
    }
  };
  /** Concurrent refused calls share one renewal. */
  const renew = () => {
    renewing ??= ask();
    return renewing;
  };
  /** Whether there is a newer token than the used one, if need be by renewing it. */
  const isFreshSince = async (used: string | null) => used !== token || (await renew());
  return {
    token: () => token ?? "",
    renew,
    guard: (api) => ({
      async call<R>(...[method, path, body]: Parameters<Api["call"]>): Promise<R> {
        if (token === null && !(await renew())) throw noToken();
        const used = token;
        try {
          return await api.call<R>(method, path, body);
        } catch (error) {
          const canRetry = isRefused(error) && getToken !== null;
          if (!canRetry || !(await isFreshSince(used))) throw error;
        }
        return api.call<R>(method, path, body);
      },
    }),
  };
}

function noToken(): ApiProblem {
  return new ApiProblem(createProblem("unauthorized", "getToken returned no token"), 401);
}

export interface TokenClaims {
  /**
   * The only hostname that the token is valid for, so that another one gets a message instead of a
   * 403.
   */
  readonly domain: string | null;
  /** Whether it names the customer, whose domains it then lists. */
  readonly isOfCustomer: boolean;
}

/** What a token says of itself. It is not verified here; only the service can do that. */
export function readClaims(token: string | null): TokenClaims {
  const { domain, cus } = decodePayload(token);
  return {
    domain: typeof domain === "string" ? domain : null,
    isOfCustomer: typeof cus === "string",
  };
}

function decodePayload(token: string | null): {
  readonly domain?: unknown;
  readonly cus?: unknown;
} {
  const payload = token?.split(".")[1];
  if (payload === undefined) return {};
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    // Not a JWT with JSON claims; the service decides about it.
    return {};
  }
}

let hasWarned = false;

/** Tells the developer once that the token does not say whose browser this is. */
function warnUnnamed(token: string | null): void {
  const { domain, isOfCustomer } = readClaims(token);
  if (hasWarned || token === null || domain !== null || isOfCustomer) return;
  hasWarned = true;
  // biome-ignore lint/suspicious/noConsole: the console is where the page's developer reads
  console.warn(
    "Svc.open: this token names no customer, so a domain that is connected cannot be opened again. Mint it for the signed-in customer: POST /v1/tokens with customer_ref.",
  );
}
