import { type Api, ApiProblem, problemOf } from "./api.ts";

export interface Renewal {
  readonly token: () => string;
  /** False when there is nobody to ask, or no token was given. */
  readonly renew: () => Promise<boolean>;
  /** The same API, which gets a fresh token and tries once more when it is refused. */
  readonly guard: (api: Api) => Api;
}

/** The session is over: the spec's two statuses. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 401 || error.status === 403);
}

export function createRenewal(
  first: string | null,
  getToken: (() => Promise<string> | string) | null,
): Renewal {
  let token = first;
  let underWay: Promise<boolean> | null = null;

  const ask = async () => {
    try {
      const fresh: unknown = await getToken?.();
      if (typeof fresh !== "string" || fresh === "") return false;
      token = fresh;
      return true;
    } catch {
      // The page could not get one; the widget then says that the session has expired.
      return false;
    } finally {
      underWay = null;
    }
  };
  /** Calls that are refused together share one fresh token. */
  const renew = () => {
    underWay ??= ask();
    return underWay;
  };
  /** Whether another try may go better: somebody renewed the token meanwhile, or it is done now. */
  const isFreshSince = async (used: string | null) => used !== token || (await renew());
  return {
    token: () => token ?? "",
    renew,
    guard: (api) => ({
      async call<R>(method: "GET" | "POST", path: string, body?: unknown): Promise<R> {
        if (token === null && !(await renew())) throw noToken();
        const used = token;
        try {
          return await api.call<R>(method, path, body);
        } catch (error) {
          const isWorthIt = isRefused(error) && getToken !== null;
          if (!isWorthIt || !(await isFreshSince(used))) throw error;
        }
        return api.call<R>(method, path, body);
      },
    }),
  };
}

function noToken(): ApiProblem {
  return new ApiProblem(problemOf("unauthorized", "getToken gave no token"), 401);
}

/**
 * The one hostname that a token may act on, so that another is refused in words instead of by a 403.
 * Only the service can tell whether a token is good; nothing here is trusted further than that.
 */
export function boundDomainOf(token: string | null): string | null {
  const payload = token?.split(".")[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof claims !== "object" || claims === null || !("domain" in claims)) return null;
    return typeof claims.domain === "string" ? claims.domain : null;
  } catch {
    // A token of another form; the service will say what it thinks of it.
    return null;
  }
}
