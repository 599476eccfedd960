import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { launchChromium } from "@mooring/testing/browser/chromium";
import { assertShim } from "@mooring/testing/cli/shim-calls";
import { type Caller, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import type { Browser } from "playwright-core";
import { startApi } from "../../packages/control/src/process/start-api.ts";
import { dropIns } from "../../packages/drop-in/src/index.ts";
import { buildWidget } from "../../scripts/build/widget.ts";
import { packAll, type Tarball } from "../../scripts/packages/pack.ts";
import { releaseNames } from "../../scripts/release/names.ts";
import { dynamicImportScript, requireScript, serverScript } from "./support/consumers.ts";
import {
  nextApp,
  type Project,
  plainModules,
  scriptTag,
  viteReact,
  viteVue,
} from "./support/projects.ts";
import { createScratch, type Scratch } from "./support/scratch.ts";
import { startStaticSite } from "./support/static-site.ts";

/** The first releases that `require` modules, by the README of the SDK, and the newest ones. */
const requiringNodes = ["20.19.0", "20.20.2", "22.12.0", "22.23.3", "24.21.0", "26.10.0"];
/** The first release that the packages claim, and the last ones that cannot `require` modules. */
const importingNodes = ["20.0.0", "20.18.3", "22.11.0"];

/** Installs from the registry, so it is not part of every run. */
describe("the packages in other people's projects", () => {
  let directory: string;
  let tarballs: readonly Tarball[];
  let app: TestApp;
  let caller: Caller;
  let browser: Browser;
  let stopApi: () => Promise<unknown>;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-tarballs-"));
    tarballs = await packAll(directory);
    app = await startTestApp();
    const assets = { widget: (await buildWidget()).outDir };
    const replacements = { clock: app.clock, log: app.operator.log, assets, dropIns };
    const api = await startApi(app.config, replacements);
    stopApi = api.close;
    caller = await openCaller(api.url, (await app.tenant("Harbour")).keys.test);
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await stopApi();
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function makeProject(t: TestContext, name: string, project: Project): Promise<Scratch> {
    const scratch = await createScratch(name);
    t.after(() => scratch.remove());
    // The server has a test of its own.
    const libraries = tarballs.filter(({ name }) => name !== releaseNames.npm.server);
    const own = libraries.map((one) => [one.name, `file:${one.file}`] as const);
    const manifest = {
      name,
      private: true,
      type: "module",
      dependencies: { ...Object.fromEntries(own), ...project.dependencies },
    };
    await scratch.write({ "package.json": JSON.stringify(manifest), ...project.files });
    await scratch.run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"]);
    for (const [command, ...args] of project.build) {
      const program = path.join(scratch.directory, "node_modules/.bin", command);
      await scratch.run(program, args, { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" });
    }
    return scratch;
  }

  /** What a page gets from the tenant's backend. */
  async function pageAddress(url: string): Promise<string> {
    const response = await fetch(`${caller.base}/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${caller.key}`, "content-type": "application/json" },
      body: JSON.stringify({ application_id: caller.applicationId, customer_ref: "customer-42" }),
    });
    const { auth_token: token } = (await response.json()) as { auth_token: string };
    const query = { application: caller.applicationId, token, api: caller.base };
    return `${url}/?${new URLSearchParams(query)}`;
  }

  /** Opens the widget on the page and has the real API check a domain. */
  async function useWidget(address: string, domain: string): Promise<void> {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (/Content Security Policy|hydrat/i.test(message.text())) problems.push(message.text());
    });
    await page.goto(address);
    await page.click("#connect");
    const modal = page.locator("[data-svc-widget=modal]");
    await modal.getByTestId("svc-domain").fill(domain);
    await modal.getByTestId("svc-continue").click();
    await modal.getByTestId("svc-provider").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  }

  /** The widget's documented policy, with the project's own scripts instead of the service's. */
  const policy = () => `default-src 'none'; script-src 'self'; connect-src ${caller.base}`;

  async function useBuilt(t: TestContext, name: string, project: Project): Promise<void> {
    const scratch = await makeProject(t, name, project);
    const folders = [path.join(scratch.directory, "dist"), scratch.directory];
    const site = await startStaticSite(folders, policy());
    t.after(site.close);
    await useWidget(await pageAddress(site.url), `shop.${name}.test`);
  }

  it("build with Vite, React 19 and strict TypeScript, and run under a strict policy", (t) =>
    useBuilt(t, "vite-react", viteReact));

  it("build with Vite and Vue, and run under a strict policy", (t) =>
    useBuilt(t, "vite-vue", viteVue));

  it("run in a browser without a bundler", (t) => useBuilt(t, "modules", plainModules));

  it("leave the script tag to the service, which a page of another origin may use", async (t) => {
    const scratch = await makeProject(t, "script-tag", scriptTag(caller.base));
    const { base } = caller;
    const allowed = `default-src 'none'; script-src 'self' ${base}; connect-src ${base}`;
    const site = await startStaticSite([path.join(scratch.directory, "dist")], allowed);
    t.after(site.close);
    await useWidget(await pageAddress(site.url), "shop.script.test");
    const types = await fetch(`${base}/sdk/v1/widget.d.mts`);
    assert.equal(types.status, 200);
    assert.match(await types.text(), /export declare function open/);
  });

  it("build and run in the app router of Next.js, with a token from a route of the server", async (t) => {
    const scratch = await makeProject(t, "next", nextApp);
    const port = await freePort();
    const program = path.join(scratch.directory, "node_modules/next/dist/bin/next");
    const args = [program, "start", "--hostname", "127.0.0.1", "--port", String(port)];
    const server = spawn(process.execPath, args, {
      cwd: scratch.directory,
      env: {
        ...process.env,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        MOORING_URL: caller.base,
        MOORING_API_KEY: caller.key,
        MOORING_APP: caller.applicationId,
      },
      stdio: "ignore",
    });
    t.after(() => server.kill());
    const url = `http://127.0.0.1:${port}`;
    await until(
      () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      "Next.js",
    );
    await useWidget(url, "shop.next.test");
    // The shim is its instrumentation file: a hard-coded call of a vendor arrives here.
    const domain = await fetch(`${url}/vendor`);
    const { name, projectId } = (await domain.json()) as Readonly<Record<string, string>>;
    assert.deepEqual([name, projectId], ["www.next.test", caller.applicationId]);
  });

  it("run on Node 20, 22 and 24, Deno and Bun from the registry", async (t) => {
    const arch = process.arch === "arm64" ? "arm64" : "x64";
    const [platform, bun] = [`node-linux-${arch}`, arch === "arm64" ? "aarch64" : "x64"];
    const runtimes = await makeProject(t, "runtimes", {
      dependencies: {
        ...Object.fromEntries(
          [...requiringNodes, ...importingNodes].map((version) => [
            `node-${version}`,
            `npm:${platform}@${version}`,
          ]),
        ),
        [`@oven/bun-linux-${bun}`]: "1.4.4",
        [`@deno/linux-${arch}-glibc`]: "2.9.5",
      },
      files: {
        "server.js": serverScript,
        "require.cjs": requireScript,
        "import.cjs": dynamicImportScript,
      },
      build: [],
    });
    const installed = (file: string): string => path.join(runtimes.directory, "node_modules", file);
    const env = { MOORING_URL: caller.base, MOORING_API_KEY: caller.key };
    const nodeOf = (version: string): string => installed(`node-${version}/bin/node`);
    const nodes = [...requiringNodes, ...importingNodes].map(nodeOf);
    for (const version of requiringNodes) {
      const printed = await runtimes.run(nodeOf(version), ["require.cjs"], env);
      assert.match(printed, /^function function \[.*"Shop".*\]\n$/, version);
    }
    for (const node of nodes) {
      assert.match(
        await runtimes.run(node, ["import.cjs"], env),
        /^function function \[.*"Shop"/,
        node,
      );
    }
    const others = [
      [installed(`@oven/bun-linux-${bun}/bin/bun`), "run"],
      [
        installed(`@deno/linux-${arch}-glibc/deno`),
        "run",
        "--allow-all",
        "--node-modules-dir=manual",
      ],
    ] as const;
    for (const [command, ...args] of [...nodes.map((node) => [node] as const), ...others]) {
      const printed = JSON.parse(await runtimes.run(command, [...args, "server.js"], env));
      assert.ok(printed.names.includes("Shop"), command);
      assert.equal(printed.missing, "not_found", command);
      assert.match(printed.keyless, /^verifyWebhook: the signing secret is undefined\./, command);
      t.diagnostic(`${path.relative(runtimes.directory, command)}: done`);
    }
    for (const node of nodes) {
      const main = installed(`${releaseNames.npm.cli}/dist/mooring.js`);
      assert.match(await runtimes.run(node, [main, "apps", "list"], env), /Shop/);
      await assertShim(node, await runtimes.run(node, [main, "shim", "node"]));
    }
  });
});
