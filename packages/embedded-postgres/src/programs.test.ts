import assert from "node:assert/strict";
import { lstat, mkdir, readdir, readlink, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeScratch } from "@mooring/testing/embedded-postgres/scratch";
import { removeLeftovers } from "./files.ts";
import {
  ensureRuntime,
  LocalPostgresError,
  locateNative,
  type Machine,
  removeOtherRuntimes,
} from "./programs.ts";

const notInstalled: Machine["resolve"] = () => {
  throw new Error("Cannot find module");
};

function withMessage(...parts: readonly string[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof LocalPostgresError);
    for (const part of parts) assert.ok(error.message.includes(part), error.message);
    return true;
  };
}

describe("locateNative", () => {
  it("finds this machine's programs and their version", () => {
    const native = locateNative();
    assert.match(native.version, /^18\./);
    assert.equal(native.major, 18);
  });

  it("names the platform that has no build, and DATABASE_URL", () => {
    const machine = { platform: "linux", arch: "riscv64", resolve: notInstalled };
    assert.throws(() => locateNative(machine), withMessage("linux-riscv64", "DATABASE_URL"));
  });

  it("says how to install a package that was omitted", () => {
    const machine = { platform: "win32", arch: "x64", resolve: notInstalled };
    assert.throws(
      () => locateNative(machine),
      withMessage("@embedded-postgres/windows-x64", "--omit=optional", "DATABASE_URL"),
    );
  });

  it("explains a system without glibc instead of failing at the first start", async (t) => {
    const root = await makeScratch();
    t.after(() => rm(root, { recursive: true }));
    await mkdir(join(root, "native", "bin"), { recursive: true });
    await writeFile(join(root, "package.json"), '{"version":"18.4.0"}');
    await writeFile(
      join(root, "native", "bin", "postgres"),
      "\x7fELF\0\0/lib/absent/ld-linux-none.so.2\0",
    );
    const machine = {
      platform: "linux",
      arch: "x64",
      resolve: () => join(root, "dist", "index.js"),
    };
    assert.throws(() => locateNative(machine), withMessage("glibc", "musl", "DATABASE_URL"));
  });
});

const native = locateNative();

describe("ensureRuntime", () => {
  let directory = "";
  before(async () => {
    directory = await makeScratch();
  });
  after(() => rm(directory, { recursive: true }));

  it("makes one complete copy when several processes ask at once", async () => {
    const made = await Promise.all([
      ensureRuntime(directory, native),
      ensureRuntime(directory, native),
    ]);
    assert.deepEqual(new Set(made), new Set([join(directory, `runtime-${native.version}`)]));
    assert.deepEqual(await readdir(directory), [`runtime-${native.version}`]);
    assert.equal((await stat(join(made[0], "bin", "postgres"))).mode & 0o777, 0o755);
  });

  it("makes the library links that npm cannot pack", {
    skip: process.platform !== "linux",
  }, async () => {
    const runtime = await ensureRuntime(directory, native);
    const target = await readlink(join(runtime, "lib", "libpq.so.5"));
    assert.match(target, /^libpq\.so\.5\.\d+$/);
    assert.ok((await lstat(join(runtime, "lib", target))).isFile());
  });

  it("does not touch a complete copy", async () => {
    const runtime = join(directory, `runtime-${native.version}`);
    const earlier = await stat(join(runtime, "bin", "postgres"));
    await ensureRuntime(directory, native);
    assert.equal((await stat(join(runtime, "bin", "postgres"))).ino, earlier.ino);
  });

  it("replaces a copy that a crash has truncated", async () => {
    const program = join(directory, `runtime-${native.version}`, "bin", "initdb");
    const { size } = await stat(program);
    await truncate(program, 0);
    await Promise.all([ensureRuntime(directory, native), ensureRuntime(directory, native)]);
    assert.equal((await stat(program)).size, size);
    assert.deepEqual(await readdir(directory), [`runtime-${native.version}`]);
  });

  it("replaces a copy that was never finished", async () => {
    const runtime = join(directory, `runtime-${native.version}`);
    await rm(join(runtime, "complete.json"));
    await rm(join(runtime, "lib"), { recursive: true });
    await ensureRuntime(directory, native);
    assert.ok((await stat(join(runtime, "lib"))).isDirectory());
  });

  it("removes other versions and the drafts of killed processes, and nothing else", async () => {
    const runtime = join(directory, `runtime-${native.version}`);
    const ours = `data.${process.pid}-0123abcd.tmp`;
    for (const name of ["runtime-17.1.0", "runtime-18.0.0.2147483647-0123abcd.tmp", ours]) {
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, "file"), "");
    }
    await removeLeftovers(directory);
    await removeOtherRuntimes(directory, runtime);
    assert.deepEqual((await readdir(directory)).sort(), [ours, `runtime-${native.version}`]);
  });
});
