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
