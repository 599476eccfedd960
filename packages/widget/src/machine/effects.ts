/** The tenant's own, or what the person typed; the latter is dropped as soon as it was used. */
export type GivenCredential = "stored" | Readonly<Record<string, string>>;

export type MailboxProvider = "google_workspace" | "microsoft_365" | "zoho";

/** What the machine asks the runner to do; each ends in at most one event. */
export interface EffectMap {
  readonly check: { readonly domain: string };
  readonly create: { readonly domain: string };
  readonly load: { readonly id: string };
  readonly plan: Writing;
  readonly apply: Writing & { readonly replace: readonly string[] };
  /** Opens the window at once, while the click still counts, and fills it when the address came. */
  readonly start_domain_connect: { readonly id: string };
  readonly reopen_popup: { readonly url: string };
  readonly close_popup: Nothing;
  readonly share: { readonly id: string };
  readonly diagnose: { readonly id: string };
  readonly email: { readonly id: string; readonly provider: MailboxProvider };
  /** Poll now instead of later. */
  readonly look: Nothing;
  readonly time_stall: Nothing;
  readonly renew: Nothing;
  readonly close: Nothing;
}

interface Writing {
  readonly id: string;
  readonly provider: string | null;
  readonly credential: GivenCredential;
}

type Nothing = Readonly<Record<never, never>>;

export type EffectType = keyof EffectMap;

export type Effect<T extends EffectType = EffectType> = {
  [K in T]: { readonly type: K } & EffectMap[K];
}[T];
