import type { Translate } from "../locales/translate.ts";
import type { State } from "../machine/state.ts";
import { recordRows } from "../records.ts";
import { domainOf } from "./ui.ts";

/** What a screen reader is told when the state changes without a change of screen. */
export function liveText(before: State, after: State, t: Translate): string | null {
  const domain = domainOf(after);
  if (after.busy === "check" && before.busy !== "check") return t("live_checking", { domain });
  if (after.step !== before.step) return null;
  if (!after.isOnline && before.isOnline) return t("offline");
  if (after.busy === null && before.busy === "check") return t("analysis_title");
  if (after.isStalling && !before.isStalling) return t("progress_stall_title");
  if (after.diagnosis !== before.diagnosis) return after.diagnosis?.summary ?? null;
  const found = newlyFound(before, after);
  return found.length === 0 ? null : t("live_found", { name: found.join(", ") });
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
