import type { ConnectionState, SetupType } from "@mooring/sdk";

/** The steps of the widget, as in the detail of `svc:step`. */
export type Step =
  | "enter_domain"
  | "domain_analysis"
  | "automatic_setup"
  | "manual_configuration"
  | "in_progress"
  | "email"
  | "success"
  | "error";

export type { ConnectionState, SetupType };

export interface StepDetail {
  readonly domain: string | null;
  /** The DNS provider's slug. */
  readonly provider: string | null;
  readonly step: Step;
  /** The connection's id. */
  readonly jobId: string | null;
}

export interface SuccessDetail {
  readonly domain: string;
  readonly success: true;
  readonly setupType: SetupType | null;
  readonly provider: string | null;
  readonly jobId: string;
}

export interface CloseDetail {
  readonly domain: string | null;
  readonly success: boolean;
  readonly setupType: SetupType | null;
  readonly provider: string | null;
  readonly lastStatus: ConnectionState | null;
  readonly jobId: string | null;
  readonly reason: "user" | "success" | "error" | "expired";
}

export interface ErrorDetail {
  readonly domain: string | null;
  readonly provider: string | null;
  readonly step: Step;
  readonly jobId: string | null;
  /** A code of the API, or `network`, `timeout`, `origin`, `invalid_theme`. */
  readonly code: string;
  readonly message: string;
  /** Where the plan can be changed; only with `QuotaExceeded`. */
  readonly upgradeUrl: string | null;
}

/** The CustomEvents that fire on `window`. */
export interface SvcEventMap {
  "svc:step": CustomEvent<StepDetail>;
  "svc:success": CustomEvent<SuccessDetail>;
  "svc:close": CustomEvent<CloseDetail>;
  "svc:error": CustomEvent<ErrorDetail>;
}

export type SvcEvent =
  | { readonly name: "svc:step"; readonly detail: StepDetail }
  | { readonly name: "svc:success"; readonly detail: SuccessDetail }
  | { readonly name: "svc:close"; readonly detail: CloseDetail }
  | { readonly name: "svc:error"; readonly detail: ErrorDetail };

declare global {
  interface WindowEventMap extends SvcEventMap {}
}
