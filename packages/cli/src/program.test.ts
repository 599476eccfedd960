import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { callCli, finish, runCli, spawnCli } from "@mooring/testing/cli/run-cli";

describe("mooring", () => {
  let dataDir = "";
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-cli-"));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it("explains itself and ends with 0 when asked for help", async () => {
    const { code, stdout } = await runCli(["--help"]);
    assert.equal(code, 0);
    for (const name of ["serve", "migrate", "tenants", "keys", "secrets", "doctor"]) {
      assert.match(stdout, new RegExp(`^ {2}${name}\\b`, "m"));
    }
  });

  it("ends without a word when the reader of a pipe has read enough", async () => {
    const child = spawnCli(["connections", "--help"]);
    child.stdout.destroy();
    const { code, stderr } = await finish(child);
    assert.deepEqual([code, stderr], [141, ""]);
  });

  it("ends with 2 on a wrong command line, and suggests the right one", async () => {
    const mistyped = await callCli(["migrat"]);
    assert.equal(mistyped.code, 2);
    assert.match(mistyped.stderr, /Did you mean migrate\?/);
    assert.equal((await callCli(["keys", "create", "--tenant", "Default"])).code, 2);
    assert.equal((await callCli(["serve", "everything"])).code, 2);
    assert.equal((await callCli(["tenants", "create", ""])).code, 2);
  });

  it("says in one line what to do when no database is named", async () => {
    const { code, stderr, stdout } = await callCli(["tenants", "list"], { DATA_DIR: dataDir });
    assert.equal(code, 78);
    assert.equal(stdout, "");
    assert.match(stderr, /^mooring: DATABASE_URL: not set, .*npm start.*\n$/);
  });

  it("answers errors as JSON when asked to", async () => {
    const { code, stderr } = await callCli(["migrate", "--json"], {
      DATA_DIR: dataDir,
      PORT: "many",
    });
    assert.equal(code, 78);
    const { error } = JSON.parse(stderr) as { error: { code: string; problems: string[] } };
    assert.equal(error.code, "configuration");
    assert.match(error.problems[0] ?? "", /^PORT: /);
  });

  it("makes a new root key each time, in the form that SECRET_KEY takes", async () => {
    const first = await callCli(["secrets", "generate"]);
    const second = await callCli(["secrets", "generate", "--json"]);
    assert.match(first.stdout, /^k[0-9a-f]{8}:[A-Za-z0-9+/]{43}=\n$/);
    assert.match(String(second.json()["key"]), /^k[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(first.stdout.trim(), second.json()["key"]);
  });
});
