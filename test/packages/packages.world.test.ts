import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { checkTarball } from "../../scripts/packages/check-tarball.ts";
import type { Tarball } from "../../scripts/packages/pack.ts";
import { root, workspaceVersion } from "../../scripts/packages/published-package.ts";
import { writeArtifacts } from "../../scripts/release/artifacts.ts";
import { releaseNames } from "../../scripts/release/names.ts";
import { copyVersionedFiles, setVersion } from "../../scripts/release/workspace-version.ts";
import { sdkConsumer, serverRendering, serverScript, widgetConsumer } from "./support/consumers.ts";
import {
  borrow,
  createScratch,
  installedNodes,
  installOffline,
  repositoryTsc,
  type Scratch,
} from "./support/scratch.ts";

/** The release that is made here: a version that no file of the repository names. */
const image = {
  version: "98.7.6",
  revision: "0123456789abcdef0123456789abcdef01234567",
  created: "2026-01-02T03:04:05.000Z",
  source: "https://git.example/mooring",
};

/** What `npx @mooring/cli` downloads; more than this is no longer small. */
const cliBudgetBytes = 400_000;

describe("the packages that npm gets", () => {
  let scratch: Scratch;
  let release: string;
  let all: readonly Tarball[];
  let tarballs: readonly Tarball[];
  let nodes: readonly string[];
  let api: Server;
  let env: Record<string, string>;

  before(async () => {
    scratch = await createScratch("packages");
    release = path.join(scratch.directory, "release");
    const manifests = path.join(scratch.directory, "manifests");
    copyVersionedFiles(root, manifests);
    setVersion(manifests, workspaceVersion(), image.version);
    const notes = "### Added\n- [sdk] Something.";
    const upgradeNotes = "## From 98.7.5 to 98.7.6\n\nNothing.";
    const texts = { notes, upgradeNotes };
    const made = await writeArtifacts({
      output: release,
      manifests,
      ...texts,
      image,
      hasImages: false,
    });
    all = made.tarballs;
    // The server has dependencies, and a test of its own.
    tarballs = all.filter(({ name }) => name !== releaseNames.npm.server);
    await installOffline(scratch, tarballs);
    nodes = await installedNodes();
    api = await startApi();
    const { port } = api.address() as AddressInfo;
    env = { MOORING_URL: `http://127.0.0.1:${port}`, MOORING_API_KEY: "sk_test_x" };
  });
  after(async () => {
    api.closeAllConnections();
    api.close();
    await scratch.remove();
  });

  it("are part of a release with notes, labels of the images, bill of materials and checksums", async () => {
    const checked = await scratch.run("sh", ["-c", "cd release && sha256sum --check SHA256SUMS"]);
    assert.deepEqual(checked.trim().split("\n"), [
      "THIRD_PARTY_LICENSES.txt: OK",
      "docker-bake.json: OK",
      "mooring-cli-98.7.6.tgz: OK",
      "mooring-sdk-98.7.6.tgz: OK",
      "mooring-server-98.7.6.tgz: OK",
      "mooring-widget-98.7.6.tgz: OK",
      "release-notes.md: OK",
      "sbom.cdx.json: OK",
      "upgrade-notes.md: OK",
    ]);
    const read = (name: string) => readFile(path.join(release, name), "utf8");
    assert.match(
      await read("release-notes.md"),
      /^# Mooring 98\.7\.6\n\n### Added\n- \[sdk\] Some/,
    );
    const bom = JSON.parse(await read("sbom.cdx.json"));
    assert.equal(bom.bomFormat, "CycloneDX");
    assert.match(
      bom.serialNumber,
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.deepEqual(
      [bom.metadata.component.name, bom.metadata.component.version, bom.metadata.timestamp],
      ["mooring", image.version, image.created],
    );
    const refs: string[] = bom.components.map((one: { "bom-ref": string }) => one["bom-ref"]);
    const own = refs.filter((ref) => ref.startsWith("@mooring/"));
    assert.ok(own.includes(`@mooring/control@${image.version}`), "the server");
    for (const ref of own) assert.ok(ref.endsWith(`@${image.version}`), ref);
    const { target } = JSON.parse(await read("docker-bake.json"));
    assert.deepEqual(target.mooring.tags, [`${releaseNames.image}:98.7.6`]);
    for (const [name, value] of Object.entries(image)) {
      assert.equal(target["mooring-one"].labels[`org.opencontainers.image.${name}`], value);
    }
  });

  it("satisfy publint and Are The Types Wrong", async () => {
    for (const tarball of all) assert.deepEqual(await checkTarball(tarball), [], tarball.name);
  });

  it("contain built code and documents, no source or test", async () => {
    for (const { name, contents } of tarballs) {
      for (const file of ["README.md", "LICENSE", "package.json"]) {
        assert.ok(contents.includes(file), `${name} lacks ${file}`);
      }
      const surplus = contents.filter((file) =>
        /test|openapi|(?<!\.d)\.m?tsx?$|\bsrc\b/.test(file),
      );
      assert.deepEqual(surplus, [], name);
    }
    const cli = tarballs.find(({ name }) => name === "@mooring/cli");
    const { size } = await stat(cli?.file ?? "");
    assert.ok(size <= cliBudgetBytes, `the command line has ${size} bytes`);
  });

  it("have a map beside each module of a library, with the source and no path of a machine", async () => {
    const libraries: readonly string[] = [releaseNames.npm.sdk, releaseNames.npm.widget];
    for (const { name, contents } of tarballs.filter((one) => libraries.includes(one.name))) {
      const modules = contents.filter((file) => /\.m?js$/.test(file));
      assert.ok(modules.length > 3, name);
      for (const file of modules) {
        const map = path.join(scratch.directory, "node_modules", name, `${file}.map`);
        const { sources, sourcesContent } = JSON.parse(await readFile(map, "utf8"));
        assert.equal(sourcesContent.length, sources.length, `${name}/${file}`);
        for (const one of sources)
          assert.match(one, /^(?:\.\.\/)+src\/[\w./-]+$/, `${name}/${file}`);
      }
    }
  });

  it("name their origin and their needs, and depend on nothing", async () => {
    for (const { name } of tarballs) {
      const manifest = await installedManifest(scratch, name);
      assert.equal(manifest["private"], undefined);
      assert.equal(manifest["dependencies"], undefined);
      assert.equal(manifest["devDependencies"], undefined);
      assert.deepEqual(manifest["engines"], { node: ">=20" });
      assert.deepEqual(manifest["publishConfig"], { access: "public", provenance: true });
      const { directory } = manifest["repository"] as { directory: string };
      assert.equal(directory, `packages/${name.replace("@mooring/", "")}`);
    }
  });

  it("run on every installed Node of at least 20, the widget without a page", async (t) => {
    await scratch.write({ "server.js": serverScript });
    for (const node of nodes) {
      t.diagnostic(`Node ${(await scratch.run(node, ["--version"])).trim()}`);
      assert.deepEqual(JSON.parse(await scratch.run(node, ["server.js"], env)), {
        names: ["Shop"],
        missing: "not_found",
        refused: "missing_signature",
        keyless:
          "verifyWebhook: the signing secret is undefined. Give it the endpoint's `signing_secret`, which is shown once when the endpoint is created; is the environment variable that holds it set?",
        widget: ["function", "function"],
      });
    }
  });

  it("bring the command line for daily use, which says where the other commands are", async () => {
    const main = path.join(scratch.directory, "node_modules/.bin/mooring");
    const { version } = await installedManifest(scratch, "@mooring/cli");
    for (const node of nodes) {
      assert.equal((await scratch.run(node, [main, "--version"])).trim(), version);
      const listed = await scratch.run(node, [main, "apps", "list", "--json"], env);
      assert.match(listed, /"Shop"/);
      assert.match(
        await scratch.run(node, [main, "shim", "node"]),
        /^ {2}"api\.vercel\.com": \{$/m,
      );
      await scratch.write({ "initialize.json": `${JSON.stringify(initialize)}\n` });
      const served = ["-c", '"$0" "$1" mcp < initialize.json', node, main];
      assert.match(await scratch.run("sh", served, env), /"serverInfo":\{"name":"mooring"/);
      await assert.rejects(
        scratch.run(node, [main, "serve", "all"]),
        /unknown command 'serve'[\s\S]*come with the server/,
      );
    }
    // As the settings of an agent name it.
    const named = ["-c", "npx --offline @mooring/cli mcp < initialize.json"];
    assert.match(await scratch.run("sh", named, env), /"serverInfo":\{"name":"mooring"/);
  });

  it("render in React on a server, as a module for the client", async () => {
    for (const name of ["react", "react-dom"]) await borrow(scratch, name);
    await scratch.write({ "render.js": serverRendering });
    const [node = ""] = nodes;
    assert.equal((await scratch.run(node, ["render.js"])).trim(), '<div class="place"></div>');
    const module = path.join(scratch.directory, "node_modules/@mooring/widget/dist/react.mjs");
    assert.match(await readFile(module, "utf8"), /^"use client";/);
  });

  it("have types that compile strictly, library check included, for a browser and for Node", async () => {
    await borrow(scratch, "@types/react");
    await borrow(scratch, "csstype");
    await scratch.write({ "sdk.ts": sdkConsumer, "widget.tsx": widgetConsumer });
    const strict = ["--ignoreConfig", "--noEmit", "--strict", "--exactOptionalPropertyTypes"];
    const modules = ["--target", "es2022", "--module", "nodenext"];
    const browser = ["--lib", "es2022,dom,dom.iterable", "--types", "", "--jsx", "react-jsx"];
    const server = ["--lib", "es2022", "--types", "node"];
    const roots = ["--typeRoots", path.join(path.dirname(repositoryTsc), "../@types")];
    const args = [...strict, ...modules];
    await scratch.run(repositoryTsc, [...args, ...browser, "sdk.ts", "widget.tsx"]);
    await scratch.run(repositoryTsc, [...args, ...server, ...roots, "--skipLibCheck", "sdk.ts"]);
  });
});

/** The first message of a client of the Model Context Protocol. */
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** An API with one application. */
async function startApi(): Promise<Server> {
  const server = createServer((request, response) => {
    const isList = request.url?.split("?")[0] === "/v1/applications";
    response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        isList
          ? { data: [{ id: "a", name: "Shop", environment: "test" }], next_cursor: null }
          : { error: { code: "not_found", message: "no such application", details: null } },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function installedManifest(
  scratch: Scratch,
  name: string,
): Promise<Readonly<Record<string, unknown>>> {
  const file = path.join(scratch.directory, "node_modules", name, "package.json");
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}
