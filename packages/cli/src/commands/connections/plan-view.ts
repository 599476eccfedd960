import type { DnsRecord, RecordChange, RecordPlan } from "@mooring/sdk";
import { paint, type Style } from "../text/paint.ts";
import { recordValue } from "../text/words.ts";
import { wrap } from "../text/wrap.ts";

const signs: Readonly<Record<RecordChange["action"], readonly [Style, string]>> = {
  create: ["green", "+"],
  update: ["yellow", "~"],
  keep: ["dim", "="],
  conflict: ["red", "!"],
  delete: ["red", "-"],
};

/** What a write does to a zone, as a diff is read. */
export function planText(plan: RecordPlan, width: number | null): string {
  // Reasons speak of the zone as it was before.
  const isDone = plan.applied && !plan.dry_run;
  const lines = plan.changes.flatMap((change) =>
    changeLines(isDone ? { ...change, reason: "" } : change, width),
  );
  const notes = plan.notes.map((note) => wrap(note, width, ""));
  return [heading(plan), ...lines, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}

function heading({ dry_run, applied, zone, provider, changes }: RecordPlan): string {
  const place = `${paint("bold", zone)} at ${provider}`;
  if (changes.every(({ action }) => action === "keep")) return `Nothing to change in ${place}`;
  if (applied && !dry_run) return `Written to ${place}`;
  return `Plan for ${place}, nothing is written yet`;
}

function changeLines(change: RecordChange, width: number | null): string[] {
  const [style, sign] = signs[change.action];
  const isRefused = change.action === "conflict";
  const id = isRefused ? `  ${paint("dim", change.id)}` : "";
  const reason = change.reason === "" ? [] : [paint("dim", wrap(change.reason, width, "      "))];
  return [
    `  ${paint(style, sign)} ${line(change.record)}${id}`,
    ...change.existing.map((one) => `      ${isRefused ? "there" : "was"}: ${line(one)}`),
    ...reason,
  ];
}

function line(record: DnsRecord): string {
  return `${record.host} ${record.type} ${recordValue(record)}`;
}
