import type { ImportAction, ImportNext, ImportResult } from "@mooring/control";
import { table } from "../../output.ts";

const actions: Readonly<Record<ImportAction, readonly [planned: string, done: string]>> = {
  create: ["create", "created"],
  add_certificate: ["add certificate", "certificate added"],
  replace_certificate: ["replace certificate", "certificate replaced"],
  trust: ["trust its DNS", "DNS trusted"],
  keep: ["keep", "unchanged"],
  differs: ["differs", "differs"],
  refuse: ["refuse", "refused"],
};

const nexts: Readonly<Record<ImportNext, string>> = {
  live: "goes live by itself: its DNS leads here",
  proof_then_live: "waits for its TXT record, then goes live: its DNS leads here",
  proof_then_switch: "waits for its TXT record, then for its switch (cut-over)",
  proof_then_records: "waits for its TXT record, then for its records",
};

/** One table of what was done, or will be, and the counts. */
export function importText(results: readonly ImportResult[], isApplied: boolean): string {
  const rows = results.map((result) => [
    result.location,
    result.hostname,
    result.customerRef ?? "–",
    actions[result.action][isApplied ? 1 : 0],
    certificateText(result),
    detailsText(result),
  ]);
  const shown =
    rows.length === 0
      ? "There is nothing to import."
      : table(["WHERE", "HOSTNAME", "CUSTOMER", "ACTION", "CERTIFICATE", "NEXT"], rows);
  return [shown, "", summaryText(results, isApplied)].join("\n");
}

function detailsText({ redirectTo, reason, next }: ImportResult): string {
  const redirect = redirectTo === null ? null : `redirects to ${redirectTo}`;
  const parts = [redirect, reason, next === null ? null : nexts[next]];
  return parts.filter((part) => part !== null).join("; ");
}

function certificateText({ certificateEnds }: ImportResult): string {
  return certificateEnds === null ? "–" : `until ${certificateEnds.toISOString().slice(0, 10)}`;
}

export function countActions(
  results: readonly ImportResult[],
): Readonly<Record<ImportAction, number>> {
  const counts = {
    create: 0,
    add_certificate: 0,
    replace_certificate: 0,
    trust: 0,
    keep: 0,
    differs: 0,
    refuse: 0,
  };
  for (const { action } of results) counts[action] += 1;
  return counts;
}

function summaryText(results: readonly ImportResult[], isApplied: boolean): string {
  const counts = countActions(results);
  const parts = (Object.keys(actions) as ImportAction[])
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} ${actions[action][isApplied ? 1 : 0]}`);
  const said = `${results.length} rows${parts.length > 0 ? `: ${parts.join(", ")}` : ""}.`;
  const isOpen = results.some(({ action }) => !/^(keep|differs|refuse)$/.test(action));
  return isApplied || !isOpen
    ? said
    : `${said} Nothing was written: run it again with --apply to write it.`;
}
