/** `/v1/connections/{id}/records:check` in the forms its users need. */
export function fastifyPath(path: string): string {
  // A literal colon is doubled for the router, which would otherwise see a parameter.
  return path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Matches a request path of this route whatever its method. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${escaped}$`);
}
