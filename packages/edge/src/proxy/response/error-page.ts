import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Exchange, RejectionPage } from "../../http/exchange.ts";
import { type Fields, fieldValue } from "../../http/fields.ts";
import { grpcFields, isGrpc, toGrpcStatus } from "../../http/grpc.ts";
import { matchPageLanguage, type PageLanguage, pageDirection } from "./pages/language.ts";
import { findPageText, referenceWord } from "./pages/texts.ts";

/** A page that replaces the one of its status. */
export type ReplacingPage = "maintenance" | "not_connected";

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
  /** Instead of that of the status. */
  readonly page?: ReplacingPage;
  /** Instead of the page's text: what a tenant has written, in a language that nobody knows. */
  readonly message?: string;
}

/** Responds with an error page of the edge without waiting for the body of the request. */
export function sendErrorPage(exchange: Exchange, status: number, options: PageOptions): void {
  if (isGrpc(exchange.head.fields)) {
    sendGrpcStatus(exchange, status, options);
    return;
  }
  const own = exchange.errorPage?.(pageParts(status, options)) ?? null;
  const language = acceptedLanguage(exchange.head.fields);
  const body = Buffer.from(own ?? errorPage(status, language, options));
  const hasBody = exchange.head.method !== "HEAD";
  exchange.respond({
    status,
    reason: STATUS_CODES[status] ?? "",
    fields: [
      ...pageFields(options.reference),
      ...(own === null ? languageFields(language) : ownPageFields),
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

/** In English: for an application's own page, whose language is not known. */
function pageParts(status: number, options: PageOptions): PageParts {
  const [title, text] = findTexts(status, "en", options);
  return { status, title, message: options.message ?? text, reference: options.reference };
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
  const { reference, resetCode = null } = options;
  const text = `${pageParts(status, options).message} (${status}, reference ${reference})`;
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
  const language = acceptedLanguage(request);
  return {
    status,
    fields: [...pageFields(reference), ...languageFields(language)],
    body: errorPage(status, language, { reference }),
  };
}

function acceptedLanguage(request: Fields): PageLanguage {
  return matchPageLanguage(fieldValue(request, "accept-language"));
}

function languageFields(language: PageLanguage): readonly string[] {
  return ["content-language", language, "vary", "accept-language"];
}

function findTexts(
  status: number,
  language: PageLanguage,
  { page }: Pick<PageOptions, "page">,
): readonly [title: string, text: string] {
  return findPageText(language, page ?? status) ?? [STATUS_CODES[status] ?? "Error", ""];
}

/** The page of a status in English, for a server that fills in the reference itself. */
export function errorTemplate(status: number, reference: string): string {
  return errorPage(status, "en", { reference });
}

/** Nothing of the request is repeated; a text that a tenant has written is escaped. */
function errorPage(status: number, language: PageLanguage, options: PageOptions): string {
  const [title, text] = findTexts(status, language, options);
  const { message } = options;
  const said =
    message === undefined ? `<p>${text}</p>` : `<p lang="" dir="auto">${escapeHtml(message)}</p>`;
  const direction = pageDirection(language);
  const { reference } = options;
  // Digits behind Arabic letters would be moved.
  const shown = direction === "rtl" ? `<bdi>${reference}</bdi>` : reference;
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
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
${said}
<p><small>${status} · ${referenceWord(language)} ${shown}</small></p>
</main>
</body>
</html>
`;
}
