import assert from "node:assert/strict";
import { lstat, mkdir, readdir, readlink, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { removeLeftovers } from "./leftovers.ts";
import { locateNative } from "./locate.ts";
import { ensureRuntime, removeOtherRuntimes } from "./runtime.ts";
import { makeScratch } from "./scratch.ts";

const native = locateNative();

describe("ensureRuntime", () => {
  let place = "";
  before(async () => {
    place = await makeScratch();
  });
  after(() => rm(place, { recursive: true }));

  it("makes one complete copy when several processes ask at once", async () => {
    const made = await Promise.all([ensureRuntime(place, native), ensureRuntime(place, native)]);
    assert.deepEqual(new Set(made), new Set([join(place, `runtime-${native.version}`)]));
    assert.deepEqual(await readdir(place), [`runtime-${native.version}`]);
    assert.equal((await stat(join(made[0], "bin", "postgres"))).mode & 0o777, 0o755);
  });

  it("makes the library links that npm cannot pack", {
    skip: process.platform !== "linux",
  }, async () => {
    const runtime = await ensureRuntime(place, native);
    const target = await readlink(join(runtime, "lib", "libpq.so.5"));
    assert.match(target, /^libpq\.so\.5\.\d+$/);
    assert.ok((await lstat(join(runtime, "lib", target))).isFile());
  });

  it("leaves a good copy alone", async () => {
    const runtime = join(place, `runtime-${native.version}`);
    const earlier = await stat(join(runtime, "bin", "postgres"));
    await ensureRuntime(place, native);
    assert.equal((await stat(join(runtime, "bin", "postgres"))).ino, earlier.ino);
  });

  it("replaces a copy that a crash has truncated", async () => {
    const program = join(place, `runtime-${native.version}`, "bin", "initdb");
    const { size } = await stat(program);
    await truncate(program, 0);
    await Promise.all([ensureRuntime(place, native), ensureRuntime(place, native)]);
    assert.equal((await stat(program)).size, size);
    assert.deepEqual(await readdir(place), [`runtime-${native.version}`]);
  });

  it("replaces a copy that was never finished", async () => {
    const runtime = join(place, `runtime-${native.version}`);
    await rm(join(runtime, "complete.json"));
    await rm(join(runtime, "lib"), { recursive: true });
    await ensureRuntime(place, native);
    assert.ok((await stat(join(runtime, "lib"))).isDirectory());
  });

  it("clears away other versions and what killed processes left, and nothing else", async () => {
    const runtime = join(place, `runtime-${native.version}`);
    const ours = `data.${process.pid}-0123abcd.tmp`;
    for (const name of ["runtime-17.1.0", "runtime-18.0.0.2147483647-0123abcd.tmp", ours]) {
      await mkdir(join(place, name));
      await writeFile(join(place, name, "file"), "");
    }
    await removeLeftovers(place);
    await removeOtherRuntimes(place, runtime);
    assert.deepEqual((await readdir(place)).sort(), [ours, `runtime-${native.version}`]);
  });
});
