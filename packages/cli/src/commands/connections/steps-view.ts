import type { ConnectionDetail } from "@mooring/sdk";
import { paint, type Style, shorten } from "../text/paint.ts";
import { painted } from "../text/words.ts";
import { type Step, type StepRecord, stepsOf } from "./steps.ts";

const marks: Readonly<Record<Step["status"], readonly [Style, string]>> = {
  done: ["green", "✔"],
  active: ["cyan", "●"],
  waiting: ["dim", "○"],
  trouble: ["yellow", "!"],
  failed: ["red", "✘"],
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface Moment {
  readonly connection: ConnectionDetail;
  readonly elapsedMs: number;
  /** Which picture of the moving mark is shown. */
  readonly frame: number;
  readonly columns: number;
  /** A sentence below the steps. */
  readonly note: string | null;
}

/** The block that is redrawn: as many lines as there are, none wider than the terminal. */
export function stepsView({ connection, elapsedMs, frame, columns, note }: Moment): string[] {
  const seconds = Math.floor(elapsedMs / 1_000);
  const { hostname, state, error_code } = connection;
  const error = error_code === null ? "" : `  ${paint("yellow", error_code)}`;
  return [
    `${paint("bold", hostname)}  ${painted(state)}${error}  ${paint("dim", `${seconds} s`)}`,
    ...stepsOf(connection).flatMap((step) => stepLines(step, frame)),
    ...(note === null ? [] : ["", note]),
  ].map((line) => shorten(line, columns));
}

function stepLines(step: Step, frame: number): string[] {
  const [style, still] = marks[step.status];
  const mark = step.status === "active" ? (frames[frame % frames.length] ?? still) : still;
  const text = step.status === "waiting" ? paint("dim", step.text) : step.text;
  const isOpen = step.status !== "done" && step.status !== "waiting";
  return [`  ${paint(style, mark)} ${text}`, ...(isOpen ? step.records.map(recordLine) : [])];
}

function recordLine({ record, isSeen }: StepRecord): string {
  return isSeen ? `      ${paint("green", "✔")} ${record}` : `      ${paint("dim", "·")} ${record}`;
}

/** What has changed since an earlier look, one line each, for pipes and logs. */
export function changesSince(
  before: ConnectionDetail | null,
  connection: ConnectionDetail,
): string[] {
  const { state, error_code } = connection;
  const lines: string[] = [];
  if (before?.state !== state || before.error_code !== error_code) {
    lines.push(`${state}${error_code === null ? "" : ` (${error_code})`}`);
  }
  const earlier = before === null ? [] : stepsOf(before);
  stepsOf(connection).forEach((step, index) => {
    const was = earlier[index];
    if (was?.status !== step.status && step.status !== "waiting") lines.push(step.text);
    if (step.status === "active" && was?.status !== "active") {
      lines.push(
        ...step.records.filter((one) => !one.isSeen).map((one) => `wanted: ${one.record}`),
      );
    }
    const seen = step.records.filter((one, at) => one.isSeen && was?.records[at]?.isSeen === false);
    lines.push(...seen.map((one) => `seen: ${one.record}`));
  });
  return lines;
}
