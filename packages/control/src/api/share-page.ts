import { toUnicode } from "@mooring/dns";
import type { Connection } from "../domain/connection.ts";
import type { Finding, FindingActor, Severity } from "../domain/diagnosis/finding.ts";
import type { SharedConnection } from "../services/share/links.ts";
import type { RecordStatus, SharedRecord } from "../services/share/records.ts";
import { type Html, html } from "./html.ts";

const refreshSeconds = 30;
/** With a script. Records can be taken back after the connection is live, so it goes on, slower. */
const watchSeconds = { open: 15, settled: 60 } as const;

/** The page about one connection. Complete without a script; with one, values can be copied. */
export function sharePage(shared: SharedConnection, token: string): string {
  const { connection } = shared;
  const shown = toUnicode(connection.hostname);
  const isDone = connection.state === "live" && connection.pendingRecords === null;
  const isSettled = isDone || connection.state === "failed";
  return layout({
    title: `DNS records for ${shown}`,
    // A script refreshes without a jump; only a reader without one needs the page to reload.
    head: isSettled
      ? html``
      : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`,
    body: html`<main id="page" data-refresh="${isSettled ? watchSeconds.settled : watchSeconds.open}">
      <p class="eyebrow">DNS records for</p>
      <h1>${shown}${shown === connection.hostname ? html`` : html` <small>${connection.hostname}</small>`}</h1>
      ${statusCard(shared)}
      ${records(shared, token)}
      ${findings(shared.diagnosis.findings)}
      ${foot(shared)}
    </main>`,
  });
}

/** The same page for an unknown link and for an expired one: a guesser learns nothing. */
export function expiredPage(): string {
  return layout({
    title: "This link is no longer valid",
    head: html``,
    body: html`<main id="page" data-refresh="0">
      <h1>This link is no longer valid</h1>
      <p>It may have expired, or the domain is no longer being connected. Ask the sender
      for a new one.</p>
    </main>`,
  });
}

export function troublePage(title: string, text: string): string {
  return layout({
    title,
    head: html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`,
    body: html`<main id="page" data-refresh="${watchSeconds.open}"><h1>${title}</h1><p>${text}</p></main>`,
  });
}

function layout(parts: { readonly title: string; readonly head: Html; readonly body: Html }) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex, nofollow">
    <title>${parts.title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="colors.css">
    <link rel="stylesheet" href="share.css">
    <script type="module" src="share.js"></script>
    ${parts.head}
  </head>
  <body>
    ${parts.body}
  </body>
</html>
`.markup;
}

function statusCard({ connection, diagnosis }: SharedConnection): Html {
  const { text, tone } = headline(connection);
  return html`<section class="status ${tone}" aria-label="Status">
        <p class="headline"><span class="dot" aria-hidden="true"></span>${text}</p>
        <p>${diagnosis.summary}</p>
      </section>`;
}

function records({ records: all, place }: SharedConnection, token: string): Html {
  const open = all.filter(({ status }) => status !== "found" && status !== "proven").length;
  const where =
    place.provider === null ? `where the DNS of ${place.zone} is managed` : `at ${place.provider}`;
  const lead =
    open === 0
      ? "Nothing is left to add."
      : `Add these records ${where}, exactly as they are written here. Changes usually show within minutes.`;
  return html`<section aria-labelledby="records">
        <div class="row">
          <h2 id="records">Records</h2>
          <a class="button" href="${token}/zone.txt" download>Download zone file</a>
        </div>
        <p class="muted">${lead}</p>
        ${all.map((one) => recordCard(one, place.manifest?.fieldNames ?? null))}
      </section>`;
}

interface FieldNames {
  readonly host: string;
  readonly value: string;
  readonly ttl: string;
}

function recordCard(one: SharedRecord, names: FieldNames | null): Html {
  const { record, form, purpose, status, observed } = one;
  const { text, tone } = statusMessages[status];
  const isWordy = form.host.includes(" ");
  return html`<article class="record">
          <div class="row">
            <h3><span class="type">${form.type}</span> ${purposes[purpose]}</h3>
            <span class="chip ${tone}">${text}</span>
          </div>
          <dl>
            ${field(names?.host ?? "Name", isWordy ? record.name : form.host)}
            ${isWordy || form.host === record.name ? null : field("In full", record.name)}
            ${field(names?.value ?? "Value", record.value)}
            ${record.priority === null ? null : field("Priority", String(record.priority))}
            ${field(names?.ttl ?? "TTL", String(form.ttl))}
          </dl>
          ${observed.length === 0 ? null : html`<p class="seen">Now there: ${observed.map(observedValue)}</p>`}
        </article>`;
}

function field(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd><code data-copy="${name}">${value}</code></dd></div>`;
}

function observedValue(value: string): Html {
  return html`<code>${value}</code> `;
}

function findings(all: readonly Finding[]): Html {
  if (all.length === 0) return html``;
  return html`<section aria-labelledby="findings">
        <h2 id="findings">What was found</h2>
        ${all.map(findingCard)}
      </section>`;
}

function findingCard({ title, severity, actor, fix, evidence }: Finding): Html {
  const proof =
    evidence.length === 0
      ? html``
      : html`<details><summary>What was seen</summary><ul>${evidence.map((line) => html`<li>${line}</li>`)}</ul></details>`;
  return html`<article class="finding ${severityTones[severity]}">
          <div class="row"><h3>${title}</h3><span class="move">${moves[actor]}</span></div>
          <p>${fix}</p>
          ${proof}
        </article>`;
}

function foot({ diagnosis, expiresAt }: SharedConnection): Html {
  return html`<footer>
        <p>Checked at ${timeTag(diagnosis.checkedAt)}. This page can be read until ${timeTag(expiresAt)}
        by anyone who has its address, and nothing can be changed here.</p>
      </footer>`;
}

function timeTag(at: Date): Html {
  const text = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return html`<time datetime="${at.toISOString()}">${text}</time>`;
}

/** Messages and colours for the person who manages the domain's DNS. */
type Tone = "wait" | "good" | "bad";

function headline({ state, pendingRecords }: Connection): {
  readonly text: string;
  readonly tone: Tone;
} {
  switch (state) {
    case "created":
    case "pending_ownership":
    case "verifying":
      return { text: "Waiting for the DNS records", tone: "wait" };
    case "verified":
    case "dns_writing":
    case "propagating":
      return { text: "Ownership is proven; the other records are next", tone: "wait" };
    case "stalled":
      return { text: "Still waiting for the DNS records", tone: "bad" };
    case "issuing_cert":
      return { text: "The records are in place; the certificate is being obtained", tone: "wait" };
    case "live":
      return pendingRecords === null
        ? { text: "Connected", tone: "good" }
        : { text: "Connected; the records are to be replaced", tone: "wait" };
    case "drifted":
      return { text: "The DNS records have changed", tone: "bad" };
    case "failed":
    case "archived":
      return { text: "Not connected", tone: "bad" };
  }
}

const statusMessages: Readonly<
  Record<RecordStatus, { readonly text: string; readonly tone: Tone }>
> = {
  found: { text: "Found", tone: "good" },
  proven: { text: "Proven", tone: "good" },
  partly: { text: "On some servers", tone: "wait" },
  missing: { text: "Not found yet", tone: "wait" },
  other: { text: "Other value", tone: "bad" },
  unknown: { text: "Could not check", tone: "wait" },
};

const severityTones: Readonly<Record<Severity, Tone>> = {
  error: "bad",
  warning: "wait",
  info: "good",
};

const moves: Readonly<Record<FindingActor, string>> = {
  end_customer: "Your move",
  tenant: "The sender's move",
  operator: "The service's move",
  wait: "Nothing to do but wait",
};

const purposes = {
  ownership: "Proves that the domain is yours",
  traffic: "Leads visitors to the service",
  moving: "Replaces the record that leads visitors to the service",
} as const;
