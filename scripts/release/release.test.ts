import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { root, workspaceVersion } from "../packages/published-package.ts";
import { bumpFor, releasedChangelog, unreleasedNotes } from "./changelog.ts";
import { imageBake } from "./image-bake.ts";
import { imageCommand } from "./images.ts";
import { planRelease } from "./plan.ts";
import { upgradeNotes } from "./upgrade-notes.ts";
import { nextVersion, plannedVersion } from "./version.ts";
import { copyVersionedFiles, setVersion, versionedFiles } from "./workspace-version.ts";

describe("the version of a release", () => {
  it("is the bumped one, or a later one that was asked for", () => {
    assert.equal(nextVersion("1.2.3", "major"), "2.0.0");
    assert.equal(nextVersion("1.2.3", "minor"), "1.3.0");
    assert.equal(nextVersion("1.2.3", "patch"), "1.2.4");
    assert.equal(nextVersion("1.2.9", { exact: "1.2.10" }), "1.2.10");
    for (const exact of ["1.2.3", "1.2.2", "0.9.9"]) {
      assert.throws(() => nextVersion("1.2.3", { exact }), /is not later than 1\.2\.3\.$/);
    }
    for (const exact of ["1.3", "v1.3.0", "01.3.0", "1.3.0-rc", "1.3.0-rc.0", "1.3.0-beta.1", ""]) {
      assert.throws(() => nextVersion("1.2.3", { exact }), /is not a version such as/);
    }
  });

  it("may be a candidate, which is earlier than what it is a candidate of", () => {
    const inOrder = ["0.9.9", "1.0.0-rc.1", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0", "1.0.1-rc.1"];
    for (const [index, exact] of inOrder.slice(1).entries()) {
      const before = inOrder[index] ?? "";
      assert.equal(nextVersion(before, { exact }), exact);
      assert.throws(() => nextVersion(exact, { exact: before }), /is not later than/);
    }
    assert.equal(nextVersion("1.0.0-rc.2", "major"), "1.0.0");
    assert.equal(nextVersion("1.0.0-rc.2", "minor"), "1.0.0");
    assert.equal(nextVersion("1.1.0-rc.1", "major"), "2.0.0");
    assert.equal(nextVersion("1.1.1-rc.1", "patch"), "1.1.1");
    assert.equal(nextVersion("1.1.1-rc.1", "minor"), "1.2.0");
  });

  it("is the planned one until that is released, then what the changelog says", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "mooring-plan-"));
    try {
      mkdirSync(path.join(folder, "docs"));
      writeFileSync(path.join(folder, "docs/upgrading.md"), "# Upgrading\n");
      writeFileSync(path.join(folder, "CHANGELOG.md"), "## Unreleased\n\n### Fixed\n- [edge] B.\n");
      const repository = { url: "git+https://github.com/a/b.git" };
      const planFrom = (version: string): string => {
        writeFileSync(path.join(folder, "package.json"), JSON.stringify({ version, repository }));
        return planRelease(folder, null, new Date()).version;
      };
      assert.equal(planFrom("0.1.0"), plannedVersion);
      assert.equal(planFrom(plannedVersion), plannedVersion.replace(/-rc.*/, ""));
      assert.equal(planFrom("99.0.0"), "99.0.1");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("is written into every file that names it, and into nothing else", () => {
    const copy = mkdtempSync(path.join(tmpdir(), "mooring-version-"));
    try {
      copyVersionedFiles(root, copy);
      setVersion(copy, workspaceVersion(), "98.7.6");
      for (const file of versionedFiles(root)) {
        const before = readFileSync(path.join(root, file), "utf8").split("\n");
        const after = readFileSync(path.join(copy, file), "utf8").split("\n");
        assert.equal(after.length, before.length, file);
        const changed = after.filter((line, index) => line !== before[index]);
        assert.ok(changed.length > 0, file);
        for (const line of changed) assert.match(line, /98\.7\.6/, file);
      }
      setVersion(copy, "98.7.6", "98.8.0-rc.1");
      setVersion(copy, "98.8.0-rc.1", "98.8.0-rc.2");
      setVersion(copy, "98.8.0-rc.2", "98.7.6");
      const chart = path.join(copy, "deploy/helm/mooring/Chart.yaml");
      writeFileSync(chart, readFileSync(chart, "utf8").replace("98.7.6", "98.7.5"));
      assert.throws(() => setVersion(copy, "98.7.6", "99.0.0"), /Chart\.yaml has version 98\.7\.5/);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});

describe("the changelog of a release", () => {
  const section = "### Added\n- [sdk] A.\n\n### Fixed\n- [edge] B.";
  const changelog = `# Changelog\n\n## Unreleased\n\n${section}\n\n## 0.1.0 (2026-01-02)\n\n- C.\n`;

  it("is what is not released yet, and becomes a section with version and day", () => {
    assert.equal(unreleasedNotes(changelog), section);
    const released = releasedChangelog(changelog, { version: "0.2.0", date: "2026-03-04" });
    assert.equal(
      released,
      `# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-03-04)\n\n${section}\n\n## 0.1.0 (2026-01-02)\n\n- C.\n`,
    );
    assert.throws(() => unreleasedNotes(released), /says nothing about this release/);
    assert.throws(() => unreleasedNotes("# Changelog\n"), /no section "Unreleased"/);
  });

  it("decides between a minor release and a patch", () => {
    assert.equal(bumpFor(section), "minor");
    assert.equal(bumpFor("### Changed\n- D."), "minor");
    assert.equal(bumpFor("### Fixed\n- B.\n\n### Security\n- E."), "patch");
  });
});

describe("what a release says to operators", () => {
  const guide =
    "# Upgrading\n\nAlways.\n\n## From 0.1.0 to 1.0.0\n\nSee [x](edge.md#y).\n\n## From 1.0.0 to 1.1.0\n\nB.\n";
  const source = "https://github.com/a/b";

  it("is the part about its version, also for a candidate of it", () => {
    assert.equal(
      upgradeNotes(guide, "1.0.0-rc.1", source),
      `## From 0.1.0 to 1.0.0\n\nSee [x](${source}/blob/v1.0.0-rc.1/docs/edge.md#y).`,
    );
    assert.equal(upgradeNotes(guide, "1.1.0", source), "## From 1.0.0 to 1.1.0\n\nB.");
    assert.match(upgradeNotes(guide, "1.1.1", source), /^Nothing beside the usual steps/);
  });

  it("is in the document for the version that is planned", () => {
    const document = readFileSync(path.join(root, "docs/upgrading.md"), "utf8");
    assert.match(upgradeNotes(document, plannedVersion, source), /^## From \S+ to /);
  });
});

describe("the images of a release", () => {
  const facts = {
    version: "1.2.3",
    revision: "abc",
    created: "2026-01-02T00:00:00.000Z",
    source: "https://github.com/a/b",
  };

  it("are an archive each, of the targets that docker-bake.json has", () => {
    const { files, args } = imageCommand("/out", facts);
    assert.deepEqual(files, ["mooring-1.2.3.oci.tar", "mooring-one-1.2.3.oci.tar"]);
    const { target } = imageBake(facts) as { target: Record<string, unknown> };
    const named = args.flatMap((one) => /^([\w-]+)\.output=/.exec(one)?.[1] ?? []);
    assert.deepEqual(named, Object.keys(target));
    for (const file of files) assert.ok(args.some((one) => one.endsWith(`dest=/out/${file}`)));
  });
});
