import fastify from "fastify";
import pg from "pg";

/**
 * What the API's speed is measured against: a bare Fastify that answers one line of JSON, or one
 * row of the API's database, for anybody.
 */
const app = fastify({ logger: false });
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 10 });

app.get("/", async () => ({ hello: "world" }));
app.get<{ Params: { readonly id: string } }>("/v1/connections/:id", async ({ params }) => {
  const { rows } = await pool.query({
    name: "connection",
    text: "select * from connections where id = $1",
    values: [params.id],
  });
  return rows[0];
});

process.send?.({ url: await app.listen({ host: "127.0.0.1", port: 0 }) });
process.once("disconnect", () => process.exit(0));
