import type { FastifyInstance, FastifyRequest } from "fastify";
import { createAsk, routeHostname } from "../services/internal.ts";
import type { Runtime } from "../services/runtime.ts";

const askStatus = { allow: 200, deny: 403, invalid: 400 } as const;

/**
 * What an edge asks. Belongs on a private listener: it tells which hostnames are customers. The
 * answer to an unknown name and to one that is not yet verified is the same.
 */
export function mountInternal(app: FastifyInstance, runtime: Runtime): void {
  const ask = createAsk(runtime);
  app.get("/internal/ask", async (request, reply) => {
    const name = hostnameOf(request);
    const answer = name === null ? "invalid" : await ask(name);
    reply.code(askStatus[answer]).header("cache-control", "no-store");
    return { allow: answer === "allow" };
  });
  app.get("/internal/route", async (request, reply) => {
    const name = hostnameOf(request);
    const route = name === null ? null : await routeHostname(runtime, name);
    reply.header("cache-control", "no-store");
    if (route === null) return reply.code(404).send({ error: "no route" });
    return reply
      .headers({
        "x-svc-upstream": route.url,
        "x-svc-upstream-scheme": route.scheme,
        "x-svc-upstream-dial": route.dial,
        "x-svc-upstream-host": route.host,
        "x-svc-upstream-path": route.path,
      })
      .send({});
  });
}

/** `domain`, or `hostname` as its alias; null when missing or given twice. */
function hostnameOf(request: FastifyRequest): string | null {
  const query = request.query as Readonly<Record<string, unknown>>;
  const name = query["domain"] ?? query["hostname"];
  return typeof name === "string" && name !== "" ? name : null;
}
