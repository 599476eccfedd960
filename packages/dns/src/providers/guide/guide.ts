import type { ProviderManifest } from "../adapter/manifest.ts";

/**
 * How a person reaches what we ask for in a provider's own panel. The words are those of the panel,
 * so they are not translated; the sentences around them are those of the screen.
 */

/** The panel where records are edited. */
export interface PanelGuide {
  /** Where to go; `{zone}` is the domain. */
  readonly url: string;
  /** The page is the domain's own; otherwise it is a list or the start page of the panel. */
  readonly isZonePage: boolean;
  /** What to click from there, in order. */
  readonly path: readonly string[];
  /** The button that adds a record, where its words are known. */
  readonly add: string | null;
  /** The button that saves it, or several in order. */
  readonly save: string | null;
  readonly notes: readonly PanelNote[];
  /** The form, where no manifest has it. */
  readonly form?: PanelForm;
}

/**
 * - `proxy_off`: new records go through the provider's proxy unless that is switched off.
 * - `quotes`: a TXT value must be entered in quotation marks.
 * - `sections`: the panel has a section for each type of record in place of a field for it.
 * - `addresses_apart`: A and AAAA records have a section of their own.
 * - `no_apex_alias`: the zone's own name cannot follow a host name, by no type of record.
 * - `no_wildcard`: a name with `*` is refused.
 */
export const panelNotes = [
  "proxy_off",
  "quotes",
  "sections",
  "addresses_apart",
  "no_apex_alias",
  "no_wildcard",
] as const;
export type PanelNote = (typeof panelNotes)[number];

/** A form that takes hosts relative to the zone. */
export interface PanelForm {
  readonly host: string;
  /** Null where each type of record has another word for it. */
  readonly value: string | null;
  /** Null where the form has no such field. */
  readonly ttl: string | null;
  readonly apexHost: "@" | "";
  readonly minimumTtlSeconds: number;
  /** A host name in the value is taken as relative unless it ends in a dot. */
  readonly targetDot: boolean;
}

/** A provider's own form for a record, known from its manifest or its panel. */
export interface RecordForm extends Omit<PanelForm, "apexHost"> {
  readonly hostStyle: ProviderManifest["hostStyle"];
  readonly apexHost: ProviderManifest["apexHost"];
  /** What it calls an ALIAS record. */
  readonly apexType: ProviderManifest["apexRecordType"];
}

/** One step on the way to a credential. */
export interface TokenStep {
  readonly action: TokenAction;
  /** In the panel's words. */
  readonly label: string;
}

/**
 * - `open`: a page of the panel. `press`: a button. `choose`: an option.
 * - `permit`: a permission that the credential needs, and no other.
 * - `limit`: have it work for this domain only.
 * - `addresses`: enter our addresses into the list of allowed ones.
 * - `copy`: take over what is shown.
 */
export const tokenActions = [
  "open",
  "press",
  "choose",
  "permit",
  "limit",
  "addresses",
  "copy",
] as const;
export type TokenAction = (typeof tokenActions)[number];

export interface TokenGuide {
  /**
   * `minute`: a customer can create it in under a minute; `developer`: made for people who write
   * programs.
   */
  readonly effort: "minute" | "developer";
  /** The page where it is made. */
  readonly url: string;
  /**
   * Sets of fields of which one is enough, the easiest first; one set means that there is no
   * choice.
   */
  readonly alternatives: readonly (readonly string[])[];
  readonly steps: readonly TokenStep[];
}
