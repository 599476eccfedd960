import type { IncomingMessage, ServerResponse } from "node:http";
import { AssertionVerificationError, verifyAssertion } from "@mooring/sdk";
import type { DemoSettings } from "./state.ts";

/** What a customer's visitors see: the product's page under the customer's name. */
export async function serveCustomerSite(
  request: IncomingMessage,
  response: ServerResponse,
  parts: { readonly settings: DemoSettings; readonly applicationId: string; readonly css: string },
): Promise<void> {
  const hostname = parseHostname(request);
  const headers = {
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
  };
  if (request.url === "/site.css") {
    response.writeHead(200, { ...headers, "content-type": "text/css; charset=utf-8" });
    response.end(parts.css);
    return;
  }
  const isKnownPath = request.url === "/" || request.url?.startsWith("/?");
  response.writeHead(isKnownPath ? 200 : 404, {
    ...headers,
    "content-type": "text/html; charset=utf-8",
  });
  response.end(page(hostname, await assertionText(request, parts.settings, parts.applicationId)));
}

export function parseHostname(request: IncomingMessage): string {
  return (request.headers.host ?? "").toLowerCase().replace(/:\d+$/, "");
}

/** Verifies the edge's assertion; an origin that does so cannot be reached around the edge. */
async function assertionText(
  request: IncomingMessage,
  settings: DemoSettings,
  applicationId: string,
): Promise<string> {
  const header = request.headers["x-svc-assertion"];
  if (header === undefined) return "This request carries no assertion of the edge.";
  try {
    const { hostname, environment } = await verifyAssertion(header, {
      issuer: settings.publicUrl,
      jwksUrl: `${settings.apiUrl}/.well-known/jwks.json`,
      audience: applicationId,
    });
    return `The edge vouches for it: ${hostname}, ${environment} environment, signature checked.`;
  } catch (error) {
    if (!(error instanceof AssertionVerificationError)) throw error;
    return `The request's assertion is not to be trusted: ${error.message}.`;
  }
}

function page(hostname: string, assertion: string): string {
  const name = escapeHtml(hostname);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${name}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/site.css">
  </head>
  <body>
    <main>
      <p class="brand">Harbour</p>
      <h1>Welcome to ${name}</h1>
      <p>This is the demo site, served under a customer's own domain: through the edge, over TLS, with
      a certificate that was obtained for this name alone.</p>
      <p class="assertion">${escapeHtml(assertion)}</p>
    </main>
  </body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
