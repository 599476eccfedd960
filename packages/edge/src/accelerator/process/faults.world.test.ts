import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type OpenVisit, openVisit, openVisitH2, visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { inTime, until } from "@mooring/testing/processes/until";
import { acceleratorPaths } from "../paths.ts";
import { defaultTimes } from "../times.ts";

const own = (name: string) => ({
  connectionId: `0198c0de-0000-7000-8000-${name.padStart(12, "0")}`,
});

/** Of a claim that has ended. */
function assertNotServed(status: number | null): void {
  assert.ok(status === 421 || status === null, String(status));
}

describe("a HAProxy that hangs", () => {
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  before(async () => {
    origin = await startOrigin();
    edge = await startAcceleratedEdge();
    for (const [index, name] of ["busy.example", "leaving.example"].entries()) {
      edge.hosts.set(name, { originUrl: origin.url, ...own(String(index)) });
    }
  });
  after(async () => {
    await edge?.close();
    await origin.close();
  });
  const ca = (): string => edge.authority.certificatePem;
  const pid = (): number => edge.accelerator.pid() ?? assert.fail("HAProxy does not run");

  async function openTwo(name: string): Promise<readonly OpenVisit[]> {
    const open = [
      await openVisit(edge.httpsPort, name, ca()),
      await openVisitH2(edge.httpsPort, name, ca()),
    ];
    for (const one of open) assert.equal(await one.get(), 200);
    return open;
  }

  it("serves no claim that has ended meanwhile when it continues", async (t) => {
    await edge.promote("busy.example");
    await edge.promote("leaving.example");
    const [leaving, staying] = [await openTwo("leaving.example"), await openTwo("busy.example")];
    const before = pid();
    process.kill(before, "SIGSTOP");
    // A thread that still runs, and has read a request, would answer it.
    await until(() => isStopped(before), "the stop");
    const asked = [...leaving, ...staying].map((one) => one.get());
    edge.hosts.delete("leaving.example");
    edge.promotion.removed("leaving.example");
    const endedAt = performance.now();
    await until(() => performance.now() > endedAt + defaultTimes.leaseMs, "the end of the lease");
    process.kill(before, "SIGCONT");
    const answered = inTime(Promise.all(asked), "answers to what was asked meanwhile");
    const [first = 0, second = 0, ...others] = await answered;
    t.diagnostic(`answered ${Math.round(performance.now() - endedAt)} ms after the end`);
    for (const status of [first, second]) assertNotServed(status);
    assert.deepEqual(others, [200, 200]);
    for (const one of leaving) assertNotServed(await inTime(one.get(), "another answer"));
    await assert.rejects(visit(edge.httpsPort, "leaving.example", ca()));
    for (const one of [...leaving, ...staying]) one.close();
    assert.equal(pid(), before);
  });

  it("is killed after ten seconds, and a visitor who waits is served by its successor", async (t) => {
    await edge.promote("busy.example");
    const before = pid();
    process.kill(before, "SIGSTOP");
    // What it has accepted ends with it.
    await until(() => isStopped(before), "the stop");
    const stoppedAt = performance.now();
    const pages = ["busy.example", "busy.example"].map((name) => visit(edge.httpsPort, name, ca()));
    for (const page of await inTime(Promise.all(pages), "the pages")) {
      assert.equal(page.status, 200);
    }
    const waitedMs = Math.round(performance.now() - stoppedAt);
    t.diagnostic(`served again after ${waitedMs} ms`);
    // Its last answer was some time before.
    assert.ok(waitedMs >= 5_000, `killed after ${waitedMs} ms`);
    await until(() => edge.accelerator.pid() !== null, "the restart");
    assert.notEqual(pid(), before);
    assert.equal(edge.accelerator.restarts(), 1);
    const served = await edge.served();
    await until(async () => {
      assert.equal((await visit(edge.httpsPort, "busy.example", ca())).status, 200);
      return (await edge.served()) > served;
    }, "the promotion again");
  });
});

describe("an accelerator whose disk is full", () => {
  const skip = process.getuid?.() === 0 ? false : "a file system of its own needs root";
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-full-"));
  const data = path.join(directory, "data");
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  before(async () => {
    if (skip) return;
    mkdirSync(data);
    mount(data);
    origin = await startOrigin();
    edge = await startAcceleratedEdge({ directory: path.join(data, "edge-data") });
    edge.hosts.set("busy.example", { originUrl: origin.url, ...own("1") });
    edge.hosts.set("quiet.example", { originUrl: origin.url, ...own("2") });
  });
  after(async () => {
    await edge?.close();
    await origin?.close();
    spawnSync("umount", [data]);
    rmSync(directory, { recursive: true, force: true });
  });
  const ca = (): string => edge.authority.certificatePem;

  async function assertServed(): Promise<void> {
    await edge.promote("busy.example");
    for (const name of ["busy.example", "quiet.example"]) {
      assert.equal((await visit(edge.httpsPort, name, ca())).status, 200);
    }
    const served = await edge.served();
    await until(async () => {
      assert.equal((await visit(edge.httpsPort, "busy.example", ca())).status, 200);
      return (await edge.served()) > served;
    }, "a request that HAProxy serves");
  }

  it("serves, promotes, and has HAProxy started again and replaced", { skip }, async () => {
    fill(data);
    await assertServed();
    const killed = edge.accelerator.pid() ?? 0;
    process.kill(killed, "SIGKILL");
    const page = await inTime(visit(edge.httpsPort, "quiet.example", ca()), "the page");
    assert.equal(page.status, 200);
    await until(() => ![null, killed].includes(edge.accelerator.pid()), "the restart");
    await assertServed();
    await edge.accelerator.replace();
    await assertServed();
  });

  it("continues with what it has when a file cannot be written again", { skip }, async () => {
    const { trusted } = acceleratorPaths(path.join(data, "edge-data"));
    writeFileSync(trusted, "");
    fill(data);
    const pid = edge.accelerator.pid();
    await assert.rejects(edge.accelerator.replace(), /ENOSPC/);
    assert.equal(edge.accelerator.pid(), pid);
    await assertServed();
  });
});

/** Whether every thread of it is. */
function isStopped(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) =>
    /^State:\tT/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")),
  );
}

function mount(directory: string): void {
  const options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", directory];
  const { status, stderr } = spawnSync("mount", options, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

let fillers = 0;

/** Until not a byte more is written. */
function fill(directory: string): void {
  fillers += 1;
  const file = path.join(directory, `filler-${fillers}`);
  assert.throws(() => writeFileSync(file, Buffer.alloc(4_194_304)), /ENOSPC/);
}
