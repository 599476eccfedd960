import { recordRows } from "../connection-view.ts";
import { didYouMean } from "../did-you-mean.ts";
import type { SvcEvent } from "../events.ts";
import { enLater } from "../locales/en-later.ts";
import type { Translate } from "../locales/messages.ts";
import { setupEn } from "../locales/setup/en.ts";
import { errorDetail } from "../machine/machine.ts";
import { initialState, type State } from "../machine/state.ts";
import { troubleOf } from "../machine/trouble.ts";
import { problemOf } from "../runner/api.ts";
import { createSession } from "../runner/session.ts";
import { css } from "../styles/later.css";
import type { SafeTheme } from "../theme.ts";
import { domainOf } from "./screen.tsx";
import { AutomaticSetup } from "./screens/automatic-setup.tsx";
import { answerText } from "./screens/check-answer.tsx";
import { DomainAnalysis } from "./screens/domain-analysis.tsx";
import { Email } from "./screens/email.tsx";
import { ErrorScreen, Success } from "./screens/ends.tsx";
import { InProgress } from "./screens/in-progress.tsx";
import { ManualConfiguration } from "./screens/manual-configuration.tsx";
import { troubleTitle } from "./screens/one-thing.tsx";
import { Overlays } from "./screens/overlays.tsx";
import { createSpeaker } from "./words.ts";

/**
 * The screens after the first ones, with their messages and styles. `widget.js` loads them with a
 * second request when the widget opens, so that a page which only shows the button does not.
 */
export const later = {
  screens: {
    domain_analysis: DomainAnalysis,
    automatic_setup: AutomaticSetup,
    manual_configuration: ManualConfiguration,
    in_progress: InProgress,
    email: Email,
    success: Success,
    error: ErrorScreen,
  },
  Overlays,
  createSession,
  liveText,
  createSpeaker,
  didYouMean,
  placeOf,
  reportTheme,
  messages: { ...enLater, ...setupEn },
  css,
} as const;

export type Later = typeof later;

/** Trouble replaces the progress, and its heading gets the focus. */
function placeOf(state: State): string {
  return state.step === "in_progress" && troubleOf(state) !== null ? "stopped" : "";
}

/** An invalid theme value is ignored and reported to the page as `svc:error`. */
function reportTheme({ refused }: SafeTheme, notify: (event: SvcEvent) => void): void {
  const state = initialState({ offersEmail: false, boundDomain: null, canRenew: false }, "");
  for (const key of refused) {
    const problem = problemOf("invalid_theme", `theme.${key} is not safe, or not what it takes`);
    notify({ name: "svc:error", detail: errorDetail(state, problem) });
  }
}

/** The screen-reader announcement of a change of state without a change of screen. */
function liveText(before: State, after: State, t: Translate, locale: string): string | null {
  const domain = domainOf(after);
  if (after.busy === "check" && before.busy !== "check") return t("live_checking", { domain });
  if (after.step !== before.step) return null;
  if (!after.isOnline && before.isOnline) return t("offline");
  if (after.busy === null && before.busy === "check") return t("analysis_title");
  if (after.isStalling && !before.isStalling) return t("progress_stall_title");
  if (after.asked !== before.asked) return answerText({ state: after, t, locale });
  const trouble = newTrouble(before, after, t);
  if (trouble !== null) return trouble;
  if (after.share !== null && before.share === null) return t("share_ready");
  const found = newlyFound(before, after);
  return found.length === 0 ? null : t("live_found", { name: found.join(", ") });
}

/** What is wrong now and was not before; its details are on the screen. */
function newTrouble(before: State, after: State, t: Translate): string | null {
  const [known, now] = [before, after].map((state) => troubleTitle({ state, t }));
  return now === known ? null : (now ?? null);
}

function newlyFound(before: State, after: State): readonly string[] {
  const had = new Set(foundRecords(before));
  return foundRecords(after).filter((name) => !had.has(name));
}

function foundRecords({ connection, records, check }: State): readonly string[] {
  if (connection === null) return [];
  return recordRows(connection, records, check)
    .filter(({ status }) => status === "found")
    .map(({ record }) => `${record.type} ${record.host}`);
}
