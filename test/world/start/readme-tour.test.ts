import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { call } from "@mooring/testing/control/http";
import {
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
} from "@mooring/testing/local/local-product";
import { readMarkedBlocks } from "@mooring/testing/processes/doc-blocks";
import { freePort } from "@mooring/testing/processes/free-port";
import { runShell, type ShellResult } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";

const root = path.resolve(import.meta.dirname, "../../..");

const readBlocks = async (document: string): Promise<readonly string[]> =>
  (await readMarkedBlocks(document, "test/world/start/readme-tour.test.ts")).map(
    ({ text }) => text,
  );

/** The blocks of the guide, of which one starts the program and the others are pasted. */
async function guideBlocks(port: number) {
  const blocks = (await readBlocks("docs/integrate.md")).map((block) =>
    block.replaceAll("localhost:3000", `127.0.0.1:${port}`),
  );
  const find = (part: string): string => {
    const block = blocks.find((one) => one.includes(part));
    assert.ok(block, `no block with ${part}`);
    return block;
  };
  return {
    application: find("/v1/applications"),
    endpoint: find("/v1/webhook-endpoints"),
    start: find("server.ts"),
    name: find("NAME="),
    visit: find("--connect-to"),
  };
}

describe("the quick start, the tour of README.md and the integration guide", () => {
  let dataDir = "";
  let folder = "";
  let product: LocalProduct;
  let exports = "";
  let pasted: readonly string[] = [];
  let blocks: readonly string[] = [];
  const paste = (...lines: readonly string[]): Promise<ShellResult> =>
    runShell(["set -e", exports, ...lines].join("\n"), { cwd: folder });

  before(async () => {
    dataDir = await makeDataDir();
    folder = await mkdtemp(path.join(tmpdir(), "mooring-tour-"));
    product = startProduct({ dataDir, env: await productPorts() });
    [exports] = await product.waitFor(/^ {2}export .*$/m);
    await product.waitFor(/^ {2}curl .*--retry .*$/m);
    pasted = product.output().match(/^ {2}(ZONE=|TARGET=|curl ).*$/gm) ?? [];
    blocks = await readBlocks("README.md");
  });
  after(async () => {
    product.child.kill("SIGTERM");
    await product.ended;
    await until(async () => (await findProcesses(dataDir)).length === 0);
    await removeDataDir(dataDir);
    await rm(folder, { recursive: true, force: true });
  });

  async function testQuickStart(): Promise<void> {
    assert.equal(pasted.length, 4);
    const { code, stdout, stderr } = await paste(...pasted);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /<h1>Welcome to www\.hello-\d+\.test<\/h1>/);
  }

  /** Returns what the tour printed. */
  async function testTour(): Promise<string> {
    assert.ok(blocks.length >= 6, `${blocks.length} blocks`);
    const { code, stdout, stderr } = await paste(...blocks);
    assert.equal(code, 0, stderr + stdout);
    assert.equal(stderr, "");
    assert.doesNotMatch(stdout, /"error":\{/);
    assert.match(stdout, /"hostname":"shop\.acme-\d+\.test"[^\n]*"state":"live"/);
    for (const name of ["shop\\.acme", "www\\.auto-acme"]) {
      assert.match(stdout, new RegExp(`<h1>Welcome to ${name}-\\d+\\.test</h1>`));
    }
    return stdout;
  }

  /** The pasted lines, the program that they start, and the widget's call in place of a browser. */
  async function testGuide(): Promise<void> {
    const port = await freePort();
    const guide = await guideBlocks(port);
    const serve = guide.start.replace("cd ", `cd ${root}/`).trim();
    const url = `http://127.0.0.1:${port}`;
    const { code, stdout, stderr } = await paste(
      guide.application,
      guide.endpoint,
      `export PORT=${port}; (${serve.replace("&& ", "&& exec env ")}) >&2 & SERVER=$!`,
      "trap 'kill $SERVER' EXIT",
      `until curl -sf ${url}/settings >/dev/null; do sleep 0.2; done`,
      guide.name,
      `TOKEN=$(curl -sS ${url}/svc-token | grep -o '"token":"[^"]*' | cut -d '"' -f 4)`,
      `TARGET=$(curl -sS $MOORING_URL/v1/connections --oauth2-bearer "$TOKEN" -H "Content-Type: application/json" -d '{"application_id":"'$MOORING_APP'","hostname":"'$NAME'"}' | grep -o '"target":"[^"]*' | cut -d '"' -f 4)`,
      `curl -sS -X PUT $MOORING_URL/v1/sandbox/zones/\${NAME#shop.}/records -H "Authorization: Bearer $MOORING_API_KEY" -H "Content-Type: application/json" -d '{"records":[{"host":"shop","type":"CNAME","value":"'$TARGET'"}]}'`,
      `until curl -sS "$MOORING_URL/v1/connections?q=$NAME" -H "Authorization: Bearer $MOORING_API_KEY" | grep -q '"state":"live"'; do sleep 0.5; done`,
      guide.visit,
    );
    assert.equal(code, 0, stderr + stdout);
    assert.match(stdout, /shop\.integrate-\d+\.test is the shop of customer-42/);
  }

  it("can be followed in any order, and twice", async () => {
    await testTour();
    await testQuickStart();
    await testGuide();
    const printed = await testTour();
    await testGuide();
    await testQuickStart();

    assert.match(printed, /"summary":"[^"]*shop\.acme-\d+\.test/);
    assert.match(printed, /domain\.drift|drifted/);
    const url = /"url":"(http:[^"]*\/share\/[\w-]{43})"/.exec(printed)?.[1];
    assert.ok(url);
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /shop\.acme-\d+\.test leads somewhere else/);
  });

  it("leave the demo's application without a credential", async () => {
    const [base, key, application] = ["URL", "API_KEY", "APP"].map(
      (name) => new RegExp(`MOORING_${name}=(\\S+)`).exec(exports)?.[1] ?? "",
    );
    const list = await call(base ?? "", `/v1/applications/${application}/credentials`, {
      key: key ?? "",
    });
    assert.deepEqual(list.json()["data"], []);
  });

  it("end a name that cannot be connected with what to do", async () => {
    const [functions = ""] = blocks;
    const make = (hostname: string) =>
      `call $MOORING_URL/v1/connections -d '{"application_id":"'$MOORING_APP'","hostname":"${hostname}"}' | tee made.json`;
    const id = `ID=$(grep -o '"id":"[^"]*"' made.json | cut -d '"' -f 4)`;
    const refused = await paste(functions, make("not a name"), id, "wait_for live || true");
    assert.match(
      refused.stdout,
      /"error":\{.*\n.*no connection was made: the answer above says why/,
    );

    // The wait is cut short; its end is the same.
    const short = functions.replace("seq 120", "seq 1");
    const name = `shop.absent-${Date.now()}.test`;
    const missing = await paste(short, make(name), id, "wait_for live || true");
    assert.match(missing.stdout, /"actor":"/);
    assert.match(missing.stdout, new RegExp(`"summary":"[^"]*${name}`));

    const guide = await guideBlocks(3000);
    const wrong = await paste("NAME=shop.never-connected.test", guide.visit);
    assert.match(wrong.stdout, /\{"data":\[\],/);
  });
});
