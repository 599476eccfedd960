import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { root } from "../../scripts/packages/published-package.ts";
import { plannedVersion } from "../../scripts/release/version.ts";

const exec = promisify(execFile);

describe("npm run release", () => {
  let clone: string;

  /**
   * Of the commit that is checked out, inside the repository so that its node_modules are found.
   */
  before(async () => {
    const data = path.join(root, ".data");
    await mkdir(data, { recursive: true });
    clone = await mkdtemp(path.join(data, "release-"));
    await exec("git", ["clone", "--quiet", "--local", root, clone]);
    await git("config", "user.name", "Releaser");
    await git("config", "user.email", "releaser@example.com");
    const nested = "packages/cli/node_modules";
    await cp(path.join(root, nested), path.join(clone, nested), { recursive: true });
  });
  after(() => rm(clone, { recursive: true, force: true }));

  const git = async (...args: string[]): Promise<string> =>
    (await exec("git", args, { cwd: clone })).stdout.trim();

  async function release(...args: string[]): Promise<string> {
    const { stdout } = await exec(
      "npm",
      ["run", "--silent", "release", "--", "--no-images", ...args],
      {
        cwd: clone,
        maxBuffer: 2 ** 26,
      },
    );
    return stdout;
  }

  const sums = (folder: string) => readFile(path.join(clone, folder, "SHA256SUMS"), "utf8");

  it("makes the same files twice from the same commit, and changes nothing in a dry run", async () => {
    const printed = await release("99.0.0", "--dry-run", "--output", ".data/first");
    assert.match(printed, /→ 99\.0\.0 \(dry run\)/);
    assert.match(printed, /npm publish \.data\/first\/mooring-sdk-99\.0\.0\.tgz/);
    await release("99.0.0", "--dry-run", "--output", ".data/second");
    assert.equal(await sums(".data/first"), await sums(".data/second"));
    assert.equal(await git("status", "--porcelain"), "");
    assert.equal(await git("tag", "--list", "v99.0.0"), "");
  });

  it("is the planned candidate by default, with everything that operators need", async () => {
    const printed = await release("--dry-run", "--output", ".data/candidate");
    assert.ok(printed.includes(`→ ${plannedVersion} (dry run)`), printed);
    assert.match(printed, /npm publish \S+mooring-server-\S+\.tgz --tag next/);
    const folder = path.join(clone, ".data/candidate");
    const files = (await readdir(folder)).sort();
    const tarballs = ["cli", "sdk", "server", "widget"].map(
      (name) => `mooring-${name}-${plannedVersion}.tgz`,
    );
    const others = ["release-notes.md", "sbom.cdx.json", "THIRD_PARTY_LICENSES.txt"];
    const all = ["SHA256SUMS", "docker-bake.json", "upgrade-notes.md", ...others, ...tarballs];
    assert.deepEqual(files, all.sort());
    const read = (file: string): Promise<string> => readFile(path.join(folder, file), "utf8");
    assert.match(await read("upgrade-notes.md"), /^## From \S+ to /m);
    assert.match(await read("release-notes.md"), /^- \[/m);
    await exec("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder });
  });

  it("commits and tags the version and the changelog, and makes the files of that commit", async () => {
    await writeFile(path.join(clone, "notes.txt"), "being edited");
    await assert.rejects(release("99.0.0"), /changes that are not committed/);
    await rm(path.join(clone, "notes.txt"));
    await release("99.0.0");
    assert.equal(await git("log", "-1", "--format=%s"), "release: 99.0.0");
    assert.equal(await git("rev-parse", "v99.0.0^{commit}"), await git("rev-parse", "HEAD"));
    assert.equal(await git("status", "--porcelain"), "");
    assert.match(await git("show", "HEAD:CHANGELOG.md"), /^## Unreleased\n\n## 99\.0\.0 \(\d{4}-/m);
    assert.equal(JSON.parse(await git("show", "HEAD:packages/sdk/package.json")).version, "99.0.0");
    const bake = await readFile(path.join(clone, "release/docker-bake.json"), "utf8");
    assert.ok(bake.includes(await git("rev-parse", "HEAD")), "the revision of the images");
    const licences = await exec("tar", [
      "--extract",
      "--to-stdout",
      "--file",
      path.join(clone, "release/mooring-cli-99.0.0.tgz"),
      "package/THIRD_PARTY_LICENSES.txt",
    ]);
    assert.match(licences.stdout, /^commander [\d.]+ \(MIT\)$/m);
    await exec("sha256sum", ["--check", "SHA256SUMS"], { cwd: path.join(clone, "release") });
    await assert.rejects(release("99.0.1"), /says nothing about this release/);
  });
});
