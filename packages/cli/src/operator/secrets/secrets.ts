import {
  ConfigError,
  findRootKeys,
  formatKeyRing,
  generateRootKey,
  purposes,
  type RotationReport,
  retireAssertionKeys,
  rotateSecrets,
} from "@mooring/control";
import { type Command, Option } from "commander";
import type { RegisterAction } from "../../action.ts";
import { exitCode } from "../../action.ts";
import type { Output } from "../../output.ts";
import { withDatabase } from "../database/database.ts";
import { attempt, CommandError } from "../failure.ts";

export function addSecrets(program: Command, action: RegisterAction): void {
  const secrets = program.command("secrets").description("the root key and what it seals");
  const generate = secrets.command("generate").description("make a root key for SECRET_KEY");
  action(generate, async (output) => {
    const key = generateRootKey();
    output.result(key, { key });
    return exitCode.done;
  });

  addExport(secrets, action);
  const rotate = secrets
    .command("rotate")
    .description("bring every sealed value under the current root key")
    .addHelpText("after", rotateHelp);
  action(rotate, (output) =>
    withDatabase(output, async (runtime) => {
      // Loaded on demand: no other command needs the edge.
      const { edgeColumns } = await import("./edge-columns.ts");
      const report = await rotateSecrets(runtime, {
        columns: edgeColumns,
        onProgress: (one) =>
          output.progress(`${one.column}: ${one.rewrapped} of ${one.total}`, one),
      });
      return conclude(output, report);
    }),
  );

  const retire = secrets
    .command("retire-assertion-keys")
    .description("stop trusting the keys that sign for origins; edges make a new one in a minute");
  action(retire, (output) =>
    withDatabase(output, async (runtime) => {
      const retired = await retireAssertionKeys(runtime);
      const lines = retired.map((id) => `retired ${id}`);
      output.result(lines.join("\n") || "there was none", { retired });
      return exitCode.done;
    }),
  );
}

/** Without the database: the keys are derived from SECRET_KEY alone. */
function addExport(secrets: Command, action: RegisterAction): void {
  const command = secrets
    .command("export")
    .description("derive the keys of some purposes, for a process that must not have SECRET_KEY")
    .addOption(new Option("--for <process>", "every purpose that it needs").choices(["edge"]))
    .addOption(new Option("--purpose <purpose...>", "these purposes").choices(purposes))
    .addHelpText(
      "after",
      "\nPrints a value for SECRET_KEY_EDGE. After SECRET_KEY has changed, export it again before the next restart.",
    );
  action(command, (output, _args, options) =>
    attempt(output, async (config) => {
      const rootKeys = findRootKeys(config);
      if (rootKeys === null) throw new ConfigError(["SECRET_KEY: not set, and none was generated"]);
      const { edgePurposes } = await import("@mooring/edge");
      const named = purposes.filter((one) => [options["purpose"]].flat().includes(one));
      const requested = options["for"] === "edge" ? [...edgePurposes, ...named] : named;
      if (requested.length === 0)
        throw new CommandError("name --for edge, or a --purpose", exitCode.usage);
      const ring = formatKeyRing(rootKeys, [...new Set(requested)]);
      output.result(ring, { ring, purposes: requested });
      return exitCode.done;
    }),
  );
}

const rotateHelp = `
How to change the root key without a pause:
  1. mooring secrets generate
  2. SECRET_KEY=old,new for every process, and restart them
  3. SECRET_KEY=new,old for every process, and restart them
  4. mooring secrets rotate, with the same SECRET_KEY=new,old; run it again if it was stopped
  5. SECRET_KEY=new
Nothing is lost in between: each value opens with the old or the new key at any time.`;

function conclude(output: Output, report: RotationReport): number {
  const { currentKeyId, rewrapped, unreadable, remaining, uncovered, retiredKeyIds } = report;
  const isComplete = unreadable.length === 0 && remaining === 0 && uncovered.length === 0;
  const lines = [`${rewrapped} values brought under ${currentKeyId}`];
  for (const value of unreadable) lines.push(`does not open with any key: ${value}`);
  for (const column of uncovered) {
    lines.push(
      `${column} has values that this release cannot rotate: leave the old key in SECRET_KEY`,
    );
  }
  if (remaining > 0) {
    lines.push(
      `${remaining} values were sealed under another key meanwhile: restart every process with ${currentKeyId} first in SECRET_KEY, then run this again`,
    );
  }
  if (isComplete && retiredKeyIds.length > 0) {
    lines.push(`nothing needs ${retiredKeyIds.join(", ")} any more: take it out of SECRET_KEY`);
  }
  output.result(lines.join("\n"), { ...report, complete: isComplete });
  return isComplete ? exitCode.done : exitCode.failed;
}
