import { type Language, textDirection } from "../../domain/locales/languages.ts";
import { type Html, html } from "./html.ts";

/**
 * The style sheet of every page, and the one of the home page, as they are served under `/pages`.
 */
export const pageFiles = ["base.css", "home.css"] as const;

export interface PageParts {
  readonly language: Language;
  readonly title: string;
  /**
   * From the page to the root of the API: `""`, `"../"`. All addresses of a page are relative, so
   * that a path in front of the API works.
   */
  readonly root: "" | "../" | "../../" | "../../../";
  /** Style sheets after the base one, from the root. */
  readonly styles?: readonly string[];
  /** A page about a connection or a person is nothing for a search engine. */
  readonly isListed?: boolean;
  /** What else the head has. */
  readonly head?: Html;
  /** Its `main` element. */
  readonly body: Html;
}

/** Of our own pages; a page that customers see is the tenant's. */
const ownIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 5v9M4 7h8M2 10c0 3 3 4 6 4s6-1 6-4' fill='none' stroke='%230b7285' stroke-width='2'/%3E%3Ccircle cx='8' cy='3' r='2' fill='none' stroke='%230b7285' stroke-width='2'/%3E%3C/svg%3E";

/** The document of a page for a person: the home page, a sign-in page, a share page. */
export function renderPage(parts: PageParts): string {
  const { language, title, root, styles = [], isListed = false, head = null, body } = parts;
  const sheets = ["pages/base.css", ...styles];
  return html`<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${isListed ? null : html`<meta name="robots" content="noindex, nofollow">`}
    <title>${title}</title>
    <link rel="icon" href="${isListed ? ownIcon : "data:,"}">
    ${sheets.map((sheet) => html`<link rel="stylesheet" href="${root}${sheet}">`)}
    ${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`.markup;
}

interface PolicyParts {
  /** Scripts of ours, which may call us. */
  readonly hasScript?: boolean;
  /** The page has a form that is sent to us. */
  readonly hasForm?: boolean;
  /** The one other origin that pictures may come from. */
  readonly imageOrigin?: string | null;
}

/**
 * The Content-Security-Policy of such a page: nothing inline, nothing from elsewhere, framed by
 * nobody.
 */
export function pagePolicy(parts: PolicyParts = {}): string {
  const { hasScript = false, hasForm = false, imageOrigin = null } = parts;
  return [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "style-src 'self'",
    ...(hasScript ? ["connect-src 'self'"] : []),
    imageOrigin === null ? "img-src data:" : `img-src data: ${imageOrigin}`,
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ");
}
