import type { FastifyInstance } from "fastify";

/** `/demo` leads to the demo site where one runs beside the API. */
export function mountDemo(app: FastifyInstance, demoUrl: string | null): void {
  if (demoUrl === null) return;
  for (const path of ["/demo", "/demo/"]) {
    app.get(path, (_request, reply) =>
      reply.header("cache-control", "no-store").redirect(demoUrl, 302),
    );
  }
}
