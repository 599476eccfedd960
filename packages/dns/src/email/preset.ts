/** What a mailbox provider wants in DNS, as data. Names are relative to the mail domain. */

export const mailboxKeys = [
  "google_workspace",
  "microsoft_365",
  "zoho",
  "fastmail",
  "proton",
  "icloud",
] as const;
export type MailboxKey = (typeof mailboxKeys)[number];

/** Something that only the provider's console, or the domain's owner, knows. */
export interface MailInput {
  readonly key: string;
  /** What it is and where it is found. */
  readonly help: string;
  /** What a given value must match after trimming; `null` where a check of its own is made. */
  readonly pattern: RegExp | null;
}

/** How the names with the signing keys come about. */
export type DkimPreset =
  /** CNAMEs whose targets follow from the domain; `{selector}` and `{domain}` are filled in. */
  | { readonly form: "derived"; readonly selectors: readonly string[]; readonly target: string }
  /** CNAMEs with a target of their own for each selector, each given as an input. */
  | {
      readonly form: "given";
      readonly selectors: readonly { readonly selector: string; readonly input: string }[];
      readonly missing: string;
    }
  /** CNAMEs that share one token, taken from the one target that is given. */
  | {
      readonly form: "shared";
      readonly selectors: readonly string[];
      readonly input: string;
      readonly target: string;
      readonly missing: string;
    }
  /** A TXT record with the key itself: the inputs `dkim_selector` and `dkim_value`. */
  | { readonly form: "key"; readonly selector: string; readonly missing: string };

export interface DiscoveryPreset {
  readonly label: string;
  readonly type: "CNAME" | "SRV";
  readonly value: string;
  readonly priority: number | null;
}

export interface MailboxPreset {
  readonly key: MailboxKey;
  readonly aliases: readonly string[];
  readonly name: string;
  /** Preference and host, `{dc}` for the data centre's domain; null where only the console knows. */
  readonly mx: readonly (readonly [number, string])[] | null;
  /** Hosts of an older set that does the same. */
  readonly legacyMx: readonly string[];
  /** The mechanism for the domain's SPF record. */
  readonly spf: string;
  readonly dkim: DkimPreset;
  readonly discovery: readonly DiscoveryPreset[];
  /** The domain of each data centre, the usual one first; empty where there is only one. */
  readonly dataCentres: Readonly<Record<string, string>>;
  readonly inputs: readonly MailInput[];
  readonly notes: readonly string[];
}
