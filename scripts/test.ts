import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { migrate } from "../packages/control/src/db/engine/migrate.ts";
import { startPostgres } from "../packages/embedded-postgres/src/server.ts";
import { createTemplate } from "../test/support/database.ts";
import { startDebianPostgres } from "../test/support/postgres-debian.ts";
import { readQuarantine } from "./test/quarantine.ts";
import { run } from "./run.ts";
import { ensureSystemPackages } from "./test/system-packages.ts";
import { groupFiles } from "./test/groups.ts";

/**
 * Runs the tests with what they need: Debian packages, one PostgreSQL, and a migrated template database
 * that each file copies. `npm test -- packages/dns` runs a part, `--soak` the long forms and the
 * `*.soak.test.ts` files, `--postgres=15` uses Debian's server, `--no-check` skips the static checks.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    soak: { type: "boolean", default: false },
    check: { type: "boolean", default: true },
    postgres: { type: "string", default: "embedded" },
    // A file has servers and browsers of its own: more files than cores starve each other.
    concurrency: { type: "string", default: String(availableParallelism()) },
  },
  allowNegative: true,
});

const files = globSync(["packages/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"], {
  exclude: ["**/node_modules/**"],
})
  .filter((file) => values.soak || !file.endsWith(".soak.test.ts"))
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .sort();

async function main(): Promise<number> {
  if (files.length === 0) {
    console.error(`no test file matches ${positionals.join(" ")}`);
    return 1;
  }
  await ensureSystemPackages();
  const built = await run("node", ["scripts/build.ts"]);
  // A part of the tests can run while the bundles cannot be built.
  if (built !== 0 && positionals.length === 0) return 1;
  if (values.check && (await run("node", ["scripts/check.ts"])) !== 0) return 1;
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-test-"));
  // As root, the server runs as another user, which must be able to enter the directory.
  chmodSync(directory, 0o755);
  const log = { info: () => undefined };
  const server =
    values.postgres === "15"
      ? await startDebianPostgres(15)
      : await startPostgres({ dataDir: directory, log });
  try {
    const env = {
      TEST_DATABASE_URL: server.url,
      TEST_TEMPLATE: await createTemplate(server.url, migrate),
      // From the cache of compiled code a process starts in half the time.
      NODE_COMPILE_CACHE: path.resolve("node_modules/.cache/mooring-test"),
      ...(values.soak ? { SOAK: "1" } : {}),
    };
    const grouped = groupFiles(files, path.join(directory, "groups"));
    const first = await runTests(grouped, env, { concurrency: values.concurrency, directory });
    if (first.code === 0 || first.failed.length === 0) return first.code;
    // Run again alone, to distinguish a broken file from a flaky one. Both fail the run.
    console.log(`\nrunning ${first.failed.length} failed files again, one by one`);
    const alone = await runTests(first.failed, env, { concurrency: "1", directory });
    return report(first.failed, alone.failed);
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Zero only when every failed file passes alone and is in the quarantine. */
function report(failed: readonly string[], failedAlone: readonly string[]): number {
  const quarantined = new Set(readQuarantine().map(({ file }) => file));
  let isFailure = false;
  for (const file of failed) {
    const isFlaky = !failedAlone.includes(file);
    const isTolerated = isFlaky && quarantined.has(file);
    isFailure ||= !isTolerated;
    const verdict = isTolerated ? "flaky, in quarantine" : isFlaky ? "FLAKY" : "FAILED";
    console.log(`${verdict}: ${file}`);
  }
  return isFailure ? 1 : 0;
}

async function runTests(
  list: readonly string[],
  env: Readonly<Record<string, string>>,
  options: { readonly concurrency: string; readonly directory: string },
): Promise<{ readonly code: number; readonly failed: readonly string[] }> {
  const report = path.join(options.directory, "failed-files");
  const code = await run(
    "node",
    [
      "--test",
      `--test-concurrency=${options.concurrency}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=./scripts/test/failed-files.ts",
      `--test-reporter-destination=${report}`,
      `--test-timeout=${values.soak ? 7_200_000 : 300_000}`,
      ...list,
    ],
    env,
  );
  const failed = readFileSync(report, "utf8").split("\n").filter(Boolean);
  return { code, failed: failed.map((file) => path.relative(".", file)) };
}

process.exitCode = await main();
