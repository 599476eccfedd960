import { verifyAssertion } from "@mooring/sdk";
import type { MiddlewareHandler } from "hono";
import { html } from "hono/html";
import type { Settings } from "./settings.ts";
import type { Store } from "./store.ts";

/** Serves the shop of the account whose domain was visited. Requests without an assertion pass. */
export function customerSites(
  { baseUrl, applicationId }: Settings,
  store: Store,
): MiddlewareHandler {
  return async (c, next) => {
    const assertion = c.req.header("x-svc-assertion");
    if (assertion === undefined) return next();
    const options = { issuer: baseUrl, audience: applicationId };
    const visited = await verifyAssertion(assertion, options).catch(() => null);
    if (visited === null) return c.text("Forbidden\n", 403);
    const { customerRef } = visited;
    const account = customerRef === null ? null : store.accountById(customerRef);
    if (account === null) return c.text("Not found\n", 404);
    return c.html(html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${account.shop}</title></head>
  <body><h1>${account.shop}</h1><p>Welcome to ${visited.hostname}.</p></body>
</html>`);
  };
}
