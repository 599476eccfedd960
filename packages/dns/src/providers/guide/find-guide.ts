import type { ProviderManifest } from "../adapter/manifest.ts";
import type { PanelGuide, RecordForm, TokenGuide } from "./guide.ts";
import { panels } from "./panels.ts";
import { tokens } from "./tokens.ts";

/** The panel of a provider, with the links of one domain; null when it is not known. */
export function findPanel(slug: string | null, zone: string): PanelGuide | null {
  const panel = slug === null || !Object.hasOwn(panels, slug) ? undefined : panels[slug];
  if (panel === undefined) return null;
  return {
    ...panel,
    url: panel.url.replaceAll("{zone}", encodeURIComponent(zone)),
    path: panel.path.map((word) => word.replace("{zone}", zone)),
  };
}

/** The form in which a person enters a record; null when it is not known. */
export function findForm(
  slug: string | null,
  manifest: ProviderManifest | null,
): RecordForm | null {
  if (manifest !== null) {
    const { hostStyle, apexHost, apexRecordType, minimumTtlSeconds } = manifest;
    return {
      ...manifest.fieldNames,
      hostStyle,
      apexHost,
      apexType: apexRecordType,
      minimumTtlSeconds,
      targetDot: false,
    };
  }
  const form = findPanel(slug, "")?.form;
  return form === undefined ? null : { ...form, hostStyle: "relative", apexType: null };
}

const typesOfTargets: readonly string[] = ["ALIAS", "CNAME", "MX", "NS", "SRV"];

/** A record's value as the form takes it. */
export function formValue(
  { type, value }: { readonly type: string; readonly value: string },
  form: RecordForm | null,
): string {
  const hasTarget = typesOfTargets.includes(type) && !value.endsWith(".");
  return form?.targetDot === true && hasTarget ? `${value}.` : value;
}

/** How a credential is made, for a provider that we can write to. */
export function findTokenGuide({ slug, credentialFields }: ProviderManifest): TokenGuide {
  const known = Object.hasOwn(tokens, slug) ? tokens[slug] : undefined;
  if (known !== undefined) return known;
  const url = credentialFields[0]?.help_url ?? "";
  return { effort: "developer", url, alternatives: [], steps: [] };
}
