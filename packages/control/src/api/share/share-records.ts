import { type DnsRecord, formValue, type RecordForm, toUnicode } from "@mooring/dns";
import type { Finding } from "../../domain/diagnosis/finding.ts";
import type { SharedPart } from "../../services/share/links.ts";
import { hostField, type RecordStatus, type SharedRecord } from "../../services/share/records.ts";
import { isOpen } from "../../services/share/status.ts";
import { type Html, html } from "../pages/html.ts";
import { panelGuide } from "./share-guide.ts";
import type { Reader } from "./share-reader.ts";

/**
 * The records of the share page: what to add, in the terms of the DNS provider's form, and its
 * status.
 */
export function recordCards(
  parts: readonly SharedPart[],
  token: string,
  reader: Reader,
): readonly Html[] {
  const zones = [...new Set(parts.map(({ dnsHost }) => dnsHost.zone))];
  return zones.map((zone, index) => {
    const inZone = parts.filter(({ dnsHost }) => dnsHost.zone === zone);
    return zoneCards(inZone, index === 0 ? token : null, reader);
  });
}

/** The records of names of one zone; the file to download has those of all. */
function zoneCards(parts: readonly SharedPart[], token: string | null, reader: Reader): Html {
  const records = parts.flatMap((part) => part.records);
  const { t } = reader;
  const dnsHost = parts[0]?.dnsHost;
  if (dnsHost === undefined) return html``;
  const { provider, form } = dnsHost;
  const zone = toUnicode(dnsHost.zone);
  const isBehindCdn = parts.some(({ diagnosis }) =>
    diagnosis.findings.some(({ code }) => code === "behind_cdn" || code.startsWith("cdn_")),
  );
  const isAllThere = !records.some(isOpen);
  const hasShortNames = records.some((one) => one.form.host !== one.record.name);
  const lead =
    provider === null
      ? html`<p class="muted">${t("records_anywhere", { zone })}</p>`
      : html`<p class="muted">${t("records_at", { zone, provider })}</p>`;
  const note =
    form === null && hasShortNames
      ? html`<p class="muted">${t("records_names", { zone })}</p>`
      : html``;
  const download =
    token === null
      ? html``
      : html`<span class="tools"><a class="button" href="${token}/zone.txt" download>${t("download")}</a></span>`;
  return html`<section aria-label="${t("records")}">
        <div class="row">
          <h2>${t("records")}</h2>
          ${download}
        </div>
        ${isAllThere ? html`` : [lead, panelGuide(dnsHost, records, reader, isBehindCdn), note]}
        ${parts.flatMap(({ records: own, diagnosis: { isEarly } }) =>
          own.map((one) => recordCard(one, form, reader, isEarly)),
        )}
        ${parts.map((part) => offer(part, reader))}
      </section>`;
}

/** Closed: the records above suffice. */
function offer({ connection, dnsHost, offered }: SharedPart, reader: Reader): Html {
  if (offered === null) return html``;
  const { t } = reader;
  return html`<details class="offer">
          <summary>${t("early")}</summary>
          <p class="muted">${t("early_hint", { domain: connection.hostname })}</p>
          ${recordCard(offered, dnsHost.form, reader, true)}
        </details>`;
}

/** What a finding asks to add or to remove. What the list of records has is not said twice. */
export function findingRecords(
  { add, remove }: Finding,
  { records, dnsHost }: SharedPart,
  { t }: Reader,
): Html {
  const isListed = ({ name, type, value }: DnsRecord) =>
    records.some(
      ({ record }) => record.name === name && record.type === type && record.value === value,
    );
  const names = dnsHost.form;
  const unlisted = add.filter((record) => !isListed(record));
  return html`${unlisted.map(
    (record) => html`<dl class="wanted">
            <div><dt>${t("type")}</dt><dd><code dir="ltr">${record.type}</code></dd></div>
            ${field(names?.host ?? t("name"), hostField(record.name, dnsHost) || "@", record.type)}
            ${field(names?.value ?? t("value"), formValue(record, names), record.type)}
          </dl>`,
  )}${removed(remove, t)}`;
}

function removed(records: readonly DnsRecord[], t: Reader["t"]): Html {
  if (records.length === 0) return html``;
  return html`<p class="seen">${t("remove")}</p>
          <ul class="seen">${records.map(
            ({ name, type, value }) =>
              html`<li dir="ltr"><code>${name}</code> <code>${type}</code> <code>${value}</code></li>`,
          )}</ul>`;
}

function recordCard(
  one: SharedRecord,
  names: RecordForm | null,
  reader: Reader,
  isEarly: boolean,
): Html {
  const { record, form, purpose, status } = one;
  const { t } = reader;
  const { text, tone } = (isEarly ? earlyTexts[status] : undefined) ?? statusTexts[status];
  const valueLabel = names?.value ?? t("value");
  const isFullShown = form.host !== record.name;
  return html`<article class="record">
          <div class="row">
            <h3><span class="type">${form.type}</span> ${t(`purpose_${purpose}`)}</h3>
            <span class="chip ${tone}">${t(text)}</span>
          </div>
          <dl>
            ${hostLine(names?.host ?? t("name"), one, reader)}
            ${isFullShown ? field(t("full_name"), record.name, form.type) : null}
            ${isWrong(one) ? null : field(valueLabel, form.value, form.type)}
            ${record.priority === null ? null : field(t("priority"), String(record.priority), form.type)}
            ${form.ttl === null ? null : field(names?.ttl ?? t("ttl"), String(form.ttl), form.type)}
          </dl>
          ${isWrong(one) ? versus(one, valueLabel, reader) : observed(one, reader)}
        </article>`;
}

/** Something else is where the record belongs. */
function isWrong({ status, observed: values }: SharedRecord): boolean {
  return status === "other" && values.length > 0;
}

/** What is there beside what belongs there; only the latter is to be copied. */
function versus({ form, observed: values }: SharedRecord, label: string, { t }: Reader): Html {
  return html`<dl class="versus">
            <div><dt>${t("found")}</dt><dd>${values.map((value) => html`<code dir="ltr">${value}</code> `)}</dd></div>
            <div><dt>${t("expected")}</dt><dd><code dir="ltr" data-copy="${label} (${form.type})">${form.value}</code></dd></div>
          </dl>`;
}

function hostLine(name: string, { form: { host, type } }: SharedRecord, { t }: Reader): Html {
  if (host !== "") return field(name, host, type);
  return html`<div><dt>${name}</dt><dd><em>${t("leave_empty")}</em></dd></div>`;
}

/** `data-copy` names the value for the copy button; the type tells equal buttons apart. */
export function field(name: string, value: string, type: string): Html {
  return html`<div><dt>${name}</dt><dd><code dir="ltr" data-copy="${name} (${type})">${value}</code></dd></div>`;
}

/** Values beside the desired one. */
function observed({ observed: values }: SharedRecord, { t }: Reader): Html {
  if (values.length === 0) return html``;
  return html`<p class="seen">${t("there_now")} ${values.map((value) => html`<code dir="ltr">${value}</code> `)}</p>`;
}

type Tone = "calm" | "wait" | "good" | "bad";
type StatusText = "not_yet" | "found" | "proven" | "partly" | "missing" | "other" | "unchecked";

interface StatusChip {
  readonly text: StatusText;
  readonly tone: Tone;
}

/** Before anybody could act nothing is wrong. */
const earlyTexts: Readonly<Partial<Record<RecordStatus, StatusChip>>> = {
  missing: { text: "not_yet", tone: "calm" },
  other: { text: "other", tone: "calm" },
};

const statusTexts: Readonly<Record<RecordStatus, StatusChip>> = {
  found: { text: "found", tone: "good" },
  proven: { text: "proven", tone: "good" },
  partly: { text: "partly", tone: "wait" },
  missing: { text: "missing", tone: "wait" },
  other: { text: "other", tone: "bad" },
  unknown: { text: "unchecked", tone: "wait" },
};
