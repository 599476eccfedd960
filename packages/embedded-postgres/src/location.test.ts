import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, chown, mkdir, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  installReadOnly,
  isRoot,
  killAndWait,
  makeScratch,
  processesIn,
  removeScratch,
  silent,
  startInAnotherProcess,
} from "@mooring/testing/embedded-postgres/scratch";
import { openLocation } from "./location.ts";
import { readPostmaster } from "./postmaster.ts";
import { LocalPostgresError } from "./programs.ts";
import { startPostgres } from "./server.ts";

const needsRoot = isRoot ? false : "only root can act as other users";
const nobodyId = 65_534;

describe("as root, where the server's user cannot reach DATA_DIR", {
  skip: needsRoot,
}, () => {
  let scratch = "";
  let dataDir = "";
  before(async () => {
    scratch = await makeScratch("private");
    dataDir = join(scratch, ".data");
  });
  after(() => removeScratch(scratch, dataDir));

  it("stores the database under /var/lib/mooring and finds it again", async () => {
    const first = await startPostgres({ dataDir, log: silent });
    await first.stop();
    const directory = (await readFile(join(dataDir, "postgres-location"), "utf8")).trim();
    assert.equal(first.directory, directory);
    assert.match(directory, /^\/var\/lib\/mooring\/[0-9a-f]{16}-[0-9a-f]{8}$/);
    assert.deepEqual((await readdir(dataDir)).sort(), ["database-url", "postgres-location"]);
    const again = await startPostgres({ dataDir, log: silent });
    assert.equal(again.url, first.url);
    await again.stop();
    assert.deepEqual(await processesIn(join(directory, "data")), []);
  });

  it("does not start an empty database when that one is missing", async () => {
    const directory = (await readFile(join(dataDir, "postgres-location"), "utf8")).trim();
    await rm(directory, { recursive: true });
    await assert.rejects(openLocation(dataDir), (error) => {
      assert.ok(error instanceof LocalPostgresError);
      assert.match(error.message, /Restore it/);
      return true;
    });
  });
});

describe("openLocation", { skip: needsRoot }, () => {
  it("refuses an existing database that its user can no longer reach", async (t) => {
    const scratch = await makeScratch("private");
    t.after(() => rm(scratch, { recursive: true }));
    const data = join(scratch, "postgres", "data");
    await mkdir(data, { recursive: true });
    await chown(data, nobodyId, nobodyId);
    await assert.rejects(openLocation(scratch), /can no longer reach it/);
    await chmod(scratch, 0o755);
    assert.equal((await openLocation(scratch)).user?.uid, nobodyId);
  });

  it("uses /var/lib/mooring rather than pass the path to a shell", async (t) => {
    const scratch = await makeScratch();
    const dataDir = join(scratch, "$(touch x)");
    t.after(() => removeScratch(scratch, dataDir));
    assert.match((await openLocation(dataDir)).directory, /^\/var\/lib\/mooring\/[\w-]+$/);
  });

  it("asks for a chown when the data belongs to root", async (t) => {
    const scratch = await makeScratch();
    t.after(() => rm(scratch, { recursive: true }));
    await mkdir(join(scratch, "postgres", "data"), { recursive: true });
    await assert.rejects(openLocation(scratch), /chown -R/);
  });
});

describe("as an ordinary user, over a read-only install without its scripts", {
  skip: needsRoot,
}, () => {
  let scratch = "";
  let root = "";
  before(async () => {
    scratch = await makeScratch();
    root = await installReadOnly(scratch);
  });
  after(() => removeScratch(scratch, join(scratch, "home")));

  it("runs as that user; root then runs the same database as its owner", async () => {
    const home = join(scratch, "home");
    await mkdir(home);
    await chown(home, nobodyId, nobodyId);
    const other = startInAnotherProcess(home, { root, uid: nobodyId, gid: nobodyId });
    const report = await other.report;
    other.child.kill("SIGKILL");
    await once(other.child, "close");
    assert.ok("url" in report, JSON.stringify(report));
    const data = await realpath(join(home, "postgres", "data"));
    const pid = (await readPostmaster(data))?.pid ?? 0;
    assert.equal((await stat(`/proc/${pid}`)).uid, nobodyId);
    await killAndWait(pid);

    const byRoot = await startPostgres({ dataDir: home, log: silent });
    assert.equal(byRoot.url, report.url);
    assert.equal((await stat(`/proc/${(await readPostmaster(data))?.pid}`)).uid, nobodyId);
    await byRoot.stop();
    assert.deepEqual(await processesIn(data), []);
  });

  it("reports a user id without a passwd entry", async () => {
    const home = join(scratch, "unknown");
    await mkdir(home);
    await chown(home, 54_321, 54_321);
    const other = startInAnotherProcess(home, { root, uid: 54_321, gid: 54_321 });
    const report = await other.report;
    other.child.kill("SIGKILL");
    assert.ok("error" in report);
    assert.match(report.error, /user id 54321 has no entry in \/etc\/passwd.*DATABASE_URL/);
  });

  it("refuses another user, whose directory it is not", async () => {
    const home = join(scratch, "home");
    const other = startInAnotherProcess(home, { root, uid: 2, gid: 2 });
    const report = await other.report;
    other.child.kill("SIGKILL");
    assert.ok("error" in report);
    assert.match(report.error, /must belong to the user who starts Mooring/);
  });
});
