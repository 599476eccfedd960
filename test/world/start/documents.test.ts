import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { examineConfig, examineFiles } from "@mooring/control";
import {
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
} from "@mooring/testing/local/local-product";
import { type DocBlock, readMarkedBlocks } from "@mooring/testing/processes/doc-blocks";
import { runShell, type ShellResult } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";

const root = path.resolve(import.meta.dirname, "../../..");
const blocksOf = (document: string): Promise<readonly DocBlock[]> =>
  readMarkedBlocks(document, "test/world/start/documents.test.ts");

/** Commands of a page, which run in one shell after these lines. */
const pages: Readonly<Record<string, string>> = {
  "docs/console.md": "",
  "docs/contests.md": "mooring connections create shop.example.com --customer-ref another",
  "docs/cutover.md": "",
  "docs/domain-connect.md": "",
  "docs/edge.md": `
    mooring apps create Shop --origin-url https://a.example.com
    ID=$MOORING_APP
    echo '<h1>{{status}}</h1>' > error.html
    echo 'fetch("https://shop.acme.test/", { signal: AbortSignal.timeout(1) }).catch(() => {})' > visit.js
    for name in acme.com www.acme.com shop.acme.com preview.acme.com shop.acme.test; do mooring connections create $name; done
    TARGET=$(mooring connections show shop.acme.test --json | jq -r .target)
    curl -fsS -X PUT "$MOORING_URL/v1/sandbox/zones/acme.test/records" -H "$AUTH" -H "$JSON" \\
      -d '{"records":[{"host":"shop","type":"CNAME","value":"'$TARGET'"}]}'
    mooring connections watch shop.acme.test`,
  "docs/import.md": `
    printf 'hostname\\nshop.imported.example\\n' > domains.csv
    mkdir -p caddy/certificates live`,
  "docs/operations.md": "mooring tenants create Acme",
  "docs/sandbox.md": "",
  "docs/support.md": "mooring connections create shop.status.test --customer-ref acct_42",
  "docs/traffic.md": "mooring connections create shop.acme.com || true",
  "docs/troubleshooting.md": `
    ID=$(mooring connections create shop.trouble.test --json | jq -r .id)`,
  "docs/webhooks.md": "",
  "docs/widget.md": "",
  "docs/drop-in-apis.md": "echo 'console.log(typeof fetch)' > server.js",
};

/** Names of a reader's own program in the samples of a page, with their types. */
const names = {
  applicationId: "string",
  customerId: "string",
  connectionId: "string",
  id: "string",
  session: "{ customerId: string }",
  token: "string",
  baseUrl: "string",
  rawBody: "Uint8Array",
  signingSecret: "string",
  getToken: "() => Promise<string>",
  request: "{ headers: Record<string, string | undefined> }",
  mooring: 'import("@mooring/sdk").Mooring',
};
const samples = [
  "packages/sdk/README.md",
  "docs/widget.md",
  "docs/edge.md",
  "docs/domain-connect.md",
];

/** What the settings of a page need besides. */
const otherSettings = {
  ACME_DIRECTORY_URL: "https://acme-v02.api.letsencrypt.org/directory",
  ACME_EMAIL: "ops@example.com",
};

const isSettings = ({ text }: DocBlock): boolean =>
  text.split("\n").every((line) => line === "" || /^(#|[A-Z0-9_]+=)/.test(line));

/** What differs from run to run, in the output of commands. */
function normalise(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/[a-z2-7]{26}\.edge\.localhost/g, "TARGET")
    .replaceAll(/chg_[0-9a-f]+/g, "CHANGE")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d/g, "DATE")
    .trim();
}

describe("the lines of the documents", () => {
  let dataDir = "";
  let folder = "";
  let product: LocalProduct;
  let exports = "";
  let ports: Readonly<Record<string, string>> = {};

  before(async () => {
    dataDir = await makeDataDir();
    folder = await mkdtemp(path.join(tmpdir(), "mooring-documents-"));
    ports = { ...(await productPorts()), DOMAIN_CONNECT_DOMAIN: "example.com" };
    product = startProduct({ dataDir, env: ports });
    [exports] = await product.waitFor(/^ {2}export .*$/m);
    await product.waitFor(/^ {2}curl .*--retry .*$/m);
    await mkdir(path.join(folder, "bin"));
    await symlink(path.join(root, "node_modules/.bin/mooring"), path.join(folder, "bin/mooring"));
  });
  after(async () => {
    product.child.kill("SIGTERM");
    await product.ended;
    await until(async () => (await findProcesses(dataDir)).length === 0);
    await removeDataDir(dataDir);
    await rm(folder, { recursive: true, force: true });
  });

  /** The text with the addresses of this installation in place of the page's. */
  function here(text: string): string {
    return text
      .replaceAll(
        /https?:\/\/(domains\.example\.com|localhost:8080|127\.0\.0\.1:8080)/g,
        "$MOORING_URL",
      )
      .replaceAll("localhost:8443", "localhost:$MOORING_EDGE_PORT")
      .replaceAll("sk_live_…", "$MOORING_API_KEY")
      .replaceAll("0192…", "$MOORING_APP")
      .replaceAll("/var/lib/caddy/.local/share/caddy", "caddy")
      .replaceAll("/etc/letsencrypt/live", "live");
  }
  async function paste(...lines: readonly string[]): Promise<ShellResult> {
    const cwd = await mkdtemp(path.join(folder, "shell-"));
    const auth = [
      'AUTH="Authorization: Bearer $MOORING_API_KEY"',
      "JSON='Content-Type: application/json'",
    ];
    return runShell(["set -eo pipefail", exports, ...auth, ...lines].join("\n"), {
      cwd,
      env: {
        ...ports,
        PATH: `${path.join(folder, "bin")}:${path.dirname(process.execPath)}:${process.env["PATH"]}`,
        DATA_DIR: dataDir,
        NO_COLOR: "1",
      },
    });
  }

  for (const [page, preparation] of Object.entries(pages)) {
    it(`run, of ${page}`, async () => {
      const blocks = (await blocksOf(page)).filter(
        (block) => block.language === "sh" && !isSettings(block),
      );
      assert.notEqual(blocks.length, 0);
      const lines = blocks.map(({ text }) =>
        here(text)
          // They need an account elsewhere, run until they are stopped, or ask at a terminal.
          .replaceAll(/^mooring import (cloudflare|vercel) .*$/gm, "")
          .replaceAll(/^(mooring listen .*)$/gm, "timeout 5 $1 || [ $? = 124 ]")
          .replaceAll(/^(mooring .* --provider sandbox)/gm, "echo token=sandbox | $1 --yes")
          .replaceAll(
            /^(mooring connections cutover \S+)$/gm,
            "until $1 | grep -q ready; do :; done",
          )
          .replaceAll(/^# 5\. Clean up\.\n[^`]*/gm, ""),
      );
      const { code, stdout, stderr } = await paste(preparation, ...lines);
      assert.equal(code, 0, `${stderr}${stdout}`);
      assert.doesNotMatch(stdout, /"error":\{/);
    });
  }

  it("print what the pages show", async () => {
    const publish = (zone: string, record: string): string =>
      `curl -fsS -X PUT "$MOORING_URL/v1/sandbox/zones/${zone}/records" -H "$AUTH" -H "$JSON" -d '{"records":[${record}]}' > /dev/null`;
    const before: Readonly<Record<string, string>> = {
      "mooring connections watch shop.zeta.test | cat": [
        "TARGET=$(mooring connections create shop.zeta.test --json | jq -r .target)",
        `(until [ -s output ]; do sleep 0.1; done; ${publish("zeta.test", `{"host":"shop","type":"CNAME","value":"'$TARGET'"}`)}) &`,
      ].join("\n"),
      "echo token=sandbox | mooring connections apply shop.delta.test --provider sandbox --dry-run":
        publish("delta.test", '{"host":"shop","type":"A","value":"192.0.2.9"}'),
    };
    const transcripts = (await blocksOf("docs/cli.md")).filter(({ language }) => language === "");
    assert.ok(transcripts.length >= 6, `${transcripts.length} transcripts`);
    for (const { text } of transcripts) {
      for (const [, command = "", output = ""] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
        const result = await paste(
          "set +e",
          before[command] ?? "",
          `(${command}) 2>&1 | tee output`,
        );
        const [printed, shown] = [result.stdout, output].map(normalise);
        // Which states a watch sees on the way depends on the moment.
        if (!command.includes("watch")) assert.equal(printed, shown, command);
        for (const line of shown?.split("\n") ?? []) assert.ok(printed?.includes(line), line);
      }
    }
  });

  it("are settings that Mooring knows and accepts", async () => {
    const known = await runShell("cat docs/configuration.md", { cwd: root });
    const documents = [
      "docs/caddy.md",
      "docs/edge.md",
      "docs/one-container.md",
      "docs/operations.md",
      "docs/scale.md",
    ];
    for (const document of documents) {
      const blocks = (await blocksOf(document)).filter(isSettings);
      assert.notEqual(blocks.length, 0, document);
      for (const { text } of blocks.filter(({ language }) => language === "sh")) {
        const set = [...text.matchAll(/^([A-Z0-9_]+)=('[^']*'|\S+)/gm)].map(
          ([, name = "", value = ""]) => [name, value.replaceAll("'", "")] as const,
        );
        // A value that the page leaves out is not compared.
        const written = set.filter(([, value]) => !value.includes("…"));
        for (const [name] of set) assert.ok(known.stdout.includes(`\`${name}\``), name);
        const { problems } = examineConfig({ ...otherSettings, ...Object.fromEntries(written) });
        assert.deepEqual(problems, [], document);
      }
    }
  });

  it("are files that Mooring reads", async () => {
    const files = {
      "docs/edge.md": "EDGE_CDN_RANGES",
      "docs/domain-connect.md": "DOMAIN_CONNECT_CLIENTS_FILE",
    };
    for (const [document, variable] of Object.entries(files)) {
      const [block] = (await blocksOf(document)).filter(({ language }) => language === "json");
      assert.ok(block, document);
      const file = path.join(folder, `${variable}.json`);
      await writeFile(file, block.text, { mode: 0o600 });
      const { config, problems } = examineConfig({ [variable]: file });
      assert.deepEqual([...problems, ...examineFiles(config)], []);
    }
  });

  it("are samples whose types are right", async () => {
    const directory = await mkdtemp(path.join(root, "examples/.samples-"));
    try {
      for (const [index, document] of samples.entries()) {
        const blocks = (await blocksOf(document)).filter(({ language }) => /^tsx?$/.test(language));
        assert.notEqual(blocks.length, 0, document);
        for (const { text, line } of blocks) {
          const missing = Object.entries(names)
            .filter(([name]) => !new RegExp(`const (\\{[^}]*)?\\b${name}\\b`).test(text))
            .map(([name, type]) => `declare const ${name}: ${type};`);
          await writeFile(
            path.join(directory, `${index}-${line}.tsx`),
            `${text}\n${missing.join("\n")}\nexport {};\n`,
          );
        }
      }
      await writeFile(
        path.join(directory, "tsconfig.json"),
        JSON.stringify({
          extends: "../tsconfig.json",
          compilerOptions: { noUnusedLocals: false, noPropertyAccessFromIndexSignature: false },
          include: ["*.tsx"],
        }),
      );
      const { code, stdout } = await runShell(`node_modules/.bin/tsc -p ${directory}`, {
        cwd: root,
      });
      assert.equal(code, 0, stdout);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
