import { Notice } from "../parts.tsx";
import { shownDomain, type Ui } from "../screen.tsx";

const names: Readonly<Record<string, string>> = { cloudflare: "Cloudflare", fastly: "Fastly" };

/** The CDN in front of the domain, by its connection or by its check; null without one. */
export function findCdn({ state: { connection, check } }: Ui): string | null {
  if (connection !== null && connection.proxied !== null) {
    return names[connection.proxied.by] ?? "CDN";
  }
  const warning = check?.warning_details.find(({ code }) => code === "behind_cdn");
  return warning?.params["cdn"] ?? null;
}

/** A domain may stay behind a CDN: what to set there, and nothing once requests arrive. */
export function CdnNote({ ui }: { readonly ui: Ui }) {
  const { t, state } = ui;
  const cdn = findCdn(ui);
  if (cdn === null) return null;
  const isReached = state.connection !== null && state.connection.proxied !== null;
  const params = { cdn, domain: shownDomain(state) };
  return (
    <Notice tone="info" title={t("cdn_fine", params)} id="cdn">
      <p>{t(isReached ? "cdn_keep" : "cdn_set", params)}</p>
    </Notice>
  );
}
