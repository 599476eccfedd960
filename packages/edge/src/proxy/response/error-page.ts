import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Exchange, RejectionPage } from "../../http/exchange.ts";
import type { Fields } from "../../http/fields.ts";
import { grpcFields, isGrpc, toGrpcStatus } from "../../http/grpc.ts";

type PageTexts = readonly [title: string, text: string];

/** Title and text of each page. */
const pageTexts: Readonly<Record<number, PageTexts>> = {
  400: ["Bad request", "Your browser or app sent a request that cannot be understood."],
  401: ["Sign in", "This site is shown to those who sign in."],
  403: ["Not for you", "This site is not served to the network that you come from."],
  404: ["Not set up yet", "This domain is connected, but nothing is published here yet."],
  405: ["Method not allowed", "This kind of request is not served here."],
  408: ["Request timed out", "The request took too long to arrive."],
  413: ["Upload too large", "What you sent is larger than what is accepted here."],
  417: ["Expectation failed", "The request expects something that is not offered here."],
  421: ["Wrong address", "This connection was opened for another name. Please reload the page."],
  429: ["Too many requests", "You have sent too many requests. Please try again in a moment."],
  431: ["Request too large", "The request's headers are larger than what is served here."],
  501: ["Not supported", "What the request asks for is not served here."],
  502: ["The site cannot be reached", "The server behind this domain did not answer properly."],
  503: ["Too busy", "There are too many requests right now. Please try again in a moment."],
  504: ["The site takes too long", "The server behind this domain did not answer in time."],
  505: ["Version not supported", "This version of HTTP is not served here."],
  508: [
    "Endless loop",
    "The server behind this domain sends requests back to where they come from.",
  ],
};

/** Instead of those of 503: says neither who stopped serving the name nor why. */
export const maintenanceTexts: PageTexts = [
  "Under maintenance",
  "This site is not available at the moment. Please try again later.",
];

/** Instead of those of 421: a name that resolves to us and is not connected. */
export const notConnectedTexts: PageTexts = [
  "Not connected",
  "This name leads here, but no site is connected to it. If it is yours, connect it, or remove its DNS record.",
];

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
  /** The HTTP/2 error code with which the origin reset its stream. */
  readonly resetCode?: number | null;
  /** Instead of those of the status. */
  readonly texts?: PageTexts;
}

/** Responds with an error page of the edge without waiting for the body of the request. */
export function sendErrorPage(exchange: Exchange, status: number, options: PageOptions): void {
  if (isGrpc(exchange.head.fields)) {
    sendGrpcStatus(exchange, status, options);
    return;
  }
  const own = exchange.errorPage?.(pageParts(status, options)) ?? null;
  const body = Buffer.from(own ?? errorPage(status, options));
  const hasBody = exchange.head.method !== "HEAD";
  exchange.respond({
    status,
    reason: STATUS_CODES[status] ?? "",
    fields: [
      ...pageFields(options.reference),
      ...(own === null ? [] : ownPageFields),
      ...(options.fields ?? []),
    ],
    length: body.length,
    hasBody,
  });
  if (hasBody) exchange.write(body);
  exchange.end([]);
}

/** An error page has no script: what a tenant writes needs none, and nobody else's gets in. */
const ownPageFields: readonly string[] = [
  "content-security-policy",
  "default-src 'none'; style-src 'unsafe-inline' https:; img-src https: data:; font-src https: data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options",
  "nosniff",
];

/** What a page says. */
export interface PageParts {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly reference: string;
}

function pageParts(status: number, { reference, texts }: PageOptions): PageParts {
  const [title, message] = texts ?? findTexts(status);
  return { status, title, message, reference };
}

/** An application's page; values are escaped, and a placeholder that is not known stays. */
export function renderPage(html: string, parts: PageParts, hostname: string): string {
  const values: Readonly<Record<string, string | number>> = { ...parts, hostname };
  return html.replace(/\{\{([a-z]+)\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? escapeHtml(String(values[name])) : placeholder,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A gRPC client reads no page: it gets the status of its call and the page's text. */
function sendGrpcStatus(exchange: Exchange, status: number, options: PageOptions): void {
  const { fields = [] } = options;
  exchange.respond({
    status: 200,
    reason: "OK",
    fields: [...grpcPageFields(status, options), ...fields],
    length: null,
    hasBody: false,
  });
  exchange.end([]);
}

function grpcPageFields(status: number, options: PageOptions): Fields {
  const { reference, resetCode = null, texts = findTexts(status) } = options;
  const text = `${texts[1]} (${status}, reference ${reference})`;
  return [...grpcFields(toGrpcStatus(status, resetCode), text), referenceField, reference];
}

function pageFields(reference: string): readonly string[] {
  return [
    "content-type",
    "text/html; charset=utf-8",
    "cache-control",
    "no-store",
    referenceField,
    reference,
  ];
}

/** The response to a request that could not be read. */
export function rejectionPage(status: number, reference: string, request: Fields): RejectionPage {
  if (isGrpc(request)) {
    return { status: 200, fields: grpcPageFields(status, { reference }), body: "" };
  }
  return { status, fields: pageFields(reference), body: errorPage(status, { reference }) };
}

function findTexts(status: number): PageTexts {
  return pageTexts[status] ?? [STATUS_CODES[status] ?? "Error", ""];
}

/** The page of a status, for a server that fills in the reference itself. */
export function errorTemplate(status: number, reference: string): string {
  return errorPage(status, { reference });
}

/** Nothing of the request is repeated; a text that a tenant has written is escaped. */
function errorPage(status: number, options: PageOptions): string {
  const parts = pageParts(status, options);
  const { title, reference } = parts;
  const message = options.texts === undefined ? parts.message : escapeHtml(parts.message);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem; color: #222; background: #fff }
p { white-space: pre-line }
small { color: #595959 }
@media (prefers-color-scheme: dark) { body { color: #e3eaf0; background: #0f161c } small { color: #9fadb9 } }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${message}</p>
<p><small>${status} · reference ${reference}</small></p>
</main>
</body>
</html>
`;
}
