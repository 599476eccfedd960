import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionDetail, Mooring } from "@mooring/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { listenForEnd } from "../../end-request.ts";
import { exitCode } from "../../exit-code.ts";
import type { Output } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";
import { apiCommand } from "../api-command.ts";
import { examples } from "../examples.ts";
import { CommandFailure } from "../explain.ts";
import { persist } from "../persist.ts";
import { connectionId } from "../references.ts";
import { hasReached, isOver, stepsOf, waitable } from "./steps.ts";
import { changesSince, stepsView } from "./steps-view.ts";

const everyMs = 1_000;
const frameMs = 120;
/** After so long without a change a person wonders; the widget says so at the same time. */
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
    .option("--timeout <seconds>", "give up after so long", secondsOf);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new InvalidArgumentError("Give a number of seconds.");
}

/** Ends with 0 when the state is reached, with 1 when it cannot be or the time is over. */
export async function watchConnection(
  client: Mooring,
  output: Output,
  id: string,
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  const end = listenForEnd();
  const wanted = waitable.find((state) => state === options["until"]) ?? "live";
  const { timeout } = options;
  const limit = typeof timeout === "number" ? [AbortSignal.timeout(timeout * 1_000)] : [];
  const signal = AbortSignal.any([end.signal, ...limit]);
  const view = viewOf(output);
  try {
    for (;;) {
      const connection = await persist(view.tell, signal, () =>
        client.connections.get(id, { signal }),
      );
      view.show(connection);
      if (hasReached(connection.state, wanted)) return exitCode.done;
      if (isOver(connection.state)) throw ended(connection);
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
  return new CommandFailure(`not there within ${seconds} s`, { code: "timeout", hints });
}

function diagnoseHint(id: string): string {
  return `what hinders it: mooring connections diagnose ${id}`;
}

interface View {
  show(connection: ConnectionDetail): void;
  /** What happens besides. */
  tell(text: string, value: object): void;
  close(): void;
}

function viewOf(output: Output): View {
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
      const steps = stepsOf(connection).map(({ name, status }) => ({ name, status }));
      const value = { at, id, hostname, state, error_code, steps, changes };
      output.item(changes.map((line) => `${at}  ${line}`).join("\n"), value);
    },
    tell: (text, value) => output.progress(text, value),
    close: () => undefined,
  };
}

/** The steps in one place, redrawn as they go on. */
function liveView(terminal: Terminal): View {
  const startedAt = performance.now();
  let changedAt = startedAt;
  let last: ConnectionDetail | null = null;
  let said: string | null = null;
  let frame = 0;
  const draw = (): void => {
    if (last === null) return;
    const now = performance.now();
    const isLong = now - changedAt > hintAfterMs && last.state !== "live";
    const hint = isLong ? `Nothing new for a while: mooring connections diagnose ${last.id}` : null;
    const note = said ?? hint;
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
      said = null;
      draw();
    },
    tell(text) {
      said = text;
    },
    close: () => clearInterval(timer),
  };
}
