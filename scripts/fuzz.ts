import { randomInt } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createTemplate } from "@mooring/testing/database/database";
import { migrate } from "../packages/control/src/db/engine/migrate.ts";
import { startPostgres } from "../packages/embedded-postgres/src/server.ts";
import { openApiTarget } from "../test/fuzz/api/open.ts";
import { openDnsTarget } from "../test/fuzz/dns/open.ts";
import { openEdgeTarget } from "../test/fuzz/edge/open.ts";
import { openProvidersTarget } from "../test/fuzz/providers/open.ts";
import { openReceiversTarget } from "../test/fuzz/receivers/open.ts";
import { describeFailure, runTarget } from "../test/fuzz/run-target.ts";
import { storedInputs } from "../test/fuzz/stored-inputs.ts";
import type { OpenTarget } from "../test/fuzz/target.ts";
import { openTokensTarget } from "../test/fuzz/tokens/open.ts";

/**
 * `npm run fuzz -- api 10`: ten minutes of generated input; one minute by default. `--seed` repeats
 * a run, `--seed` with `--path` one input of it, `--input` one of yours. Ends at the first harm
 * with exit code 1.
 */
const targets: Readonly<Record<string, OpenTarget>> = {
  api: openApiTarget,
  edge: openEdgeTarget,
  dns: openDnsTarget,
  tokens: openTokensTarget,
  receivers: openReceiversTarget,
  providers: openProvidersTarget,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, path: { type: "string" }, input: { type: "string" } },
});
const [name = "", minutes = "1"] = positionals;

async function main(open: OpenTarget): Promise<number> {
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const limitMs = Number(minutes) * 60_000;
  if (!Number.isInteger(seed) || !(limitMs > 0)) {
    console.error("expected a whole number as seed and a number of minutes");
    return 2;
  }
  console.log(`${name}: seed ${seed}, ${minutes} min`);
  const target = await open();
  try {
    if (values.input !== undefined) {
      await target.attempt(JSON.parse(values.input));
      return 0;
    }
    const outcome = await runTarget(target, {
      seed,
      hasEnded: (_count, elapsedMs) => elapsedMs >= limitMs,
      stored: storedInputs(name),
      report: (line) => console.log(line),
      ...(values.path === undefined ? {} : { path: values.path }),
    });
    const grown = Math.round(outcome.grownBytes / 1_048_576);
    console.log(`${outcome.count} in ${outcome.rounds} rounds, memory grew by ${grown} MB`);
    if (outcome.failure === null) return 0;
    console.error(describeFailure(name, outcome.failure));
    return 1;
  } finally {
    await target.close();
  }
}

/** Targets that need a database find it as tests do. */
async function withDatabase(work: () => Promise<number>): Promise<number> {
  if (process.env["TEST_DATABASE_URL"] !== undefined) return await work();
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-fuzz-"));
  chmodSync(directory, 0o755);
  const server = await startPostgres({ dataDir: directory, log: { info: () => undefined } });
  try {
    process.env["TEST_DATABASE_URL"] = server.url;
    process.env["TEST_TEMPLATE"] = await createTemplate(server.url, migrate);
    return await work();
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const open = Object.hasOwn(targets, name) ? targets[name] : undefined;
if (open === undefined) {
  console.error(`expected one of: ${Object.keys(targets).join(", ")}`);
  process.exitCode = 2;
} else {
  process.exitCode = await withDatabase(() => main(open));
}
