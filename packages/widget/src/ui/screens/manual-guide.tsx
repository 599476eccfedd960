import type { SetupGuide } from "@mooring/sdk";
import { findZone, notesAbout, type PanelNote, recordRows } from "../../connection-view.ts";
import { Icon, outIcon } from "../parts.tsx";
import { providerOf, type Ui } from "../screen.tsx";
import { findCdn } from "./cdn-note.tsx";

/** How to add the records in the provider's panel, in its own words. */
export function ManualGuide({ ui }: { readonly ui: Ui }) {
  const { t, state } = ui;
  const { check, connection } = state;
  const panel = check?.guide.manual ?? null;
  if (check === null || connection === null || panel === null) return null;
  const provider = providerOf(state) ?? t("your_provider");
  return (
    <ol class="guide" data-testid="svc-guide">
      <li>
        <a
          class="button quiet"
          href={panel.url}
          target="_blank"
          rel="noopener noreferrer"
          data-testid="svc-panel-link"
        >
          {t("guide_open", { provider })} <Icon path={outIcon} />
          <span class="sr-only">({t("opens_new_window")})</span>
        </a>
        {panel.path.length > 0 && (
          <p class="muted small">{t("guide_go", { path: panel.path.join(" › ") })}</p>
        )}
      </li>
      {guideSteps(ui, panel, provider).map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ol>
  );
}

function guideSteps(
  ui: Ui,
  panel: NonNullable<SetupGuide["manual"]>,
  provider: string,
): readonly string[] {
  const { t, state } = ui;
  const { check, connection } = state;
  // The note about the CDN says that its proxy may stay on.
  const isBehindCdn = findCdn(ui) !== null;
  const form = check?.record_form ?? null;
  const zone = connection === null ? "" : findZone(connection, check);
  const names = {
    host: form?.host_label ?? t("manual_host"),
    value: form?.value_label ?? t("manual_value"),
    provider,
    zone,
    www: `www.${zone}`,
  };
  const { add_label: add, save_label: save, notes } = panel;
  const rows = connection === null ? [] : recordRows(connection, null, check);
  const adding = notes.includes("sections") ? "guide_add_section" : "guide_add";
  const addText = add === null ? "guide_add_plain" : adding;
  return [
    t(rows.length === 1 ? `${addText}_one` : addText, {
      label: add ?? "",
      type: rows[0]?.type ?? "",
    }),
    t(form?.host_style === "absolute" ? "guide_fill_full" : "guide_fill", names),
    ...notesAbout(rows, notes, zone).flatMap((note) =>
      note === "sections" || (note === "proxy_off" && isBehindCdn)
        ? []
        : [t(noteTexts[note], names)],
    ),
    ...(save === null ? [] : [t("guide_save", { label: save })]),
  ];
}

const noteTexts = {
  proxy_off: "guide_cloud",
  quotes: "guide_quotes",
  addresses_apart: "guide_addresses_apart",
  no_apex_alias: "guide_no_apex_alias",
  no_wildcard: "guide_no_wildcard",
} as const satisfies Readonly<Record<Exclude<PanelNote, "sections">, string>>;
