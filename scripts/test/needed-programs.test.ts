import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leaveOut, neededPrograms, programName } from "./needed-programs.ts";
import { worldPrograms } from "./system-packages.ts";

const neededNames = (file: string) => neededPrograms(file).map(programName);

describe("the programs that a test file needs", () => {
  it("are those that a module of its imports starts", () => {
    assert.deepEqual(neededNames("packages/testing/src/acme/pebble.ts"), [
      "knotd",
      "named",
      "pebble",
      "nsupdate",
    ]);
    assert.deepEqual(neededNames("packages/testing/src/deploy/nats-server.ts"), ["nats-server"]);
  });

  it("are none for a file that only uses our own code", () => {
    assert.deepEqual(neededNames("packages/dns/src/name.test.ts"), []);
    assert.deepEqual(neededNames("packages/testing/src/database/database.ts"), []);
  });

  it("leave a file out when one is missing, and name it", () => {
    const missing = worldPrograms.filter(({ file }) => file === "/usr/bin/pebble");
    const files = [
      "packages/testing/src/acme/pebble.ts",
      "packages/testing/src/dns/dns-servers.ts",
    ];
    assert.deepEqual(leaveOut(files, missing), {
      runnable: ["packages/testing/src/dns/dns-servers.ts"],
      leftOut: [{ file: "packages/testing/src/acme/pebble.ts", needs: ["pebble"] }],
    });
  });
});
