import { type PanelNote, toRelative } from "@mooring/dns";
import type { DnsHost } from "../../domain/diagnosis/finding-text.ts";
import type { SharedRecord } from "../../services/share/records.ts";
import { type Html, html } from "../pages/html.ts";
import type { Reader } from "./share-reader.ts";

/** How to add the records in the provider's panel, in its own words; nothing when it is unknown. */
export function panelGuide(
  { zone, provider, panel, form }: DnsHost,
  records: readonly SharedRecord[],
  { t }: Reader,
  /** Its proxy may stay on. */
  isBehindCdn = false,
): Html {
  if (panel === null || provider === null) return html``;
  const { url, path, save, notes } = panel;
  const names = {
    host: form?.host ?? t("name"),
    value: form?.value ?? t("value"),
    provider,
    zone,
    www: `www.${zone}`,
  };
  const steps = [
    ...(path.length === 0 ? [] : [t("guide_go", { path: path.join(" › ") })]),
    adding(panel, records, t),
    t(form?.hostStyle === "absolute" ? "guide_fill_full" : "guide_fill", names),
    ...notes.flatMap((note) =>
      note === "sections" || (note === "proxy_off" && isBehindCdn) || !concerns[note](records, zone)
        ? []
        : [t(`guide_${note}`, names)],
    ),
    ...(save === null ? [] : [t("guide_save", { label: save })]),
  ];
  return html`<ol class="guide">
          <li><a href="${url}" target="_blank" rel="noopener noreferrer">${t("guide_open", { provider })}</a></li>
          ${steps.map((step) => html`<li>${step}</li>`)}
        </ol>`;
}

/** One record is called by its type. */
function adding(
  { add, notes }: NonNullable<DnsHost["panel"]>,
  records: readonly SharedRecord[],
  t: Reader["t"],
): string {
  const section = notes.includes("sections") ? "guide_add_section" : "guide_add";
  const key = add === null ? "guide_add_plain" : section;
  const label = add ?? "";
  const [only, ...others] = records;
  if (only === undefined || others.length > 0) return t(key, { label });
  return t(`${key}_one`, { label, type: only.form.type });
}

type Concern = (records: readonly SharedRecord[], zone: string) => boolean;

const always: Concern = () => true;

/** Whether a note is about any of the records. */
const concerns: Readonly<Record<Exclude<PanelNote, "sections">, Concern>> = {
  proxy_off: always,
  quotes: (records) => records.some(({ record }) => record.type === "TXT"),
  addresses_apart: (records) => records.some(({ record }) => /^A(?:AAA)?$/.test(record.type)),
  no_apex_alias: (records, zone) =>
    records.some(
      ({ record }) =>
        toRelative(record.name, zone) === "@" && /^(?:ALIAS|CNAME)$/.test(record.type),
    ),
  no_wildcard: (records) => records.some(({ record }) => record.name.startsWith("*.")),
};
