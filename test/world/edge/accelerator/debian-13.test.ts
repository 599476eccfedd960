import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { describe, it } from "node:test";
import { findDebian13 } from "@mooring/testing/processes/debian-13";

/** HAProxy 3.0 instead of the installed one. */
describe("the accelerator with the HAProxy of Debian 13", () => {
  const debian13 = findDebian13();
  const skip = "missing" in debian13 ? debian13.missing : false;

  it("does what it does with that of Debian 12", { skip }, () => {
    assert.ok("haproxy" in debian13);
    const files = globSync("packages/edge/src/accelerator/**/*.world.test.ts");
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--test", "--test-timeout=120000", ...files],
      {
        env: { ...env, TEST_HAPROXY: debian13.haproxy },
        encoding: "utf8",
      },
    );
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^# pass [1-9]|pass [1-9]/m);
    assert.match(stdout, /skipped 0/);
  });
});
