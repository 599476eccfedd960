import { recordRows } from "../../connection-view.ts";
import type { State } from "../../machine/state.ts";
import { findTrouble } from "../../machine/trouble.ts";
import { checkIcon, clockIcon, Icon, Spinner } from "../parts.tsx";
import { parseRegion } from "../region.ts";
import type { Ui } from "../screen.tsx";

/** What the check that the person asked for saw, and when the next one is. */
export function CheckAnswer({ ui }: { readonly ui: Ui }) {
  const { state, t } = ui;
  if (state.isChecking) {
    return (
      <p class="check-answer" data-testid="svc-checking-now" data-reveal="checking">
        <Spinner /> {t("check_running")}
      </p>
    );
  }
  const answer = answerText(ui);
  if (answer === null) return null;
  return (
    <p class="check-answer" data-testid="svc-check-answer" data-reveal={`answer ${answer}`}>
      <Icon path={isGood(ui) ? checkIcon : clockIcon} /> {answer}
    </p>
  );
}

function isGood({ state }: Ui): boolean {
  const count = countRecords(state);
  return findTrouble(state) === null && count !== null && count.found === count.all;
}

/** Of all records that are shown, the proof included. */
function countRecords({ connection, records, check }: State) {
  if (connection === null || records === null) return null;
  const rows = recordRows(connection, records, check);
  return { found: rows.filter(({ status }) => status === "found").length, all: rows.length };
}

/** Null until a check was asked for and has answered. */
export function answerText({
  state,
  t,
  locale,
}: Pick<Ui, "state" | "t" | "locale">): string | null {
  const { asked } = state;
  if (asked === null) return null;
  const time = clock(asked.at, locale);
  const count = countRecords(state);
  const saw =
    findTrouble(state) !== null
      ? t("check_still", { time })
      : count === null
        ? t("check_done", { time })
        : t(sawText(count), { time, ...count });
  const next = asked.nextAt === null ? time : clock(asked.nextAt, locale);
  // One that is due at once is not announced: its answer is about to replace this one.
  return next === time ? saw : `${saw} ${t("check_next", { time: next })}`;
}

function sawText({ found, all }: NonNullable<ReturnType<typeof countRecords>>) {
  if (all !== 1) return "check_saw";
  return found === 1 ? "check_saw_one" : "check_saw_none";
}

function clock(time: string, locale: string): string {
  return new Date(time).toLocaleTimeString(parseRegion(locale), { timeStyle: "medium" });
}
