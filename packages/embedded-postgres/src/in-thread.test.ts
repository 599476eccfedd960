import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeScratch, removeScratch, silent } from "@mooring/testing/embedded-postgres/scratch";
import { startPostgresInThread } from "./in-thread.ts";
import { openLocation, urlFile } from "./location.ts";
import { LocalPostgresError } from "./programs.ts";

describe("startPostgresInThread", { skip: process.platform !== "linux" }, () => {
  it("starts the server while the thread that asked handles no event", async (t) => {
    const scratch = await makeScratch();
    const dataDir = join(scratch, "data");
    t.after(() => removeScratch(scratch, dataDir));
    const starting = startPostgresInThread({ dataDir, log: silent });
    const deadline = performance.now() + 60_000;
    // Blocks this thread, as loading modules does.
    while (!existsSync(urlFile(dataDir))) {
      assert.ok(performance.now() < deadline, "not started");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    const server = await starting;
    t.after(() => server.stop());
    assert.equal(server.adopted, false);
    const again = await startPostgresInThread({ dataDir, log: silent });
    assert.deepEqual([again.adopted, again.url], [true, server.url]);
  });

  it("fails with the reason", async (t) => {
    const scratch = await makeScratch();
    const dataDir = join(scratch, "data");
    t.after(() => removeScratch(scratch, dataDir));
    const { directory } = await openLocation(dataDir);
    mkdirSync(join(directory, "data"));
    await assert.rejects(startPostgresInThread({ dataDir, log: silent }), LocalPostgresError);
  });
});
