import { recordRows } from "../connection-view.ts";
import { didYouMean } from "../did-you-mean.ts";
import { domainsEn } from "../locales/domains/en.ts";
import { enLater } from "../locales/en-later.ts";
import { mailEn } from "../locales/mail/en.ts";
import type { Translate } from "../locales/messages.ts";
import { movingEn } from "../locales/moving/en.ts";
import { setupEn } from "../locales/setup/en.ts";
import { moveStatus } from "../machine/cutover.ts";
import type { State } from "../machine/state.ts";
import { findTrouble } from "../machine/trouble.ts";
import { createSession } from "../runner/session.ts";
import { css } from "../styles/later.css";
import { shownDomain } from "./screen.tsx";
import { AutomaticSetup } from "./screens/automatic-setup.tsx";
import { answerText } from "./screens/check-answer.tsx";
import { DomainAnalysis } from "./screens/domain-analysis.tsx";
import { Email } from "./screens/email.tsx";
import { ErrorScreen, Success } from "./screens/ends.tsx";
import { InProgress } from "./screens/in-progress.tsx";
import { ManualConfiguration } from "./screens/manual-configuration.tsx";
import { troubleTitle } from "./screens/one-thing.tsx";
import { Overlays } from "./screens/overlays.tsx";
import { YourDomains } from "./screens/your-domains.tsx";
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
  YourDomains,
  createSession,
  liveText,
  createSpeaker,
  didYouMean,
  screenPart,
  messages: { ...enLater, ...setupEn, ...domainsEn, ...mailEn, ...movingEn },
  css,
} as const;

export type Later = typeof later;

/** Trouble replaces the progress, and its heading gets the focus. */
function screenPart(state: State): string {
  if (state.isListing) return `domains ${state.removing ?? ""}`;
  if (state.step !== "in_progress") return "";
  // Each part of a move has a heading of its own, which gets the focus.
  return findTrouble(state) === null ? (moveStatus(state.connection) ?? "") : "stopped";
}

/** The screen-reader announcement of a change of state without a change of screen. */
function liveText(before: State, after: State, t: Translate, locale: string): string | null {
  const domain = shownDomain(after);
  if (after.busy === "check" && before.busy !== "check") return t("live_checking", { domain });
  if (after.step !== before.step) return null;
  if (!after.isOnline && before.isOnline) return t("offline");
  if (isChecked(before, after)) return t("analysis_title");
  if (after.isStalling && !before.isStalling) {
    return [t("progress_stall_title"), hintOf(after)].filter((one) => one !== null).join(": ");
  }
  const trouble = newTrouble(before, after, t);
  if (trouble !== null) return trouble;
  if (isRemoved(before, after)) return t("domains_removed");
  if (after.share !== null && before.share === null) return t("share_ready");
  const found = newlyFound(before, after);
  const said = [
    newHint(before, after),
    after.asked === before.asked ? null : answerText({ state: after, t, locale }),
    found.length === 0 ? null : t("live_found", { name: found.join(", ") }),
  ].filter((one) => one !== null);
  return said.length === 0 ? null : said.join(" ");
}

function isChecked(before: State, after: State): boolean {
  return before.busy === "check" && after.busy === null;
}

function isRemoved(before: State, after: State): boolean {
  return before.busy === "remove" && after.busy === null && after.removeProblem === null;
}

/** What is wrong now and was not before; its details are on the screen. */
function newTrouble(before: State, after: State, t: Translate): string | null {
  const [known, now] = [before, after].map((state) => troubleTitle({ state, t }));
  return now === known ? null : (now ?? null);
}

function newHint(before: State, after: State): string | null {
  return after.isStalling && after.diagnosis !== before.diagnosis ? hintOf(after) : null;
}

/** Why it takes long, when nobody has to act. */
function hintOf({ diagnosis }: State): string | null {
  return diagnosis?.findings[0]?.texts.end_customer.title ?? null;
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
