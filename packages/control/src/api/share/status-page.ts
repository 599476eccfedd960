import { toUnicode } from "@mooring/dns";
import { connectionSituation, type Situation } from "../../domain/connections/situation.ts";
import type { FindingHeadline } from "../../domain/diagnosis/finding.ts";
import { findingText } from "../../domain/locales/findings/texts.ts";
import { fillIn, type Language, languages, type Params } from "../../domain/locales/languages.ts";
import { shareTexts } from "../../domain/locales/share/texts.ts";
import { situationTexts } from "../../domain/locales/status/situations.ts";
import { type StatusTexts, statusTexts } from "../../domain/locales/status/texts.ts";
import type { ShareBrand } from "../../services/share/brand.ts";
import type { CustomerDomain, CustomerStatus } from "../../services/share/status-links.ts";
import { type Html, html } from "../pages/html.ts";
import { renderPage } from "../pages/layout.ts";
import type { PageRequest } from "./linked-page.ts";
import { brandLine, brandStyle, languageLink, timed } from "./share-page.ts";

interface Reader {
  readonly language: Language;
  readonly now: Date;
  readonly token: string;
  readonly brand: ShareBrand;
  readonly t: (key: keyof StatusTexts, params?: Params) => string;
}

/** The page about all domains of a customer. It has no script. */
export function statusPage(
  status: CustomerStatus,
  { token, language, root }: PageRequest,
  now: Date,
): string {
  const { brand, domains, isCut } = status;
  const t: Reader["t"] = (key, params) => statusText(language, key, brand, params);
  const reader: Reader = { language, now, token, brand, t };
  return renderPage({
    language,
    root,
    title: t("title"),
    styles: ["share/share.css"],
    head: html`${brandStyle(brand, token)}`,
    body: html`<main id="page">
      ${brandLine(brand)}
      <h1>${t("title")}</h1>
      <p class="lede">${t("lede")}</p>
      ${
        domains.length === 0
          ? html`<p>${t("none")}</p>`
          : html`<ul class="domains">${domains.map((domain) => domainCard(domain, reader))}</ul>`
      }
      ${isCut ? html`<p>${t("cut", { n: domains.length })}</p>` : null}
      ${foot(status, reader)}
    </main>`,
  });
}

/** A text of the page, with the brand's name in it. */
export function statusText(
  language: Language,
  key: keyof StatusTexts,
  { name }: Pick<ShareBrand, "name">,
  params: Params = {},
): string {
  return fillIn(statusTexts[language][key], { brand: name, ...params }, language);
}

type Tone = "good" | "wait" | "bad";

/** What is being set up is not broken: records that are not there yet are no alarm. */
const tones: Readonly<Partial<Record<Situation, Tone>>> = {
  live: "good",
  ready: "good",
  drifted: "bad",
  failed: "bad",
};

function domainCard(domain: CustomerDomain, reader: Reader): Html {
  const { t, language } = reader;
  const situation = connectionSituation(domain);
  const shown = toUnicode(domain.hostname);
  const ascii =
    shown === domain.hostname ? null : html` <small dir="ltr">${domain.hostname}</small>`;
  const checked =
    domain.lastCheckedAt === null
      ? html`${t("never")}`
      : timed("{time}", domain.lastCheckedAt, language);
  return html`<li class="record">
          <div class="row"><h2><bdi>${shown}</bdi>${ascii}</h2><span class="chip ${tones[situation] ?? "wait"}">${situationTexts[language][situation]}</span></div>
          <dl>
            <div><dt>${t("next")}</dt><dd>${nextStep(domain, reader)}</dd></div>
            <div><dt>${t("certificate")}</dt><dd>${certificate(domain, reader)}</dd></div>
            <div><dt>${t("checked")}</dt><dd>${checked}</dd></div>
          </dl>
        </li>`;
}

const toSwitch: readonly Situation[] = ["ready", "reverted"];

/** What is to do and by whom. What others have to do is not described: it may be about servers. */
function nextStep(domain: CustomerDomain, reader: Reader): Html {
  const { t, token, language } = reader;
  const { finding, state, hostname } = domain;
  if (finding?.actor === "end_customer") {
    const href = `${token}/${encodeURIComponent(hostname)}?lang=${language}`;
    const see = t("see", { domain: toUnicode(hostname) });
    return html`<div><p><strong>${t("you")}:</strong> ${findingTitle(finding, domain, reader)}</p><p><a href="${href}">${see}</a></p></div>`;
  }
  if (finding?.actor === "tenant" || finding?.actor === "operator") return html`${t("them")}`;
  if (toSwitch.includes(connectionSituation(domain))) return html`${t("ready_hint")}`;
  return html`${t(state === "live" && finding === null ? "well" : "wait")}`;
}

/** The words for customers; general ones where an earlier release has stored no parameters. */
function findingTitle(finding: FindingHeadline, domain: CustomerDomain, reader: Reader): string {
  const { hostname, registrableDomain } = domain;
  const known = { domain: hostname, name: hostname, zone: registrableDomain, provider: "" };
  const params = { ...known, ...finding.params };
  const { title } = findingText({ ...finding, params }, reader.language);
  return /\{\w+\}/.test(title) ? reader.t("generic") : title;
}

function certificate({ certifiedUntil }: CustomerDomain, { t, language, now }: Reader): Html {
  if (certifiedUntil === null) return html`${t("no_certificate")}`;
  const key = certifiedUntil > now ? "valid_until" : "ended_at";
  return html`<span>${timed(statusTexts[language][key], certifiedUntil, language)}</span>`;
}

function foot({ brand, expiresAt }: CustomerStatus, { t, language }: Reader): Html {
  const contact = fillIn(shareTexts[language].support, { brand: brand.name }, language);
  return html`<footer>
        ${brand.supportUrl === null ? null : html`<p><a href="${brand.supportUrl}" rel="noreferrer">${contact}</a></p>`}
        <p>${timed(t("valid"), expiresAt, language)}</p>
        <nav aria-label="${shareTexts[language].language}">${languages.map((one) => languageLink(one, language))}</nav>
      </footer>`;
}
