import type { Output } from "../../output.ts";

interface Step {
  readonly text: string;
  readonly value: object;
}

/** On a terminal one line that is redrawn, otherwise a line now and then. */
const redrawMs = 200;
const lineMs = 10_000;

export function createProgress(output: Output): {
  readonly progress: (step: Step) => void;
  /** Shows the last step. */
  readonly done: () => void;
} {
  const { terminal } = output;
  const everyMs = terminal === null ? lineMs : redrawMs;
  let shownAt = performance.now();
  let hidden: Step | null = null;
  const show = (step: Step): void => {
    shownAt = performance.now();
    hidden = null;
    if (terminal === null) output.progress(step.text, step.value);
    else terminal.draw([step.text.slice(0, terminal.columns - 1)]);
  };
  return {
    progress(step) {
      if (performance.now() - shownAt >= everyMs) show(step);
      else hidden = step;
    },
    done() {
      if (terminal !== null && hidden !== null) show(hidden);
    },
  };
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${units[unit]}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
