import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";

const exec = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../../..");
const tsc = path.join(root, "node_modules/.bin/tsc");

/** The system's Node, which may be older than the repository's, where there is one. */
const nodes = [process.execPath, "/usr/local/bin/node", "/usr/bin/node"].filter(existsSync);

const script = `
import { ApiError, Mooring, verifyWebhook, WebhookVerificationError } from "@mooring/sdk";
const mooring = new Mooring({ apiKey: "sk_test_x", baseUrl: process.argv[2], retries: 0 });
const names = [];
for await (const one of mooring.applications.list()) names.push(one.name);
const missing = await mooring.applications.get("absent").catch((error) => error);
const refused = await verifyWebhook("{}", {}, "whsec_x").catch((error) => error);
console.log(JSON.stringify([
  names,
  missing instanceof ApiError && missing.code,
  refused instanceof WebhookVerificationError && refused.reason,
]));
`;

const consumer = `
import { type Application, ApiError, Mooring, verifyWebhook } from "@mooring/sdk";
const mooring = new Mooring({ apiKey: "sk_test_x", baseUrl: "https://api.example" });
export async function names(): Promise<string[]> {
  const all: string[] = [];
  for await (const one of mooring.applications.list({ limit: 5 })) all.push(one.name);
  const made: Application = await mooring.applications.create({ name: "x" }, { idempotencyKey: "k" });
  const counters: number = (await mooring.call("get_usage", {})).counters.connect;
  const event = await verifyWebhook("{}", new Headers(), ["whsec_x"]);
  const why = event.type === "domain.archived" ? event.data.reason : "deleted";
  const reason: "contest_lost" | "deleted" | "taken_over" = why;
  return [...all, made.environment, String(counters), event.id, reason];
}
export const isAbsent = (error: unknown) => error instanceof ApiError && error.code === "not_found";
// @ts-expect-error a name is required
void mooring.applications.create({});
// @ts-expect-error one of key and token, not both
new Mooring({ apiKey: "a", token: "b", baseUrl: "https://api.example" });
// @ts-expect-error no such operation
void mooring.call("get_nothing", {});
`;

describe("the published package", () => {
  let directory: string;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-sdk-"));
    const built = path.join(directory, "built");
    const env = { ...process.env, PATH: `${path.dirname(tsc)}:${process.env["PATH"]}` };
    await exec(process.execPath, [path.join(root, "scripts/build-sdk.ts"), built], { env });
    await exec("npm", ["pack", built, "--pack-destination", directory], { env });
    await writeFile(
      path.join(directory, "package.json"),
      JSON.stringify({ name: "consumer", private: true, type: "module" }),
    );
    const tarball = path.join(directory, "mooring-sdk-0.1.0.tgz");
    await exec("npm", ["install", "--offline", "--no-audit", tarball], { cwd: directory, env });
    await rm(built, { recursive: true });
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it("runs in an empty project, on every installed Node, without stripping types", async () => {
    const server = createServer((request, response) => {
      const isList = request.url === "/v1/applications";
      response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
      response.end(
        JSON.stringify(
          isList
            ? { data: [{ name: "Shop" }], next_cursor: null }
            : { error: { code: "not_found", message: "no such application", details: null } },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await writeFile(path.join(directory, "script.js"), script);
      for (const node of nodes) {
        const { stdout } = await exec(node, ["script.js", `http://127.0.0.1:${port}`], {
          cwd: directory,
        });
        assert.deepEqual(JSON.parse(stdout), [["Shop"], "not_found", "missing_signature"], node);
      }
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("has types that compile in a browser project and in a Node project, with library check", async () => {
    await writeFile(path.join(directory, "consumer.ts"), consumer);
    const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
    const modules = ["--module", "nodenext", "consumer.ts"];
    const browser = ["--lib", "es2022,dom,dom.iterable", "--types", ""];
    const server = ["--lib", "es2022", "--types", "node"];
    const roots = ["--typeRoots", path.join(root, "node_modules/@types"), "--skipLibCheck"];
    await exec(tsc, [...strict, ...browser, ...modules], { cwd: directory });
    await exec(tsc, [...strict, ...server, ...roots, ...modules], { cwd: directory });
  });

  it("contains code, declarations and documents, and no source, test or dependency", async () => {
    const installed = path.join(directory, "node_modules/@mooring/sdk");
    const { stdout } = await exec("find", [installed, "-type", "f", "-printf", "%P\n"]);
    const files = stdout.trim().split("\n");
    assert.ok(files.includes("index.js") && files.includes("index.d.ts"));
    assert.ok(files.includes("LICENSE") && files.includes("README.md"));
    assert.ok(files.includes("openapi.json"), "the schemas of requests, answers and events");
    assert.deepEqual(
      files.filter((file) => /test|(?<!\.d)\.ts$/.test(file)),
      [],
    );
    const manifest = JSON.parse(await readFile(path.join(installed, "package.json"), "utf8"));
    assert.equal(manifest.dependencies, undefined);
    assert.equal(manifest.private, undefined);
  });
});
