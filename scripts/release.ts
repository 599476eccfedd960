import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./packages/published-package.ts";
import { type Artifacts, writeArtifacts } from "./release/artifacts.ts";
import { releasedChangelog } from "./release/changelog.ts";
import { imageCommand } from "./release/images.ts";
import { releaseNames } from "./release/names.ts";
import {
  git,
  imageFacts,
  planRelease,
  type ReleasePlan,
  requireReleasable,
} from "./release/plan.ts";
import { type Bump, isCandidate } from "./release/version.ts";
import { copyVersionedFiles, setVersion, versionedFiles } from "./release/workspace-version.ts";

/**
 * `npm run release -- [VERSION | major | minor | patch] [--dry-run] [--no-images] [--output DIR]`
 *
 * Writes the version into every file that names it and the changelog's section, commits and tags
 * that, and makes the files of the release (`release/`). `--dry-run` makes the same files and
 * leaves the repository as it is. It publishes nothing: the last lines it prints do, and need the
 * registry's permission.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "dry-run": { type: "boolean", default: false },
    images: { type: "boolean", default: true },
    output: { type: "string", default: "release" },
  },
  allowNegative: true,
});

async function main(): Promise<void> {
  const isDryRun = values["dry-run"];
  const output = path.resolve(values.output);
  const plan = planRelease(root, requestedVersion(positionals), new Date());
  console.log(`${plan.current} → ${plan.version}${isDryRun ? " (dry run)" : ""}`);
  let made: Artifacts;
  if (isDryRun) {
    const copy = mkdtempSync(path.join(tmpdir(), "mooring-release-"));
    try {
      copyVersionedFiles(root, copy);
      setVersion(copy, plan.current, plan.version);
      made = await makeFiles(plan, output, copy);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  } else {
    requireReleasable(root, plan);
    commitRelease(plan);
    made = await makeFiles(plan, output, root);
  }
  report(plan, output, isDryRun, made.images);
}

function makeFiles(
  { version, notes, upgradeNotes }: ReleasePlan,
  output: string,
  manifests: string,
): Promise<Artifacts> {
  const image = imageFacts(root, version);
  return writeArtifacts({
    output,
    manifests,
    notes,
    upgradeNotes,
    image,
    hasImages: values.images,
  });
}

function requestedVersion(words: readonly string[]): Bump | { readonly exact: string } | null {
  const [word, ...more] = words;
  if (more.length > 0) throw new Error("Give one version, or major, minor or patch.");
  if (word === undefined) return null;
  return word === "major" || word === "minor" || word === "patch" ? word : { exact: word };
}

function commitRelease({ current, version, tag, date }: ReleasePlan): void {
  setVersion(root, current, version);
  const changelog = path.join(root, "CHANGELOG.md");
  const text = releasedChangelog(readFileSync(changelog, "utf8"), { version, date });
  writeFileSync(changelog, text);
  git(root, "add", "CHANGELOG.md", ...versionedFiles(root));
  git(root, "commit", "--quiet", "--message", `release: ${version}`);
  git(root, "tag", "--annotate", tag, "--message", `Mooring ${version}`);
}

function report(
  { version, tag, notes }: ReleasePlan,
  output: string,
  isDryRun: boolean,
  images: Artifacts["images"],
): void {
  const folder = path.relative(".", output) || ".";
  console.log(`\nversion ${version} in:`);
  for (const file of versionedFiles(root)) console.log(`  ${file}`);
  const lines = notes.split("\n").length;
  console.log(`\nchangelog: ${lines} lines under "${version}", see ${folder}/release-notes.md`);
  console.log(`\nfiles in ${folder}:`);
  for (const file of readdirSync(output).sort()) {
    console.log(`  ${file} (${statSync(path.join(output, file)).size} bytes)`);
  }
  if (typeof images === "string") {
    const { args } = imageCommand(folder, imageFacts(root, version));
    console.log(
      `\nleft out: the images (${images}); they are made by:\n  docker ${args.join(" ")}`,
    );
  }
  console.log(
    isDryRun ? "\nNothing was changed. A release would continue with:" : "\nContinue with:",
  );
  console.log(`  npm owner ls ${releaseNames.npmReserved}    # reserved: it must be yours`);
  console.log(`  git push origin HEAD ${tag}`);
  for (const file of readdirSync(output).filter((one) => one.endsWith(".tgz"))) {
    console.log(`  npm publish ${folder}/${file}${isCandidate(version) ? " --tag next" : ""}`);
  }
  console.log(`  docker buildx bake --file ${folder}/docker-bake.json --push`);
  console.log(`  helm package deploy/helm/mooring --destination ${folder}`);
  console.log(`  helm push ${folder}/mooring-${version}.tgz ${releaseNames.helmRepository}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
