import type { DnsRecord } from "../../../dns/src/index.ts";
import type { TemplatePlan } from "./template-plan.ts";

/** What the customer is asked to agree to. */
export interface ConsentPage {
  readonly providerName: string;
  /** The name of the service, from the template. */
  readonly service: string;
  readonly name: string;
  readonly plan: Extract<TemplatePlan, { ok: true }> | null;
  readonly action: string;
  readonly note?: string;
}

export function consentPage(page: ConsentPage): Answer {
  const { providerName, service, name, plan, action, note } = page;
  const changes =
    plan === null
      ? "<p>It may change the records of this name from now on.</p>"
      : `<table><thead><tr><th>Change</th><th>Name</th><th>Type</th><th>Value</th></tr></thead><tbody>
${rows("Add", plan.add)}${rows("Remove", plan.remove)}${rows("Keep", plan.keep)}</tbody></table>`;
  return html(
    200,
    layout(
      `Connect ${name}`,
      providerName,
      `<h1>Connect ${escaped(name)}</h1>
<p><b>${escaped(service)}</b> asks to set up <b>${escaped(name)}</b>.</p>
${note === undefined ? "" : `<p role="status">${escaped(note)}</p>`}
${changes}
<form method="post" action="${escaped(action)}">
<button name="decision" value="confirm">Confirm</button>
<button name="decision" value="cancel">Cancel</button>
</form>`,
    ),
  );
}

/** A page with the reason, for a request that must not redirect back. */
export function refusalPage(providerName: string, status: number, reason: string): Answer {
  return html(
    status,
    layout(
      "Not connected",
      providerName,
      `<h1>Not connected</h1><p role="alert">${escaped(reason)}</p>`,
    ),
  );
}

export function donePage(providerName: string): Answer {
  return html(200, layout("Done", providerName, "<h1>Done</h1><p>You can close this window.</p>"));
}

function rows(change: string, records: readonly DnsRecord[]): string {
  return records
    .map(({ name, type, priority, value }) => {
      const shown = priority === null ? value : `${priority} ${value}`;
      const cells = [change, name, type, shown].map((text) => `<td>${escaped(text)}</td>`);
      return `<tr>${cells.join("")}</tr>\n`;
    })
    .join("");
}

function layout(title: string, providerName: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)} – ${escaped(providerName)}</title></head>
<body><header>${escaped(providerName)}</header><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The response of a handler. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function html(status: number, body: string): Answer {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body };
}

export function json(status: number, body: unknown): Answer {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(body) };
}

/** A redirect back to the service, with parameters added to its URL. */
export function sendBack(
  address: string,
  parameters: Readonly<Record<string, string | null>>,
): Answer {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: url.href }, body: "" };
}
