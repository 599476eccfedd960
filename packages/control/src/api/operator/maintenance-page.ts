import type { FastifyReply } from "fastify";

/** Nobody knows when a suspension ends. */
const retryAfterSeconds = 3_600;

/**
 * What visitors of a suspended tenant's name get through a proxy of others; our edge has its own.
 * Fixed text only, which says neither who stopped serving the name nor why.
 */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Under maintenance</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; color: #222; background: #fff }
</style>
</head>
<body>
<h1>Under maintenance</h1>
<p>This site is not available at the moment. Please try again later.</p>
</body>
</html>
`;

export function sendMaintenance(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({ "retry-after": String(retryAfterSeconds), "cache-control": "no-store" })
    .type("text/html; charset=utf-8")
    .send(page);
}
