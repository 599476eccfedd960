import type { FastifyInstance, FastifyReply } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Plan } from "../../domain/billing/plan.ts";
import { mountFiles } from "./assets.ts";
import { billingPage, homePage } from "./home-page.ts";
import { pageFiles, pagePolicy } from "./layout.ts";

const pageHeaders = {
  "content-security-policy": pagePolicy(),
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

const directory = new URL("../../../assets/pages/", import.meta.url);

interface HomeParts {
  readonly config: Pick<Config, "demoUrl" | "stripeSecretKey">;
  readonly plans: readonly Plan[];
  /** The guide is built. */
  readonly hasGuide: boolean;
}

/**
 * The pages at the API's own address: the way to everything else, and the page for a used-up plan.
 */
export function mountHome(app: FastifyInstance, { config, plans, hasGuide }: HomeParts): void {
  const sold = config.stripeSecretKey === null ? [] : plans.filter((plan) => plan.price_cents > 0);
  const send = (reply: FastifyReply, page: string) =>
    reply.headers(pageHeaders).type("text/html; charset=utf-8").send(page);
  app.get("/", (_request, reply) => {
    const isConsole = app.hasRoute({ method: "GET", url: "/console/*" });
    const ways = { guide: hasGuide, demo: config.demoUrl !== null, console: isConsole };
    return send(reply, homePage(ways));
  });
  app.get("/billing", (_request, reply) => send(reply, billingPage(sold, hasGuide)));
  mountFiles(app, "/pages", directory, pageFiles);
}
