import { fileURLToPath } from "node:url";
import { Mooring, verifyAssertion, verifyWebhook } from "@mooring/sdk";
import express, { type Request } from "express";

const baseUrl = setting("MOORING_URL");
const applicationId = setting("MOORING_APP");
const webhookSecret = setting("MOORING_WEBHOOK_SECRET");
const app = express();

/** Stands in for a table of your database: your customers' domains, by the connection's id. */
const domains = new Map<string, Domain>();
interface Domain {
  readonly customer: string | null;
  readonly state: string;
  readonly sequence: number;
}

// region origin
// A request through the edge carries its assertion. Any other request is for your own site.
app.use(async (request, response, next) => {
  const assertion = request.headers["x-svc-assertion"];
  if (assertion === undefined) return next();
  const options = { issuer: baseUrl, audience: applicationId };
  const visited = await verifyAssertion(assertion, options).catch(() => null);
  if (visited === null) return response.sendStatus(403);
  if (visited.customerRef === null) return response.sendStatus(404);
  response.type("text").send(`${visited.hostname} is the shop of ${visited.customerRef}\n`);
});
// end region

// region token
const mooring = new Mooring({ baseUrl, apiKey: setting("MOORING_API_KEY") });

app.get("/svc-token", async (request, response) => {
  const customer = signedInCustomer(request);
  if (customer === null) {
    response.sendStatus(401);
    return;
  }
  const { auth_token: token } = await mooring.tokens.mint({
    application_id: applicationId,
    customer_ref: customer,
  });
  response.set("cache-control", "no-store").json({ baseUrl, applicationId, token });
});

/** Replace it with your session. Never take the customer from the request's own words. */
function signedInCustomer(_request: Request): string | null {
  return process.env["DEMO_CUSTOMER"] ?? null;
}
// end region

// region webhook
// The raw body: the signature covers the bytes, before any parsing.
const raw = express.raw({ type: "application/json", limit: "1mb" });

app.post("/webhooks", raw, async (request, response) => {
  const { body, headers } = request;
  const event = await verifyWebhook(body, headers, webhookSecret).catch(() => null);
  if (event === null) {
    response.sendStatus(400);
    return;
  }
  if ("connection" in event.data && event.data.connection) {
    const { id, customer_ref: customer, state } = event.data.connection;
    const { sequence } = event;
    // Events may arrive twice and out of order.
    if (sequence > (domains.get(id)?.sequence ?? 0)) domains.set(id, { customer, state, sequence });
  }
  response.sendStatus(204);
});
// end region

const settingsPage = fileURLToPath(new URL("../settings.html", import.meta.url));
app.get("/settings", (_request, response) => response.sendFile(settingsPage));

const port = Number(process.env["PORT"] ?? 3000);
app.listen(port, "127.0.0.1", () => console.log(`http://localhost:${port}/settings`));

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
