import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionDetail, Mooring } from "@mooring/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCode, type RegisterAction } from "../../action.ts";
import type { Output, Terminal } from "../../output.ts";
import { listenForEnd } from "../../process-control.ts";
import { apiCommand, examples, persist } from "../api-command.ts";
import { CommandFailure } from "../explain.ts";
import { connectionId } from "../references.ts";
import { paint, type Style, shorten } from "../text/paint.ts";
import { painted } from "../text/table.ts";
import { hasEnded, hasReached, listSteps, type Step, type StepRecord, waitable } from "./steps.ts";

const everyMs = 1_000;
const frameMs = 120;
/** After this long without a change a hint is shown; the widget shows one at the same time. */
const hintAfterMs = 45_000;

export function addWatch(connections: Command, action: RegisterAction): void {
  const watch = withWatchOptions(connections.command("watch"))
    .description("follow a connection, step by step, until it is live")
    .argument("<connection>", "id or hostname");
  examples(
    watch,
    "mooring connections watch shop.acme.com",
    "mooring connections watch shop.acme.com --until verified --timeout 600",
    "# A line of JSON for each change:",
    "mooring connections watch shop.acme.com --json",
  );
  apiCommand(action, watch, async ({ client, output, args, options }) => {
    const id = await connectionId(client, args[0]);
    return watchConnection(client, output, id, options);
  });
}

export function withWatchOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--until <state>", "stop when it is in this state or beyond")
        .choices(waitable)
        .default("live"),
    )
    .option("--timeout <seconds>", "give up after this long", parseSeconds);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError("Give a number of seconds.");
}

/** Returns 0 when the state is reached, and 1 when it cannot be reached or after the timeout. */
export async function watchConnection(
  client: Mooring,
  output: Output,
  id: string,
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  const end = listenForEnd();
  const target = waitable.find((state) => state === options["until"]) ?? "live";
  const { timeout } = options;
  const limit = typeof timeout === "number" ? [AbortSignal.timeout(timeout * 1_000)] : [];
  const signal = AbortSignal.any([end.signal, ...limit]);
  const view = createView(output);
  try {
    for (;;) {
      const connection = await persist(view.report, signal, () =>
        client.connections.get(id, { signal }),
      );
      view.show(connection);
      if (hasReached(connection.state, target)) return exitCode.done;
      if (hasEnded(connection.state)) throw ended(connection);
      await delay(everyMs, undefined, { signal });
    }
  } catch (error) {
    if (end.signal.aborted) return exitCode.failed;
    if (signal.aborted) throw tooLate(String(timeout), id);
    throw error;
  } finally {
    view.close();
    end.release();
  }
}

function ended({ id, hostname, state, error_code }: ConnectionDetail): CommandFailure {
  const why = error_code === null ? "" : ` (${error_code})`;
  return new CommandFailure(`${hostname} is ${state}${why}`, {
    code: state,
    hints: state === "failed" ? [diagnoseHint(id)] : [],
  });
}

function tooLate(seconds: string, id: string): CommandFailure {
  const hints = [diagnoseHint(id)];
  return new CommandFailure(`not reached within ${seconds} s`, { code: "timeout", hints });
}

function diagnoseHint(id: string): string {
  return `for the reason: mooring connections diagnose ${id}`;
}

interface View {
  show(connection: ConnectionDetail): void;
  /** Shows a message besides the steps. */
  report(text: string, value: object): void;
  close(): void;
}

function createView(output: Output): View {
  return output.terminal === null ? lineView(output) : liveView(output.terminal);
}

/** A line, or with `--json` a document, for each change. */
function lineView(output: Output): View {
  let before: ConnectionDetail | null = null;
  return {
    show(connection) {
      const changes = changesSince(before, connection);
      before = connection;
      if (changes.length === 0) return;
      const at = new Date().toISOString();
      const { id, hostname, state, error_code } = connection;
      const steps = listSteps(connection).map(({ name, status }) => ({ name, status }));
      const value = { at, id, hostname, state, error_code, steps, changes };
      output.item(changes.map((line) => `${at}  ${line}`).join("\n"), value);
    },
    report: (text, value) => output.progress(text, value),
    close: () => undefined,
  };
}

/** The steps in a block that is redrawn. */
function liveView(terminal: Terminal): View {
  const startedAt = performance.now();
  let changedAt = startedAt;
  let last: ConnectionDetail | null = null;
  let message: string | null = null;
  let frame = 0;
  const draw = (): void => {
    if (last === null) return;
    const now = performance.now();
    const isLong = now - changedAt > hintAfterMs && last.state !== "live";
    const hint = isLong ? `Nothing new for a while: mooring connections diagnose ${last.id}` : null;
    const note = message ?? hint;
    const { columns } = terminal;
    terminal.draw(
      stepsView({ connection: last, elapsedMs: now - startedAt, frame, columns, note }),
    );
    frame += 1;
  };
  const timer = setInterval(draw, frameMs);
  return {
    show(connection) {
      if (changesSince(last, connection).length > 0) changedAt = performance.now();
      last = connection;
      message = null;
      draw();
    },
    report(text) {
      message = text;
    },
    close: () => clearInterval(timer),
  };
}

const marks: Readonly<Record<Step["status"], readonly [Style, string]>> = {
  done: ["green", "✔"],
  active: ["cyan", "●"],
  waiting: ["dim", "○"],
  trouble: ["yellow", "!"],
  failed: ["red", "✘"],
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

interface StepsFrame {
  readonly connection: ConnectionDetail;
  readonly elapsedMs: number;
  /** Which frame of the moving mark is shown. */
  readonly frame: number;
  readonly columns: number;
  /** A sentence below the steps. */
  readonly note: string | null;
}

/** The lines of the redrawn block, none wider than the terminal. */
export function stepsView({ connection, elapsedMs, frame, columns, note }: StepsFrame): string[] {
  const seconds = Math.floor(elapsedMs / 1_000);
  const { hostname, state, error_code } = connection;
  const error = error_code === null ? "" : `  ${paint("yellow", error_code)}`;
  return [
    `${paint("bold", hostname)}  ${painted(state)}${error}  ${paint("dim", `${seconds} s`)}`,
    ...listSteps(connection).flatMap((step) => stepLines(step, frame)),
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

/** What has changed since the state before, one line each, for pipes and logs. */
export function changesSince(
  before: ConnectionDetail | null,
  connection: ConnectionDetail,
): string[] {
  const { state, error_code } = connection;
  const lines: string[] = [];
  if (before?.state !== state || before.error_code !== error_code) {
    lines.push(`${state}${error_code === null ? "" : ` (${error_code})`}`);
  }
  const earlier = before === null ? [] : listSteps(before);
  listSteps(connection).forEach((step, index) => {
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
