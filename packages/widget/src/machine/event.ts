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
import type { Joined } from "./joined.ts";
import type { CheckTimes, Effect, MailProvider, PairChoice, Problem, State, Way } from "./state.ts";

/** Every event of the machine: actions of the person, results of effects, changes outside. */
interface MachineEventMap {
  // Actions of the person
  readonly typed: { readonly text: string };
  readonly submitted: Nothing;
  readonly domains_asked: Nothing;
  readonly domain_opened: { readonly id: string };
  readonly another_asked: Nothing;
  readonly removal_asked: { readonly id: string };
  readonly removal_cancelled: Nothing;
  readonly removal_confirmed: Nothing;
  readonly pair_chosen: { readonly choice: PairChoice };
  readonly cutover_chosen: { readonly isWanted: boolean };
  readonly origin_accepted: { readonly isGiven: boolean };
  readonly switch_asked: { readonly way: Way };
  readonly continued: { readonly way: Way };
  readonly method_chosen: { readonly method: "domain_connect" | "oauth" | "credential" | "manual" };
  readonly credential_typed: { readonly key: string; readonly text: string };
  readonly credential_given: { readonly fields: Readonly<Record<string, string>> };
  readonly alternative_chosen: { readonly index: number };
  readonly consented: { readonly id: string; readonly isGiven: boolean };
  readonly mail_loss_accepted: { readonly id: string; readonly isGiven: boolean };
  readonly plan_accepted: Nothing;
  readonly check_asked: Nothing;
  readonly share_asked: Nothing;
  readonly records_asked: Nothing;
  readonly email_chosen: {
    readonly provider: MailProvider;
    readonly inputs: Readonly<Record<string, string>>;
  };
  /** The person has seen what would be written. */
  readonly email_confirmed: Nothing;
  /** Back to the values of the mail step. */
  readonly email_revised: Nothing;
  /** Whether what was entered to write the records may be used once more. */
  readonly access_allowed: { readonly isGiven: boolean };
  readonly sending_check_asked: Nothing;
  readonly email_done: Nothing;
  readonly automatic_asked: Nothing;
  readonly back: Nothing;
  readonly retried: Nothing;
  readonly restarted: { readonly domain: string };
  readonly close_asked: Nothing;
  readonly stayed: Nothing;
  readonly left: Nothing;
  readonly renew_asked: Nothing;
  // Results of effects and of polling
  readonly settings_loaded: { readonly settings: WidgetSettings };
  readonly listed: { readonly connections: readonly Connection[] };
  readonly removed: { readonly connections: readonly Connection[] };
  readonly checked: { readonly domain: string; readonly check: DomainCheck };
  readonly created: { readonly domain: string; readonly connection: Joined };
  readonly loaded: { readonly connection: Joined; readonly check: DomainCheck | null };
  readonly polled: {
    readonly connection: Joined;
    /** Null when this poll did not check them. */
    readonly records: readonly RecordCheck[] | null;
    readonly times?: CheckTimes | null;
    /** With the records. */
    readonly proofs?: readonly RecordCheck[];
    readonly isEarly?: boolean;
  };
  readonly planned: { readonly plan: RecordPlan };
  readonly applied: { readonly plan: RecordPlan };
  readonly popup_changed: {
    readonly status: "open" | "closed" | "blocked" | "denied" | "returned";
    /** What a sign-in gave. */
    readonly grant?: string;
    readonly applyUrl?: string;
    readonly providerName?: string;
    readonly covers?: readonly string[];
  };
  readonly shared: { readonly url: string; readonly expiresAt: string };
  readonly diagnosed: { readonly diagnosis: Diagnosis };
  readonly email_applied: { readonly result: EmailApply; readonly isPreview?: true };
  readonly sending_applied: { readonly result: SendingDomain; readonly isPreview?: true };
  readonly failed: { readonly effect: Effect; readonly problem: Problem };
  // Changes outside: session, time, network
  readonly expired: { readonly effect: Effect | null; readonly problem: Problem };
  readonly renewed: { readonly boundDomain: string | null };
  readonly renew_failed: Nothing;
  readonly stalling: Nothing;
  readonly went_offline: Nothing;
  readonly went_online: Nothing;
}

type Nothing = Readonly<Record<never, never>>;

export type MachineEventType = keyof MachineEventMap;

export type MachineEvent<T extends MachineEventType = MachineEventType> = {
  [K in T]: { readonly type: K } & MachineEventMap[K];
}[T];

export interface Change {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export type Handler<T extends MachineEventType> = (state: State, event: MachineEvent<T>) => Change;

export type Handlers<T extends MachineEventType> = { readonly [K in T]: Handler<K> };

/** Changes some fields of the state and requests effects. */
export function change(
  state: State,
  fields: Partial<State>,
  ...effects: readonly Effect[]
): Change {
  return { state: { ...state, ...fields }, effects };
}

/** For an event that is late or does not apply in this state. */
export function ignore(state: State): Change {
  return { state, effects: [] };
}
