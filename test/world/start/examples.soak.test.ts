import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { testJourney } from "@mooring/testing/clients/example-journey";
import { type ExampleWorld, startExampleWorld } from "@mooring/testing/clients/example-world";
import { buildWidget } from "../../../scripts/build/widget.ts";
import { packAll } from "../../../scripts/packages/pack.ts";
import { run } from "../../../scripts/run.ts";

/**
 * The examples whose frameworks are too large for every run; see examples.test.ts for the others.
 */
describe("the examples in Go, Ruby, PHP and Next.js", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "mooring-examples-"));
  let world: ExampleWorld;
  before(async () => {
    for (const name of ["cache/data", "views"]) {
      mkdirSync(path.join(folder, "framework", name), { recursive: true });
    }
    world = await startExampleWorld();
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  const program = path.join(folder, "go-example");
  testJourney(
    "Go",
    {
      folder: "go",
      prepare: ["/usr/lib/go-1.19/bin/go", "build", "-o", program, "."],
      command: [program],
      env: { GOCACHE: path.join(folder, "go-cache"), GOFLAGS: "-mod=mod", GOPROXY: "off" },
    },
    () => world,
  );
  testJourney(
    "Rails",
    {
      folder: "rails",
      command: ["/usr/bin/puma", "--bind", "tcp://127.0.0.1:$PORT", "config.ru"],
      env: { RAILS_ENV: "production" },
    },
    () => world,
  );
  testJourney(
    "Laravel",
    {
      folder: "laravel",
      command: ["/usr/bin/php", "-S", "127.0.0.1:$PORT", "-t", "public", "public/index.php"],
      // The server of PHP answers one request at a time unless it has several processes.
      env: {
        STORAGE_PATH: folder,
        APP_PACKAGES_CACHE: path.join(folder, "packages.php"),
        APP_SERVICES_CACHE: path.join(folder, "services.php"),
        PHP_CLI_SERVER_WORKERS: "4",
      },
    },
    () => world,
  );

  const project = path.join(folder, "nextjs");
  before(() => copyWithPackages("examples/nextjs", project));
  testJourney(
    "Next.js",
    {
      folder: "nextjs",
      cwd: project,
      prepare: ["npm", "run", "build"],
      command: ["npm", "run", "start", "--", "--port", "$PORT"],
      env: { NEXT_TELEMETRY_DISABLED: "1" },
    },
    () => world,
  );

  it("(saas) has the types of the widget that is built", async () => {
    await buildWidget();
    assert.equal(await run("tsc", ["--noEmit", "-p", "examples/saas/tsconfig.json"]), 0);
  });
});

/**
 * The example outside the repository, with our packages as npm gets them and the others from the
 * registry.
 */
async function copyWithPackages(example: string, project: string): Promise<void> {
  cpSync(example, project, { recursive: true });
  const manifest = path.join(project, "package.json");
  const { dependencies, ...rest } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const tarballs = (await packAll(project)).filter(({ name }) => name in dependencies);
  const ours = Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`]));
  writeFileSync(manifest, JSON.stringify({ ...rest, dependencies: { ...dependencies, ...ours } }));
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", project];
  assert.equal(await run("npm", install), 0);
}
