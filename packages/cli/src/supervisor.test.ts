import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { until } from "@mooring/testing/processes/until";
import { type ProcessEvent, ProcessFailed, runProcesses, type Supervisor } from "./supervisor.ts";

const ready = `process.send({ type: "ready" });`;
const forever = "setInterval(() => {}, 1000);";

describe("runProcesses", () => {
  let directory = "";
  const running: Supervisor[] = [];
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-supervisor-"));
  });
  after(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await rm(directory, { recursive: true, force: true });
  });

  async function supervise(
    scripts: Readonly<Record<string, string>>,
    { begin, stopWithinMs = 60_000 }: { begin?: Promise<void>; stopWithinMs?: number } = {},
  ) {
    const events: ProcessEvent[] = [];
    const processes = await Promise.all(
      Object.entries(scripts).map(async ([name, script]) => {
        const file = path.join(directory, `${name}.mjs`);
        await writeFile(file, script);
        return { name, args: [file] };
      }),
    );
    const supervisor = runProcesses({
      processes,
      env: {},
      onEvent: (event) => events.push(event),
      restartDelays: { afterReadyMs: [10, 20], beforeReadyMs: [30, 40] },
      stopWithinMs,
      ...(begin === undefined ? {} : { begin }),
    });
    running.push(supervisor);
    return { supervisor, events };
  }

  it("is ready when every process has reported it, and stops them all", async () => {
    const { supervisor } = await supervise({
      one: `${ready} ${forever}`,
      two: `setTimeout(() => { ${ready} }, 50); ${forever}`,
    });
    await supervisor.ready;
    const pids = supervisor.pids();
    assert.equal(pids.length, 2);
    await supervisor.stop();
    await supervisor.ended;
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  });

  it("lets processes load before they begin, and sends the begin message again after a crash", async () => {
    const waiting = `
      if (process.env.MOORING_WAIT_FOR_BEGIN !== "1") process.exit(3);
      process.on("message", ({ type }) => {
        if (type !== "begin") return;
        process.send({ type: "ready" });
        if (process.argv[1].includes("mortal")) setTimeout(() => process.exit(7), 20);
      });`;
    const { promise: begin, resolve } = Promise.withResolvers<void>();
    const both = { patient: waiting, mortal: waiting };
    const { supervisor, events } = await supervise(both, { begin });
    await until(() => supervisor.pids().length === 2);
    assert.deepEqual(events, []);
    resolve();
    await supervisor.ready;
    const beginnings = () =>
      events.filter(({ kind, name }) => kind === "ready" && name === "mortal");
    await until(() => beginnings().length >= 2);
    await supervisor.stop();
  });

  it("replaces each process when its successor is ready, and lets the old one end by itself", async () => {
    const { supervisor, events } = await supervise({
      one: `${ready} process.on("SIGTERM", () => setTimeout(() => process.exit(0), 50)); ${forever}`,
      two: `${ready} ${forever}`,
    });
    await supervisor.ready;
    const before = supervisor.pids();
    await supervisor.replace();
    await until(() => supervisor.pids().every((pid) => !before.includes(pid)));
    assert.equal(supervisor.pids().length, 2);
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== "ready");
    assert.deepEqual(kinds.toSorted(), ["left", "left", "replaced", "replaced"]);
    await supervisor.stop();
    assert.deepEqual(supervisor.pids(), []);
  });

  it("leaves the old process running when a successor does not start", async () => {
    const flag = path.join(directory, "no-successor");
    const { supervisor, events } = await supervise({
      one: `import { existsSync } from "node:fs";
        if (existsSync(${JSON.stringify(flag)})) process.exit(4);
        ${ready} ${forever}`,
    });
    await supervisor.ready;
    const before = supervisor.pids();
    await writeFile(flag, "");
    await assert.rejects(supervisor.replace(), ProcessFailed);
    assert.deepEqual(supervisor.pids(), before);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ["ready"],
    );
  });

  it("restarts a crashed process, waiting longer each time up to the last delay", async () => {
    const { supervisor, events } = await supervise({
      crashing: `${ready} setTimeout(() => process.exit(3), 5);`,
    });
    const ends = () => events.filter((event) => event.kind === "ended");
    await until(() => ends().length >= 3);
    await supervisor.stop();
    assert.deepEqual(
      ends()
        .slice(0, 3)
        .map((event) => [event.how, event.restartInMs]),
      [
        ["exit code 3", 10],
        ["exit code 3", 20],
        ["exit code 3", 20],
      ],
    );
  });

  it("waits by its own table for a restarted process that ends before it is ready", async () => {
    const flag = path.join(directory, "starts-no-more");
    const { supervisor, events } = await supervise({
      once: `import { existsSync, writeFileSync } from "node:fs";
        if (existsSync(${JSON.stringify(flag)})) process.exit(4);
        writeFileSync(${JSON.stringify(flag)}, "");
        process.send({ type: "ready" }, () => process.exit(3));`,
    });
    const ends = () => events.filter((event) => event.kind === "ended");
    await until(() => ends().length >= 4);
    await supervisor.stop();
    const waits = ends().map(({ restartInMs }) => restartInMs);
    assert.deepEqual(waits.slice(0, 4), [10, 30, 40, 40]);
  });

  it("gives up with the exit code of a process that never became ready", async () => {
    const { supervisor, events } = await supervise({ broken: "process.exit(78)" });
    await assert.rejects(supervisor.ended, (error) => {
      assert.ok(error instanceof ProcessFailed);
      assert.equal(error.exitCode, 78);
      return true;
    });
    assert.deepEqual(events, []);
  });

  it("kills a process that does not end in time, and reports it", async () => {
    const stubborn = `process.on("SIGTERM", () => {}); ${ready} ${forever}`;
    const { supervisor, events } = await supervise({ stubborn }, { stopWithinMs: 300 });
    await supervisor.ready;
    await supervisor.stop();
    assert.deepEqual(events.at(-1), { kind: "killed", name: "stubborn" });
    assert.deepEqual(supervisor.pids(), []);
  });

  it("does not restart a process that it is stopping", async () => {
    const { supervisor, events } = await supervise({ calm: `${ready} ${forever}` });
    await supervisor.ready;
    await supervisor.stop();
    assert.deepEqual(events, [{ kind: "ready", name: "calm" }]);
  });
});
