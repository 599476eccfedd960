import type { IncomingMessage, ServerResponse } from "node:http";
import { problem, sendJson } from "./confirm-requests.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** RFC 9728, section 3.1: the well-known part stands before the resource's own path. */
export function metadataUrl(resource: URL): string {
  return `${resource.origin}${wellKnown}${resource.pathname}`;
}

/** Also without the path, for clients that do not know the rule. */
export function isMetadataPath(pathname: string, resource: URL): boolean {
  return [wellKnown, `${wellKnown}/mcp`, `${wellKnown}${resource.pathname}`].includes(pathname);
}

/**
 * What a client may know before it has a key (RFC 9728). It names no authorization server: the
 * bearer tokens are API keys, which a person makes.
 */
export function sendMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  resource: URL,
): void {
  const metadata = {
    resource: resource.href,
    resource_name: "Mooring",
    bearer_methods_supported: ["header"],
    scopes_supported: ["connections:read", "connections:write", "apps:admin"],
  };
  if (request.method === "GET") sendJson(response, 200, metadata);
  else sendJson(response, 405, problem("invalid", "The metadata is read by GET."));
}
