import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type DemoState, readState, writeState } from "./state.ts";

describe("the state of the demo", () => {
  let directory = "";
  const state: DemoState = {
    tenantId: "t",
    key: "k",
    applicationId: null,
    endpointId: null,
    signingSecret: null,
    port: null,
  };
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-demo-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it("is read as it was written, by its owner only", async () => {
    const file = path.join(directory, "deep", "demo.json");
    await writeState(file, { ...state, applicationId: "a", port: 8082 });
    assert.deepEqual(await readState(file), { ...state, applicationId: "a", port: 8082 });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it("is null when the file is missing or damaged", async () => {
    assert.equal(await readState(path.join(directory, "none.json")), null);
    for (const damaged of ["", "{", "null", "[]", '{"key":"k"}', '{"tenantId":1,"key":"k"}']) {
      const file = path.join(directory, "damaged.json");
      await writeFile(file, damaged);
      assert.equal(await readState(file), null, damaged);
    }
  });
});
