import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { callCli } from "@mooring/testing/cli/run-cli";
import { Command, Option } from "commander";
import { completedCommands, completionScript, shells } from "./completion.ts";

const execute = promisify(execFile);

describe("mooring completion", () => {
  let directory = "";
  let script = "";

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-completion-"));
    script = path.join(directory, "mooring.bash");
    const { stdout, code, stderr } = await callCli(["completion", "bash"]);
    assert.equal(code, 0, stderr);
    await writeFile(script, stdout);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** What bash offers for the last of these words. */
  async function offered(...words: readonly string[]): Promise<string[]> {
    const all = ["mooring", ...words];
    const body = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mooring; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await execute("bash", ["-c", body, script, ...all], { cwd: directory });
    return stdout.split("\n").filter((line) => line !== "");
  }

  it("completes commands of every depth, the operator's too", async () => {
    assert.deepEqual(await offered("conn"), ["connections"]);
    assert.deepEqual(await offered("doc"), ["doctor"]);
    assert.deepEqual(await offered("connections", "wa"), ["watch"]);
    assert.deepEqual(await offered("apps", "keys", "re"), ["revoke"]);
  });

  it("skips options and their values to find the command", async () => {
    assert.deepEqual(await offered("--url", "apps", "--json", "webhooks", "rot"), [
      "rotate-secret",
    ]);
    assert.deepEqual(await offered("connections", "--api-key", "x", "sh"), ["show"]);
  });

  it("completes options, the values they are chosen from, and files", async () => {
    assert.deepEqual(await offered("connections", "apply", "x", "--dry"), ["--dry-run"]);
    assert.deepEqual(await offered("connections", "list", "--state", "dr"), ["drifted"]);
    assert.deepEqual(await offered("completion", "z"), ["zsh"]);
    assert.deepEqual(await offered("sandbox", "put", "a.test", "--file", "moor"), ["mooring.bash"]);
    assert.deepEqual(await offered("connections", "list", "--hostname", ""), []);
  });

  it("registers itself for Tab", async () => {
    const { stdout } = await execute("bash", ["-c", 'source "$0"; complete -p mooring', script]);
    assert.equal(stdout, "complete -F _mooring mooring\n");
  });

  it("quotes descriptions", () => {
    const program = new Command("mooring");
    program
      .command("odd")
      .description('it\'s $(touch x) `y` "z"')
      .addOption(new Option("--pick <one>").choices(["a'b"]));
    for (const shell of shells) {
      const text = completionScript(shell, completedCommands(program));
      assert.doesNotMatch(text.replaceAll("'\\''", ""), /'[^']*it's/);
    }
  });

  for (const shell of ["zsh", "fish"] as const) {
    it(`makes a script that ${shell} can read, where there is a ${shell} to ask`, async (test) => {
      const { stdout } = await callCli(["completion", shell]);
      assert.match(stdout, /mooring/);
      if (!existsSync(`/usr/bin/${shell}`)) {
        test.diagnostic(`${shell} is not installed here`);
        return;
      }
      const scriptFile = path.join(directory, `mooring.${shell}`);
      await writeFile(scriptFile, stdout);
      await execute(shell, ["-n", scriptFile]);
    });
  }
});
