import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leaveOut, nameOf, neededPrograms } from "./needed-programs.ts";
import { worldPrograms } from "./system-packages.ts";

const namesOf = (file: string) => neededPrograms(file).map(nameOf);

describe("the programs that a test file needs", () => {
  it("are those that a module of its imports starts", () => {
    assert.deepEqual(namesOf("test/support/pebble.ts"), ["knotd", "named", "pebble", "nsupdate"]);
    assert.deepEqual(namesOf("test/support/nats-server.ts"), ["nats-server"]);
  });

  it("are none for a file that only uses our own code", () => {
    assert.deepEqual(namesOf("packages/dns/src/name.test.ts"), []);
    assert.deepEqual(namesOf("test/support/database.ts"), []);
  });

  it("leave a file out when one is missing, and name it", () => {
    const missing = worldPrograms.filter(({ file }) => file === "/usr/bin/pebble");
    const files = ["test/support/pebble.ts", "test/support/dns-servers.ts"];
    assert.deepEqual(leaveOut(files, missing), {
      runnable: ["test/support/dns-servers.ts"],
      leftOut: [{ file: "test/support/pebble.ts", needs: ["pebble"] }],
    });
  });
});
