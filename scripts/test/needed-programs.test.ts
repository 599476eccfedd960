import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nameOf, neededPrograms } from "./needed-programs.ts";

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
});
