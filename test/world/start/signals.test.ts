import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, describe, it } from "node:test";
import {
  findDescendants,
  findProcesses,
  isRunning,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startNpm,
} from "@mooring/testing/local/local-product";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

/** Ten seconds are promised; a busy machine gets more. */
const withinMs = proofSize(40_000, 10_000);

interface Case {
  readonly script: "start" | "dev";
  readonly signal: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGKILL";
}

/** npm passes on the first two signals and is killed by the others. */
const cases: readonly Case[] = [
  { script: "start", signal: "SIGTERM" },
  { script: "start", signal: "SIGINT" },
  { script: "start", signal: "SIGHUP" },
  { script: "start", signal: "SIGKILL" },
  { script: "dev", signal: "SIGTERM" },
  { script: "dev", signal: "SIGKILL" },
];

/** The signal is sent to npm only, not to its process group as a terminal does. */
describe("a signal to npm", () => {
  let dataDir = "";
  let ports: Readonly<Record<string, string>> = {};

  before(async () => {
    dataDir = await makeDataDir();
    ports = await productPorts();
  });
  afterEach(async () => {
    for (const pid of await findProcesses(dataDir)) process.kill(pid, "SIGKILL");
    await until(async () => (await findProcesses(dataDir)).length === 0);
  });
  after(() => removeDataDir(dataDir));

  for (const { script, signal } of cases) {
    it(`ends npm run ${script} and all its processes on ${signal}`, async (context) => {
      const npm = startNpm(script, { dataDir, env: ports });
      await npm.waitFor(/Mooring is up\./);
      const processes = await allProcesses(npm, dataDir);
      npm.child.kill(signal);
      const sentAt = performance.now();
      await npm.ended;
      await until(async () => (await running(processes)).length === 0);
      const elapsedMs = performance.now() - sentAt;
      context.diagnostic(`${processes.length} processes ended in ${Math.round(elapsedMs)} ms`);
      assert.ok(elapsedMs < withinMs, `it took ${elapsedMs} ms`);
      assert.deepEqual(await findProcesses(dataDir), []);
    });
  }

  it("stops a start that is still in the build or the set-up", async () => {
    const npm = startNpm("start", { dataDir, env: ports });
    await until(async () => (await findDescendants(npm.child.pid ?? 0)).length > 0);
    const processes = await findDescendants(npm.child.pid ?? 0);
    npm.child.kill("SIGTERM");
    const sentAt = performance.now();
    await npm.ended;
    await until(async () => (await running(processes)).length === 0);
    assert.ok(performance.now() - sentAt < withinMs);
    assert.deepEqual(await findProcesses(dataDir), []);
  });
});

/** The tree below npm, and PostgreSQL, whose server is a daemon outside that tree. */
async function allProcesses(npm: LocalProduct, dataDir: string): Promise<readonly number[]> {
  const tree = await findDescendants(npm.child.pid ?? 0);
  const others = (await findProcesses(dataDir)).filter((pid) => pid !== npm.child.pid);
  const postgres = (await Promise.all(others.map(findDescendants))).flat();
  const all = [...new Set([...tree, ...others, ...postgres])];
  const commands = await Promise.all(all.map(readCommand));
  for (const part of ["serve\0api", "serve\0worker", "serve\0edge", "\0demo\0", "postgres"]) {
    assert.ok(
      commands.some((command) => command.includes(part)),
      `no process ${part} in\n${commands.join("\n")}`,
    );
  }
  return all;
}

async function running(pids: readonly number[]): Promise<readonly number[]> {
  const states = await Promise.all(pids.map(isRunning));
  return pids.filter((_, index) => states[index]);
}

function readCommand(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
