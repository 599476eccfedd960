import { readFile } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { Mooring, verifyAssertion, verifyWebhook } from "@mooring/sdk";
import { Hono } from "hono";

const baseUrl = setting("MOORING_URL");
const applicationId = setting("MOORING_APP");
const webhookSecret = setting("MOORING_WEBHOOK_SECRET");
const app = new Hono();

/** Stands in for a table of your database: your customers' domains, by the connection's id. */
const domains = new Map<string, Domain>();
interface Domain {
  readonly customer: string | null;
  readonly state: string;
  readonly sequence: number;
}

// region origin
// A request through the edge carries its assertion. Any other request is for your own site.
app.use(async (c, next) => {
  const assertion = c.req.header("x-svc-assertion");
  if (assertion === undefined) return next();
  const options = { issuer: baseUrl, audience: applicationId };
  const visited = await verifyAssertion(assertion, options).catch(() => null);
  if (visited === null) return c.text("Forbidden\n", 403);
  if (visited.customerRef === null) return c.text("Not found\n", 404);
  return c.text(`${visited.hostname} is the shop of ${visited.customerRef}\n`);
});
// end region

// region token
const mooring = new Mooring({ baseUrl, apiKey: setting("MOORING_API_KEY") });

app.get("/svc-token", async (c) => {
  const customer = signedInCustomer(c.req.raw);
  if (customer === null) return c.text("Sign in first\n", 401);
  const { auth_token: token } = await mooring.tokens.mint({
    application_id: applicationId,
    customer_ref: customer,
  });
  c.header("cache-control", "no-store");
  return c.json({ baseUrl, applicationId, token });
});

/** Replace it with your session. Never take the customer from the request's own words. */
function signedInCustomer(_request: Request): string | null {
  return process.env["DEMO_CUSTOMER"] ?? null;
}
// end region

// region webhook
app.post("/webhooks", async (c) => {
  const body = new Uint8Array(await c.req.arrayBuffer());
  const event = await verifyWebhook(body, c.req.raw.headers, webhookSecret).catch(() => null);
  if (event === null) return c.text("Bad request\n", 400);
  if ("connection" in event.data && event.data.connection) {
    const { id, customer_ref: customer, state } = event.data.connection;
    const { sequence } = event;
    // Events may arrive twice and out of order.
    if (sequence > (domains.get(id)?.sequence ?? 0)) domains.set(id, { customer, state, sequence });
  }
  return c.body(null, 204);
});
// end region

app.get("/settings", async (c) =>
  c.html(await readFile(new URL("../settings.html", import.meta.url), "utf8")),
);

const port = Number(process.env["PORT"] ?? 3000);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`http://localhost:${port}/settings`),
);

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
