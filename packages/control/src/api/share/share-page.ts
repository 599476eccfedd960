import { toUnicode } from "@mooring/dns";
import { isPreparing } from "../../domain/connections/cutover.ts";
import type { Finding, Severity } from "../../domain/diagnosis/finding.ts";
import { findingText } from "../../domain/locales/findings/texts.ts";
import { fillIn, type Language, languageNames, languages } from "../../domain/locales/languages.ts";
import { shareTexts } from "../../domain/locales/share/texts.ts";
import type { ShareBrand } from "../../services/share/brand.ts";
import type { SharedConnection, SharedPart } from "../../services/share/links.ts";
import {
  isOpen,
  isTask,
  pageStatus,
  readersFindings,
  type ShareStatus,
} from "../../services/share/status.ts";
import { type Html, html } from "../pages/html.ts";
import { type PageParts, renderPage } from "../pages/layout.ts";
import type { Reader } from "./share-reader.ts";
import { findingRecords, recordCards } from "./share-records.ts";

const refreshSeconds = 30;
/**
 * With a script. Records can be taken back after the connection is live, so it continues, slower.
 */
export const watchSeconds = { open: 15, settled: 60 } as const;

type Frame = Pick<PageParts, "language" | "root">;

export interface SharePageRequest extends Frame {
  /** The last segment of its address, which its files are below. */
  readonly token: string;
  /** The page that it was opened from. */
  readonly back?: { readonly href: string; readonly text: string };
}

/**
 * The page about one connection or a pair. Complete without a script; with one, values can be
 * copied.
 */
export function sharePage(shared: SharedConnection, page: SharePageRequest): string {
  const { parts, brand } = shared;
  const { token, language, root, back } = page;
  const domain = toUnicode(parts[0].connection.hostname);
  const names = { brand: brand.name, domain };
  const reader: Reader = {
    language,
    brand,
    t: (key, params) => fillIn(shareTexts[language][key], { ...names, ...params }, language),
  };
  const { t } = reader;
  const status = pageStatus(
    parts.map((part) => {
      const { findings, isEarly } = part.diagnosis;
      return { ...part, findings, isEarly };
    }),
  );
  const isSettled = status === "done" || status === "ended";
  const isDone = status === "done";
  return layout({
    language,
    root,
    title: isDone ? t("done") : t("title", { domain: allNames(shared, language) }),
    // A script refreshes without a jump; only a reader without one needs the page to reload.
    head: html`${isSettled ? null : reloading}${brandStyle(brand, token)}`,
    body: html`<main id="page" data-refresh="${isSettled ? watchSeconds.settled : watchSeconds.open}"${scriptTexts(reader)}>
      ${brandLine(brand)}
      ${back === undefined ? null : html`<p><a href="${back.href}">${back.text}</a></p>`}
      <h1>${isDone ? t("done") : t("heading", { domain: allNames(shared, language) })}${asciiNames(shared)}</h1>
      ${isDone ? html`<p class="lede">${t("done_hint")} ${redirected(shared, reader)}</p>` : openPage(shared, token, status, reader)}
    </main>`,
  });
}

export const reloading = html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`;

export function brandStyle({ color }: ShareBrand, token: string): Html | null {
  return color === null ? null : html`<link rel="stylesheet" href="${token}/brand.css">`;
}

function allNames({ parts }: SharedConnection, language: Language): string {
  const names = parts.map(({ connection }) => toUnicode(connection.hostname));
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names);
}

/** An internationalized name is read in Unicode; what has to be typed is its A-label form. */
function asciiNames({ parts }: SharedConnection): readonly Html[] {
  const hostnames = parts.map(({ connection }) => connection.hostname);
  return hostnames
    .filter((hostname) => toUnicode(hostname) !== hostname)
    .map((hostname) => html` <small dir="ltr">${hostname}</small>`);
}

/** Of a pair: where visitors of the other name end up. */
function redirected({ parts: [, other] }: SharedConnection, { t }: Reader): string {
  return other === undefined ? "" : t("pair", { other: toUnicode(other.connection.hostname) });
}

function openPage(
  shared: SharedConnection,
  token: string,
  status: ShareStatus,
  reader: Reader,
): Html {
  const { t } = reader;
  const domain = allNames(shared, reader.language);
  const isPrepared = shared.parts.some(({ connection }) => isPreparing(connection));
  return html`<p class="lede">${t("why", { domain })} ${redirected(shared, reader)} ${t("why_safe")}</p>
      ${isPrepared ? html`<p class="lede"><strong>${t("prepare", { domain })}</strong></p>` : null}
      ${statusCard(shared, status, reader)}
      ${findings(shared, reader)}
      ${recordCards(shared.parts, token, reader)}
      ${foot(shared, reader)}`;
}

/** The same page for an unknown link and for an expired one: a guesser learns nothing. */
export function expiredPage({ language, root }: Frame): string {
  const { expired, expired_hint } = shareTexts[language];
  return layout({
    language,
    root,
    title: expired,
    body: html`<main id="page" data-refresh="0"><h1>${expired}</h1><p class="lede">${expired_hint}</p></main>`,
  });
}

/** A page that says why the page cannot be shown now, and loads again by itself. */
export function troublePage({ language, root }: Frame, which: "busy" | "trouble"): string {
  const texts = shareTexts[language];
  return layout({
    language,
    root,
    title: texts[which],
    head: reloading,
    body: html`<main id="page" data-refresh="${watchSeconds.open}">
      <h1>${texts[which]}</h1><p class="lede">${texts[`${which}_hint`]}</p></main>`,
  });
}

type ShareParts = Pick<PageParts, "language" | "root" | "title" | "head" | "body">;

export function layout({ head = html``, ...page }: ShareParts): string {
  return renderPage({
    ...page,
    styles: ["share/share.css"],
    head: html`<script type="module" src="${page.root}share/share.js"></script>
    ${head}`,
  });
}

/** The texts of what the script adds. */
export function scriptTexts({ t }: Reader): Html {
  return html` data-copy="${t("copy")}" data-copied="${t("copied")}" data-copy-what="${t("copy_what", { what: "{what}" })}" data-print="${t("print")}"`;
}

export function brandLine({ name, logoUrl }: ShareBrand): Html {
  const logo =
    logoUrl === null
      ? html``
      : html`<img class="logo" src="${logoUrl}" alt="" width="32" height="32" referrerpolicy="no-referrer"> `;
  return html`<p class="brand">${logo}<span>${name}</span></p>`;
}

function statusCard(shared: SharedConnection, status: ShareStatus, { t }: Reader): Html {
  const records = shared.parts.flatMap((part) => part.records);
  const counts = { n: records.filter(isOpen).length, all: records.length };
  return html`<section class="status ${tones[status]}" aria-label="${t("status")}">
        <p class="headline"><span class="dot" aria-hidden="true"></span>${t(status, counts)}</p>
        <p>${t(`${status}_hint`)}</p>
      </section>`;
}

function findings(shared: SharedConnection, reader: Reader): Html {
  const cards = shared.parts.flatMap((part) =>
    readersFindings(part.diagnosis.findings).map((one) => findingCard(one, part, reader)),
  );
  // What is wrong with the zone is found for both names of a pair, and said once.
  const all = cards.filter((card, index) => {
    return cards.findIndex(({ markup }) => markup === card.markup) === index;
  });
  if (all.length === 0) return html``;
  return html`<section aria-labelledby="findings">
        <h2 id="findings">${reader.t("findings")}</h2>
        ${all}
      </section>`;
}

function findingCard(finding: Finding, shared: SharedPart, reader: Reader): Html {
  const { t, language } = reader;
  const { severity, actor, evidence } = finding;
  const { title, fix } = findingText(finding, language);
  // Evidence quotes servers and names protocols, in English only.
  const proof =
    evidence.length === 0 || language !== "en"
      ? html``
      : html`<details><summary>${t("evidence")}</summary><ul>${evidence.map((line) => html`<li>${line}</li>`)}</ul></details>`;
  const move = actor === "end_customer" ? "actor_end_customer" : "actor_wait";
  const tone = isTask(finding, shared.diagnosis.isEarly) ? "wait" : severityTones[severity];
  return html`<article class="finding ${tone}">
          <div class="row"><h3>${title}</h3><span class="move">${t(move)}</span></div>
          <p>${fix}</p>
          ${findingRecords(finding, shared, reader)}
          ${proof}
        </article>`;
}

function foot({ parts, expiresAt }: SharedConnection, reader: Reader): Html {
  return pageFoot({ checkedAt: parts[0].diagnosis.checkedAt, expiresAt }, reader);
}

export function pageFoot(
  { checkedAt, expiresAt }: { readonly checkedAt: Date; readonly expiresAt: Date },
  reader: Reader,
): Html {
  const { t, language, brand } = reader;
  const support =
    brand.supportUrl === null
      ? html``
      : html`<p><a href="${brand.supportUrl}" rel="noreferrer">${t("support")}</a></p>`;
  return html`<footer>
        ${support}
        <p>${timed(t("checked"), checkedAt, language)}</p>
        <p>${timed(t("valid"), expiresAt, language)}</p>
        <nav aria-label="${t("language")}">${languages.map((one) => languageLink(one, language))}</nav>
      </footer>`;
}

export function languageLink(one: Language, current: Language): Html {
  const name = languageNames[one];
  return one === current
    ? html`<span aria-current="true" lang="${one}">${name}</span> `
    : html`<a href="?lang=${one}" lang="${one}" hreflang="${one}">${name}</a> `;
}

/** The text with `{time}` as an element, which the script turns into the reader's own time zone. */
export function timed(text: string, at: Date, language: Language): Html {
  const [before = "", after = ""] = text.split("{time}");
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return html`${before}<time datetime="${at.toISOString()}">${format.format(at)} UTC</time>${after}`;
}

type Tone = "wait" | "good" | "bad";

const tones: Readonly<Record<ShareStatus, Tone>> = {
  add: "wait",
  fix: "bad",
  replace: "wait",
  switch: "good",
  spreading: "wait",
  placed: "good",
  securing: "good",
  sender: "good",
  done: "good",
  ended: "bad",
  unknown: "wait",
};

const severityTones: Readonly<Record<Severity, Tone>> = {
  error: "bad",
  warning: "wait",
  info: "good",
};
