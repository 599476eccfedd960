import path from "node:path";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { secureHeaders } from "hono/secure-headers";
import { accountRoutes } from "./accounts.ts";
import { domainRoutes, webhookRoutes } from "./domains.ts";
import { readSettings } from "./settings.ts";
import { customerSites } from "./sites.ts";
import { openStore } from "./store.ts";

const settings = readSettings();
const folder = path.resolve(import.meta.dirname, "..");
const store = openStore(process.env["DATABASE_FILE"] ?? path.join(folder, "saas.db"));

const app = new Hono();
app.use(customerSites(settings, store));
app.route("/", webhookRoutes(settings, store));
app.use(csrf());
app.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // The widget calls the service, and shows its logo.
      connectSrc: ["'self'", settings.baseUrl],
      scriptSrc: ["'self'", settings.baseUrl],
      imgSrc: ["'self'", "data:", "https:"],
    },
  }),
);
app.route("/api", accountRoutes(store));
app.route("/api", domainRoutes(settings, store));
app.use("/dist/*", serveStatic({ root: folder }));
app.get("/", serveStatic({ path: path.join(folder, "web/index.html") }));

const port = Number(process.env["PORT"] ?? 3000);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () =>
  console.log(`http://localhost:${port}/`),
);
