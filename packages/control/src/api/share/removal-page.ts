import { toUnicode } from "@mooring/dns";
import { fillIn, type Params } from "../../domain/locales/languages.ts";
import { type RemovalTexts, removalTexts } from "../../domain/locales/removal-texts.ts";
import { shareTexts } from "../../domain/locales/share/texts.ts";
import type { RemovalRequest } from "../../services/share/removal.ts";
import { type Html, html } from "../pages/html.ts";
import type { PageRequest } from "./linked-page.ts";
import {
  brandLine,
  brandStyle,
  layout,
  pageFoot,
  reloading,
  scriptTexts,
  watchSeconds,
} from "./share-page.ts";
import type { Reader } from "./share-reader.ts";
import { field } from "./share-records.ts";

/**
 * The page that asks to remove what an archived connection left in DNS: which record, its value,
 * and why. It offers nothing else.
 */
export function removalPage(
  request: RemovalRequest,
  { token, language, root }: PageRequest,
): string {
  const { brand, hostname, zone, records } = request;
  const domain = toUnicode(hostname);
  const names = { brand: brand.name, domain, zone: toUnicode(zone) };
  const own = (key: keyof RemovalTexts, params?: Params) =>
    fillIn(removalTexts[language][key], { ...names, ...params }, language);
  const reader: Reader = {
    language,
    brand,
    t: (key, params) => fillIn(shareTexts[language][key], { ...names, ...params }, language),
  };
  const isGone = records?.length === 0;
  const title = isGone ? own("gone") : own("title");
  const ascii = domain === hostname ? null : html` <small dir="ltr">${hostname}</small>`;
  return layout({
    language,
    root,
    title,
    head: html`${isGone ? null : reloading}${brandStyle(brand, token)}`,
    body: html`<main id="page" data-refresh="${isGone ? watchSeconds.settled : watchSeconds.open}"${scriptTexts(reader)}>
      ${brandLine(brand)}
      <h1>${title}${ascii}</h1>
      ${isGone ? html`<p class="lede">${own("gone_hint")}</p>` : openRequest(request, own, reader)}
      ${pageFoot(request, reader)}
    </main>`,
  });
}

type Own = (key: keyof RemovalTexts, params?: Params) => string;

function openRequest({ records }: RemovalRequest, own: Own, reader: Reader): Html {
  const { t } = reader;
  const isKnown = records !== null;
  return html`<p class="lede">${own("why")} ${own("risk")}</p>
      <p class="lede">${own("where")}</p>
      <section class="status ${isKnown ? "bad" : "wait"}" aria-label="${t("status")}">
        <p class="headline"><span class="dot" aria-hidden="true"></span>${isKnown ? own("found") : t("unknown")}</p>
        <p>${own("found_hint")}</p>
      </section>
      ${isKnown ? recordList(records, own, reader) : null}`;
}

function recordList(
  records: NonNullable<RemovalRequest["records"]>,
  own: Own,
  { t }: Reader,
): Html {
  return html`<section aria-label="${own("records")}">
        <h2>${own("records")}</h2>
        ${records.map(
          ({ host, type, value }) => html`<article class="record">
          <div class="row"><h3><span class="type">${type}</span> ${own("purpose")}</h3></div>
          <dl>${field(t("full_name"), host, type)}${field(t("value"), value, type)}</dl>
        </article>`,
        )}
      </section>`;
}
