import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { Command } from "commander";
import { createActions } from "../action.ts";
import { addTenantCommands } from "../program.ts";
import { addCompletion } from "./completion.ts";

const program = new Command("mooring");
const action = createActions(() => undefined);
addTenantCommands(program, action);
addCompletion(program, action);

/** The commands that have an action, each with its full name. */
function leaves(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(" "), command]];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

function helpText(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

describe("the commands for daily use", () => {
  const all = leaves(program);

  it("each come with an example and a description", () => {
    for (const [name, command] of all) {
      assert.match(helpText(command), new RegExp(`\nExamples:\n(.*\n)* .*mooring ${name}`), name);
      assert.notEqual(command.description(), "", name);
    }
  });

  it("take no secret of a credential from the command line", () => {
    for (const [name, command] of all) {
      const flags = command.options.map(({ long }) => long);
      const secret = flags.filter((flag) => /token|password|secret|^--field$/.test(flag ?? ""));
      assert.deepEqual(secret, [], name);
    }
  });

  it("are all in docs/cli.md", async () => {
    const guide = new URL("../../../../docs/cli.md", import.meta.url);
    const text = await readFile(guide, "utf8");
    for (const [name] of all) {
      const words = name.split(" ");
      const row = text
        .split("\n")
        .find((line) => line.startsWith("| `") && words.every((word) => line.includes(word)));
      assert.ok(row, `${name} is not in the table`);
    }
  });
});
