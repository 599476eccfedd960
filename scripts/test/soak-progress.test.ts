import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { quantile, soakRounds } from "../../packages/testing/src/processes/soak.ts";
import { describeTree, openSoak, withPromises } from "./soak-progress.ts";

describe("a soak", () => {
  const root = mkdtempSync(path.join(tmpdir(), "mooring-soak-"));
  const directory = path.join(root, "soak");
  after(() => rmSync(root, { recursive: true }));
  const end = (file: string, isPassed: boolean): void =>
    appendFileSync(
      path.join(directory, "files.jsonl"),
      `${JSON.stringify({ file, isPassed, ms: 1 })}\n`,
    );

  it("continues with the files that have not passed on the same tree", () => {
    assert.deepEqual(openSoak(directory, "tree 1", ["a", "b", "c"], true).files, ["a", "b", "c"]);
    end("a", true);
    end("b", false);
    assert.deepEqual(openSoak(directory, "tree 1", ["a", "b", "c"], true).files, ["b", "c"]);
    end("b", true);
    assert.deepEqual(openSoak(directory, "tree 1", ["a", "b", "c"], true).files, ["c"]);
  });

  it("starts over on another tree, and where it is not to continue", () => {
    assert.deepEqual(openSoak(directory, "tree 2", ["a", "b"], true).files, ["a", "b"]);
    end("a", true);
    assert.deepEqual(openSoak(directory, "tree 2", ["a", "b"], false).files, ["a", "b"]);
  });

  it("continues with the round that had not ended", async (t) => {
    process.env["SOAK_DIR"] = directory;
    t.after(() => delete process.env["SOAK_DIR"]);
    const rounds: number[] = [];
    const stopAt = (last: number) => async (round: number) => {
      rounds.push(round);
      if (round === last) throw new Error("interrupted");
      return round * 10;
    };
    await assert.rejects(soakRounds("race", 4, stopAt(2)), /interrupted/);
    assert.deepEqual(await soakRounds("race", 4, stopAt(9)), [0, 10, 20, 30]);
    assert.deepEqual(await soakRounds("race", 4, stopAt(9)), [0, 10, 20, 30]);
    assert.deepEqual(rounds, [0, 1, 2, 2, 3]);
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2);
    assert.equal(quantile([4, 1, 3, 2], 0.99), 4);
  });

  it("is of the same tree after its results were written, and of another after any other change", () => {
    const repository = path.join(root, "repository");
    mkdirSync(path.join(repository, "bench"), { recursive: true });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: repository });
    const write = (file: string, text: string) => writeFileSync(path.join(repository, file), text);
    const commit = () =>
      git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qam", "c");
    git("init", "-q");
    write("bench/README.md", "| G1 | a |");
    write("code.ts", "one");
    git("add", ".");
    commit();
    const before = describeTree(repository);
    write("bench/README.md", "| G1 | b |");
    assert.equal(describeTree(repository), before);
    commit();
    assert.equal(describeTree(repository), before);
    write("new.ts", "1");
    const withNew = describeTree(repository);
    assert.notEqual(withNew, before);
    write("new.ts", "2");
    assert.notEqual(describeTree(repository), withNew);
    write("code.ts", "two");
    commit();
    assert.notEqual(describeTree(repository), before);
  });

  it("writes the newest result of each promise into its row, and leaves the others", () => {
    const table = "| G1 events | a | b | c | d |\n| G12 connects | a | b | c | d |\n";
    const record = (size: string) => ({
      promise: "G1",
      size,
      result: "none lost",
      machine: "2 × X",
      date: "2026-11-18",
    });
    assert.equal(
      withPromises(table, [record("10 | 20"), record("1,000 kills")]),
      "| G1 events | 1,000 kills | none lost | 2 × X | 2026-11-18 |\n| G12 connects | a | b | c | d |\n",
    );
  });
});
