import type { FastifyReply, FastifyRequest } from "fastify";
import { type Language, matchLanguage, textDirection } from "../../domain/locales/languages.ts";
import { maintenanceTexts } from "../../domain/locales/maintenance-texts.ts";

/** Nobody knows when a suspension ends. */
const retryAfterSeconds = 3_600;

/**
 * What visitors of a suspended tenant's name get through a proxy of others; our edge has its own.
 * Fixed text only, which says neither who stopped serving the name nor why.
 */
function page(language: Language): string {
  const { title, text } = maintenanceTexts[language];
  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; color: #222; background: #fff }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;
}

export function sendMaintenance(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = matchLanguage(request.headers["accept-language"]);
  return reply
    .code(503)
    .headers({
      "retry-after": String(retryAfterSeconds),
      "cache-control": "no-store",
      "content-language": language,
      vary: "accept-language",
    })
    .type("text/html; charset=utf-8")
    .send(page(language));
}
