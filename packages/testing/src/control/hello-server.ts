import fastify from "fastify";

/** A bare Fastify that answers one line of JSON: what the API's speed is measured against. */
export async function startHello(): Promise<string> {
  const app = fastify({ logger: false });
  app.get("/", async () => ({ hello: "world" }));
  return app.listen({ host: "127.0.0.1", port: 0 });
}
