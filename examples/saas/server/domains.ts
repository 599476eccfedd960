import { Mooring, verifyWebhook } from "@mooring/sdk";
import { Hono } from "hono";
import { signedIn } from "./accounts.ts";
import type { Settings } from "./settings.ts";
import type { Store } from "./store.ts";

/**
 * What the settings page of an account needs: a token for the widget, and the account's domains.
 */
export function domainRoutes(settings: Settings, store: Store): Hono {
  const { baseUrl, apiKey, applicationId } = settings;
  const mooring = new Mooring({ baseUrl, apiKey });
  const routes = new Hono();
  routes.get("/svc-token", async (c) => {
    const account = signedIn(c, store);
    if (account === null) return c.json({ problem: "Sign in." }, 401);
    const { auth_token: token } = await mooring.tokens.mint({
      application_id: applicationId,
      customer_ref: account.id,
    });
    c.header("cache-control", "no-store");
    return c.json({ baseUrl, applicationId, token });
  });
  routes.get("/domains", (c) => {
    const account = signedIn(c, store);
    if (account === null) return c.json({ problem: "Sign in." }, 401);
    const domains = store.domainsOf(account.id);
    return c.json(
      domains.map(({ connection: id, hostname, state, problem }) => ({
        id,
        hostname,
        state,
        problem,
      })),
    );
  });
  routes.delete("/domains/:id", async (c) => {
    const account = signedIn(c, store);
    if (account === null) return c.json({ problem: "Sign in." }, 401);
    const id = c.req.param("id");
    if (store.domain(id)?.account !== account.id)
      return c.json({ problem: "No such domain." }, 404);
    await mooring.connections.delete(id);
    return c.body(null, 204);
  });
  return routes;
}

/** The receiver of webhooks: each event says how a domain of an account stands. */
export function webhookRoutes({ webhookSecret }: Settings, store: Store): Hono {
  const routes = new Hono();
  routes.post("/webhooks", async (c) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    const event = await verifyWebhook(body, c.req.raw.headers, webhookSecret).catch(() => null);
    if (event === null) return c.text("Bad request\n", 400);
    const connection = "connection" in event.data ? event.data.connection : null;
    if (connection?.customer_ref) {
      store.putDomain({
        connection: connection.id,
        account: connection.customer_ref,
        hostname: connection.hostname,
        state: connection.state,
        problem: connection.error_code,
        sequence: event.sequence,
      });
    }
    return c.body(null, 204);
  });
  return routes;
}
