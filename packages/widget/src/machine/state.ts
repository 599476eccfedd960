import type {
  Connection,
  Diagnosis,
  DomainCheck,
  EmailApply,
  RecordCheck,
  RecordPlan,
  SendingDomain,
  WidgetSettings,
} from "@mooring/sdk";
import type { Step } from "../events.ts";
import type { Joined } from "./joined.ts";

/**
 * A failed call, as data. The codes `network` and `timeout` are the widget's; others are the API's.
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** The connection of the same application that already has the hostname. */
  readonly connectionId: string | null;
  /** The kind of a DNS provider's error: auth, not_found, rate_limited … */
  readonly kind: string | null;
  /** The code of what is wrong with the input, and the field. */
  readonly issue: string | null;
  readonly path: string | null;
  /** Identifies the failure to the operator of the service. */
  readonly ref: string | null;
  readonly upgradeUrl: string | null;
  readonly retryAfterSeconds: number | null;
}

export type FailureKind =
  | "archived"
  | "conflict"
  | "drifted"
  | "failed"
  | "internal"
  | "not_found"
  | "not_set_up"
  | "quota"
  | "unreachable";

export interface Failure {
  readonly kind: FailureKind;
  readonly problem: Problem | null;
  /** The effect to repeat when the person retries. */
  readonly retry: Effect | null;
}

export interface PopupState {
  readonly method: "domain_connect" | "oauth";
  readonly status: "starting" | "open" | "closed" | "blocked" | "denied" | "returned";
  readonly applyUrl: string | null;
  readonly providerName: string | null;
  /** The connections that this consent is for; empty until it is known. */
  readonly covers: readonly string[];
}

export interface Automatic {
  readonly mode: "choose" | "credential" | "plan" | "popup";
  readonly credential: CredentialInput | null;
  /** Which set of fields of the credential is entered, of those that the provider accepts. */
  readonly alternative: number;
  readonly plan: RecordPlan | null;
  /** Ids of the plan's conflicts that may be replaced. */
  readonly replace: readonly string[];
  /** Ids of those conflicts whose MX records may go. */
  readonly mailLoss: readonly string[];
  readonly problem: Problem | null;
  readonly popup: PopupState | null;
  /** The connections of a pair whose records were approved at the provider. */
  readonly consented: readonly string[];
}

export type Way = "automatic" | "manual";

/** When the service last checked for this widget, and when it checks next by itself. */
export interface CheckTimes {
  readonly at: string;
  readonly nextAt: string | null;
}

/** Fixed while the widget is open, except that a renewed token may have another `boundDomain`. */
export interface Setting {
  readonly offersEmail: boolean;
  /** The only hostname that the token is valid for. */
  readonly boundDomain: string | null;
  readonly canRenew: boolean;
  /** The token names its customer, whose domains it lists. */
  readonly isOfCustomer?: boolean;
}

type Busy = "apply" | "check" | "create" | "email" | "list" | "load" | "plan" | "remove" | "share";

export type CloseReason = "user" | "success" | "error" | "expired";

/** A domain of the customer's; the `www` that redirects to it belongs to it. */
export interface OwnDomain {
  readonly main: Connection;
  readonly partner: Connection | null;
}

/**
 * Which names are connected: both, with the one that visitors stay on, or only the one that was
 * typed.
 */
export type PairChoice = "apex" | "www" | "single";

export interface State {
  readonly setting: Setting;
  readonly step: Step;
  readonly overlay: "exit" | "expired" | null;
  /** As typed. */
  readonly input: string;
  /** A message key, or the service's message about the domain. */
  readonly inputProblem: { readonly key: InputProblem } | null;
  readonly busy: Busy | null;
  readonly check: DomainCheck | null;
  readonly connection: Joined | null;
  readonly records: readonly RecordCheck[] | null;
  /** The TXT records that are to prove ownership, as they were last seen. */
  readonly proofs: readonly RecordCheck[];
  /** Nobody could act yet: a record that is not there is no fault. */
  readonly isEarly: boolean;
  /** The customer's own domains, and whether they are shown. */
  readonly domains: readonly OwnDomain[];
  readonly isListing: boolean;
  /** The domain that the customer is asked about before it is disconnected. */
  readonly removing: string | null;
  readonly removeProblem: Problem | null;
  /** Whether a name that serves elsewhere is prepared first; null until the person chooses. */
  readonly cutoverChoice: boolean | null;
  /** The person wants the switch although the new place answers unlike the old one. */
  readonly acceptsOrigin: boolean;
  /** Null until the person chooses. */
  readonly pairChoice: PairChoice | null;
  readonly way: Way;
  readonly automatic: Automatic;
  /** What is typed into the credential form, by field; stored until they are of no use. */
  readonly draft: Readonly<Record<string, string>>;
  /** The part of the automatic setup that Back leads to from the records; null: there was none. */
  readonly recordsFrom: "choose" | "credential" | null;
  /** The person repairs a drifted connection, so `drifted` does not lead to the error screen. */
  readonly isRepairing: boolean;
  readonly isStalling: boolean;
  readonly isDiagnosing: boolean;
  readonly diagnosis: Diagnosis | null;
  /** Of the last check that the person asked for; null until it has answered. */
  readonly asked: CheckTimes | null;
  readonly isChecking: boolean;
  readonly share: { readonly url: string; readonly expiresAt: string } | null;
  readonly shareProblem: Problem | null;
  readonly email: EmailApply | null;
  readonly emailProblem: Problem | null;
  /** The domain at a service that sends, once it was set up. */
  readonly sending: SendingDomain | null;
  /**
   * What the customer gave in this session to write the records; stored until the mail step has
   * ended.
   */
  readonly mailAccess: DnsAccess | null;
  /** The person allows to use it again, for the switch or for mail. */
  readonly reusesAccess: boolean;
  /** What the preview of the mail step is of; null once it is written. */
  readonly mailDraft: MailDraft | null;
  readonly failure: Failure | null;
  readonly isOnline: boolean;
  /** The effect that failed because the session expired; repeated after renewal. */
  readonly interrupted: Effect | null;
  readonly sessionProblem: Problem | null;
  readonly isRenewing: boolean;
  /** The connection whose success was reported to the page. */
  readonly succeededId: string | null;
  /** The application's name and brand; null until they are loaded, or when that failed. */
  readonly settings: WidgetSettings | null;
  readonly closed: CloseReason | null;
}

/** What was entered in the mail step. */
interface MailDraft {
  readonly provider: MailProvider;
  readonly inputs: Readonly<Record<string, string>>;
  readonly access: DnsAccess | null;
}

export type InputProblem =
  | "characters"
  | "email"
  | "empty"
  | "hyphen"
  | "incomplete"
  | "ip"
  | "long"
  | "other_domain"
  | "refused"
  | "suffix"
  | "underscore"
  | "wildcard";

export const freshAutomatic: Automatic = {
  mode: "choose",
  credential: null,
  alternative: 0,
  plan: null,
  replace: [],
  mailLoss: [],
  problem: null,
  popup: null,
  consented: [],
};

export function initialState(setting: Setting, domain: string): State {
  return {
    setting,
    step: "enter_domain",
    overlay: null,
    input: domain,
    inputProblem: null,
    busy: null,
    check: null,
    connection: null,
    records: null,
    proofs: [],
    isEarly: false,
    domains: [],
    isListing: false,
    removing: null,
    removeProblem: null,
    cutoverChoice: null,
    acceptsOrigin: false,
    pairChoice: null,
    way: "automatic",
    automatic: freshAutomatic,
    draft: {},
    recordsFrom: null,
    isRepairing: false,
    isStalling: false,
    isDiagnosing: false,
    diagnosis: null,
    asked: null,
    isChecking: false,
    share: null,
    shareProblem: null,
    email: null,
    emailProblem: null,
    sending: null,
    mailAccess: null,
    reusesAccess: false,
    mailDraft: null,
    failure: null,
    isOnline: true,
    interrupted: null,
    sessionProblem: null,
    isRenewing: false,
    succeededId: null,
    settings: null,
    closed: null,
  };
}

/** What the person typed to reach the zone at the provider. */
export interface DnsAccess {
  readonly provider: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The tenant's stored credential, or what the person typed, which is dropped after its use. With
 * the one key `oauth_grant` it is what a sign-in at the provider gave.
 */
export type CredentialInput = "stored" | Readonly<Record<string, string>>;

export type MailboxProvider = "google_workspace" | "microsoft_365" | "zoho";

/** A mailbox provider, or a service that only sends. */
export type MailProvider = MailboxProvider | SendingDomain["provider"];

/** What the machine requests from the runner; each effect results in at most one event. */
interface EffectMap {
  readonly settings: Nothing;
  readonly check: { readonly domain: string };
  /** `contest`: also when another account has the domain. */
  readonly create: {
    readonly domain: string;
    readonly contest?: true;
    /** Together with its `www` or the domain of it; the one that visitors stay on. */
    readonly canonical?: "apex" | "www";
    /** The name serves elsewhere: everything is prepared before it moves. */
    readonly cutover?: true;
  };
  /** Of a pair either id loads both. */
  readonly load: { readonly id: string };
  readonly list: Nothing;
  readonly remove: { readonly ids: readonly string[] };
  readonly plan: Writing;
  readonly apply: Writing & { readonly replace: readonly string[] };
  /**
   * Opens the window synchronously, so that it is not blocked, and navigates it when the URL
   * arrives.
   */
  readonly start_domain_connect: { readonly id: string; readonly pair?: true };
  /** The same for a sign-in at the provider. */
  readonly start_oauth: { readonly id: string };
  readonly reopen_popup: { readonly url: string };
  readonly close_popup: Nothing;
  readonly share: { readonly id: string };
  readonly diagnose: { readonly id: string };
  /** `isPreview`: nothing is written. */
  readonly email: MailDraft & { readonly id: string; readonly isPreview?: true };
  readonly check_sending: { readonly id: string; readonly provider: SendingDomain["provider"] };
  readonly poll_now: Nothing;
  readonly time_stall: Nothing;
  readonly renew: Nothing;
  readonly close: Nothing;
}

export interface Writing {
  readonly id: string;
  readonly provider: string | null;
  readonly credential: CredentialInput;
  /** One plan for both names. */
  readonly pair?: true;
  /** The switch of a prepared name, with the checks whose warnings are accepted. */
  readonly cutover?: readonly "origin"[];
}

type Nothing = Readonly<Record<never, never>>;

export type EffectType = keyof EffectMap;

export type Effect<T extends EffectType = EffectType> = {
  [K in T]: { readonly type: K } & EffectMap[K];
}[T];

/** Whether the current connection is live; `succeededId` may belong to an earlier one. */
export function hasSucceeded({ connection, succeededId }: State): boolean {
  return connection !== null && connection.id === succeededId;
}
