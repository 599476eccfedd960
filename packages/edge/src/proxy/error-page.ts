import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Exchange, RejectionPage } from "../http/exchange.ts";

/** Title and text of each page. */
const pageTexts: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ["Bad request", "Your browser or app sent a request that cannot be understood."],
  404: ["Not set up yet", "This domain is connected, but nothing is published here yet."],
  405: ["Method not allowed", "This kind of request is not served here."],
  408: ["Request timed out", "The request took too long to arrive."],
  413: ["Upload too large", "What you sent is larger than what is accepted here."],
  417: ["Expectation failed", "The request expects something that is not offered here."],
  421: ["Wrong address", "This connection was opened for another name. Please reload the page."],
  431: ["Request too large", "The request's headers are larger than what is served here."],
  502: ["The site cannot be reached", "The server behind this domain did not answer properly."],
  503: ["Too busy", "There are too many requests right now. Please try again in a moment."],
  504: ["The site takes too long", "The server behind this domain did not answer in time."],
  505: ["Version not supported", "This version of HTTP is not served here."],
  508: [
    "Endless loop",
    "The server behind this domain sends requests back to where they come from.",
  ],
};

/** Repeats the page's reference as a response field. */
export const referenceField = "x-svc-reference";

/** Short enough to read aloud, unique enough to find in a log. */
export function newReference(): string {
  return randomBytes(6).toString("hex");
}

export interface PageOptions {
  readonly reference: string;
  /** Alternating names and values. */
  readonly fields?: readonly string[];
}

/** Responds with an error page of the edge without waiting for the body of the request. */
export function sendErrorPage(exchange: Exchange, status: number, options: PageOptions): void {
  const body = Buffer.from(errorPage(status, options.reference));
  const hasBody = exchange.head.method !== "HEAD";
  exchange.respond({
    status,
    reason: STATUS_CODES[status] ?? "",
    fields: [...pageFields(options.reference), ...(options.fields ?? [])],
    length: body.length,
    hasBody,
  });
  if (hasBody) exchange.write(body);
  exchange.end([]);
}

function pageFields(reference: string): readonly string[] {
  return [
    ...["content-type", "text/html; charset=utf-8"],
    ...["cache-control", "no-store"],
    ...[referenceField, reference],
  ];
}

/** The page for a request that could not be read. */
export function rejectionPage(status: number, reference: string): RejectionPage {
  return { fields: pageFields(reference), body: errorPage(status, reference) };
}

/** Fixed text only: nothing of the request is repeated, so nothing can be injected. */
function errorPage(status: number, reference: string): string {
  const [title, text] = pageTexts[status] ?? [STATUS_CODES[status] ?? "Error", ""];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; color: #222; background: #fff }
small { color: #595959 }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
<p><small>${status} · reference ${reference}</small></p>
</body>
</html>
`;
}
