import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { root, workspaceVersion } from "../packages/published-package.ts";
import { bumpFor, releasedChangelog, unreleasedNotes } from "./changelog.ts";
import { nextVersion } from "./version.ts";
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
    for (const exact of ["1.3", "v1.3.0", "01.3.0", "1.3.0-rc.1", ""]) {
      assert.throws(() => nextVersion("1.2.3", { exact }), /is not a version such as/);
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
