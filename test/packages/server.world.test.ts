import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import {
  findProcesses,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProgram,
} from "@mooring/testing/local/local-product";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { packFolder, type Tarball } from "../../scripts/packages/pack.ts";
import { stagePackage } from "../../scripts/packages/published-package.ts";
import { server } from "../../scripts/packages/server.ts";
import { type ScopedRegistry, startScopedRegistry } from "./support/scoped-registry.ts";
import { createScratch, installedNodes, type Scratch } from "./support/scratch.ts";

const version = "98.7.6";

/** More than this is no longer an installation of a minute. */
const budgetBytes = 6_000_000;

/** Without the repository's own programs, as on another machine. */
const systemPath = "/usr/local/bin:/usr/bin:/bin";

/** Installs what the server needs from the registry. */
describe("the server that npm gets", () => {
  let scratch: Scratch;
  let tarball: Tarball;
  let registry: ScopedRegistry;
  let prefix: string;
  let nodes: readonly string[];
  const installed = (file: string) => path.join(prefix, "lib/node_modules/@mooring/server", file);
  const readJson = async (file: string) => JSON.parse(await readFile(file, "utf8"));

  before(async () => {
    scratch = await createScratch("server");
    prefix = path.join(scratch.directory, "prefix");
    await mkdir(path.join(prefix, "lib"), { recursive: true });
    const folder = path.join(scratch.directory, "staged");
    await stagePackage(server, folder, version);
    tarball = await packFolder(server, folder, scratch.directory);
    registry = await startScopedRegistry(
      tarball,
      await readJson(path.join(folder, "package.json")),
    );
    const flags = ["--prefix", prefix, "--ignore-scripts", "--no-audit", "--no-fund"];
    await scratch.run("npm", ["install", "--global", ...flags, registry.option, "@mooring/server"]);
    nodes = await installedNodes();
  });
  after(async () => {
    registry.close();
    await scratch.remove();
  });

  it("contains built code, what browsers get and its documents, no source or test", async () => {
    const { contents, file } = tarball;
    for (const one of [
      "README.md",
      "LICENSE",
      "packages/console/dist/index.html",
      "packages/widget/dist/sdk/v1/widget.js",
      "packages/control/migrations/0001_foundation.sql",
      "docs/dist/index.html",
    ]) {
      assert.ok(contents.includes(one), `it lacks ${one}`);
    }
    const surplus = contents.filter((one) =>
      /\.test\.|(?<!\.d)\.m?tsx?$|^packages\/testing/.test(one),
    );
    assert.deepEqual(surplus, []);
    assert.ok((await readFile(file)).length <= budgetBytes, "the size of the download");
  });

  it("installs exactly the packages that the repository is tested with", async () => {
    const { packages } = await readJson(installed("npm-shrinkwrap.json"));
    for (const [location, entry] of Object.entries<Record<string, unknown>>(packages)) {
      if (location === "") continue;
      const manifest = installed(path.join(location, "package.json"));
      if (entry["optional"] === true && !existsSync(manifest)) continue;
      assert.equal((await readJson(manifest)).version, entry["version"], location);
      assert.ok(entry["integrity"], `${location} has no hash`);
      assert.equal(entry["resolved"], undefined, location);
    }
  });

  it("has the command line under its own name, on every installed Node", async (t) => {
    for (const node of nodes) {
      t.diagnostic(`Node ${(await scratch.run(node, ["--version"])).trim()}`);
      const mooring = path.join(prefix, "bin/mooring");
      assert.equal((await scratch.run(node, [mooring, "--version"])).trim(), version);
      assert.match(await scratch.run(node, [mooring, "secrets", "generate"]), /^\S{43,}\n$/);
      await assert.rejects(scratch.run(node, [mooring, "serve", "nothing"]), /nothing/);
      // A name without a command asks for help, and starts no server.
      await assert.rejects(scratch.run(node, [mooring]), /Usage: mooring/);
    }
  });

  // A second installation: a minute that the one above makes nearly needless.
  const skip = proofSize(0, 1) === 0 && "in the soak";
  it("runs by npx from an empty directory", { skip }, async () => {
    const cache = path.join(scratch.directory, "cache");
    const own = (await scratch.run("npm", ["config", "get", "cache"])).trim();
    await mkdir(cache);
    // What has been downloaded already is not downloaded again.
    await symlink(path.join(own, "_cacache"), path.join(cache, "_cacache"));
    const flags = ["--yes", "--ignore-scripts", "--cache", cache, registry.option];
    const printed = await scratch.run("npx", [...flags, "@mooring/server", "--version"], {
      PATH: systemPath,
    });
    assert.equal(printed.trim(), version);
  });

  it("runs the whole product, which connects a domain, and ends with a signal", async () => {
    const dataDir = await makeDataDir();
    try {
      const ports = await productPorts();
      const env = { ...ports, PATH: systemPath };
      const product = startProgram(path.join(prefix, "bin/mooring-server"), [], {
        dataDir,
        env,
        directory: scratch.directory,
      });
      await product.waitFor(/Mooring is up\./);
      const [key] = await product.waitFor(/sk_test_\w+/);
      const [, application] = await product.waitFor(/MOORING_APP=(\S+)/);
      const base = `http://127.0.0.1:${ports["PORT"]}`;
      const made = await fetch(`${base}/v1/connections`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ application_id: application, hostname: "www.hello.test" }),
      });
      assert.equal(made.status, 201, await made.clone().text());
      for (const page of ["/sdk/v1/widget.js", "/console/", "/docs/index", "/docs", "/demo"]) {
        assert.equal((await fetch(`${base}${page}`)).status, 200, page);
      }
      assert.match(product.output(), /npx @mooring\/server console link/);
      product.child.kill("SIGTERM");
      assert.deepEqual(await product.ended, { code: 0, signal: null });
      assert.deepEqual(await findProcesses(dataDir), []);
    } finally {
      await removeDataDir(dataDir);
    }
  });
});
