import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { openVisit, openVisitH2, visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
  testedHaproxy,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { connectTo, readUntil } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { inTime, until } from "@mooring/testing/processes/until";

const own = (name: string) => ({
  connectionId: `0198c0de-0000-7000-8000-${name.padStart(12, "0")}`,
});

/** Sends the first half of its answer, and the other when it is asked to. */
async function startHalvingOrigin() {
  let finish = (): void => undefined;
  const origin = await startRawOrigin((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfirst");
      finish = () => socket.end("other");
    });
  });
  return { ...origin, finish: () => finish() };
}

describe("a HAProxy that is replaced", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-haproxy-"));
  const program = path.join(directory, "haproxy");
  /** What a package manager would install. */
  const install = (script: string): void => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
  };
  const works = `exec ${testedHaproxy} "$@"`;
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  before(async () => {
    install(works);
    origin = await startOrigin();
    edge = await startAcceleratedEdge({ program, hasHttp3: false, drainMs: 10_000 });
    edge.hosts.set("quiet.example", { originUrl: origin.url, ...own("1") });
    edge.hosts.set("busy.example", { originUrl: origin.url, ...own("2") });
  });
  after(async () => {
    await edge?.close();
    await origin.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const ca = (): string => edge.authority.certificatePem;
  const sockets = (): readonly string[] =>
    readdirSync(path.join(edge.directory, "edge", "accelerator")).filter((name) =>
      /^(admin|web)-/.test(name),
    );

  it("completes what it has begun, and leaves the port and the names to its successor", async (t) => {
    const halving = await startHalvingOrigin();
    t.after(() => halving.close());
    edge.hosts.set("halves.example", { originUrl: halving.url, ...own("3") });
    await edge.promote("busy.example");
    await edge.promote("halves.example");
    const download = await connectTo(edge, "halves.example");
    const begun = readUntil(download, (text) => text.endsWith("first"));
    const whole = readUntil(download, (text) => text.endsWith("firstother"));
    download.write("GET / HTTP/1.1\r\nHost: halves.example\r\n\r\n");
    await begun;
    const open = [
      await openVisit(edge.httpsPort, "quiet.example", ca()),
      await openVisit(edge.httpsPort, "busy.example", ca()),
      await openVisitH2(edge.httpsPort, "busy.example", ca()),
    ];
    for (const one of open) assert.equal(await one.get(), 200);

    const pid = edge.accelerator.pid();
    await edge.accelerator.replace();
    assert.notEqual(edge.accelerator.pid(), pid);
    assert.equal(sockets().length, 4);
    for (const name of ["quiet.example", "busy.example"]) {
      assert.equal((await visit(edge.httpsPort, name, ca())).status, 200);
    }
    for (const one of open) assert.equal(await one.get(), 200);
    halving.finish();
    assert.match(await inTime(whole, "the rest of the answer"), /firstother$/);
    for (const one of [...open, { close: () => download.destroy() }]) one.close();
    await until(() => sockets().length === 2, "the end of the one before");
    await until(() => edge.promotion.isPromoted("busy.example"), "the promotion again");
    const served = await edge.served();
    await until(async () => {
      assert.equal((await visit(edge.httpsPort, "busy.example", ca())).status, 200);
      return (await edge.served()) > served;
    }, "requests served by the successor");
    assert.equal(edge.accelerator.restarts(), 0);
  });

  it("completes no answer whose claim ends meanwhile", async (t) => {
    const halving = await startHalvingOrigin();
    t.after(() => halving.close());
    edge.hosts.set("leaving.example", { originUrl: halving.url, ...own("4") });
    edge.hosts.set("staying.example", { originUrl: halving.url, ...own("5") });
    const downloads = [];
    for (const name of ["leaving.example", "staying.example"]) {
      await edge.promote(name);
      const socket = await connectTo(edge, name);
      const begun = readUntil(socket, (text) => text.endsWith("first"));
      socket.write(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
      await begun;
      downloads.push(socket);
    }
    const idle = await openVisit(edge.httpsPort, "leaving.example", ca());
    await edge.accelerator.replace();
    const [left, stays] = downloads;
    assert.ok(left !== undefined && stays !== undefined);
    assert.equal(left.destroyed, false);
    edge.hosts.delete("leaving.example");
    edge.promotion.removed("leaving.example");
    await until(() => left.destroyed, "the answer in flight cut", 2_000);
    const status = await idle.get();
    assert.ok(status === 421 || status === null, String(status));
    await assert.rejects(visit(edge.httpsPort, "leaving.example", ca()));
    const whole = readUntil(stays, (text) => text.endsWith("other"));
    halving.finish();
    await inTime(whole, "the rest of the answer");
    for (const one of [left, stays]) one.destroy();
    idle.close();
    await until(() => sockets().length === 2, "the end of the one before");
  });

  it("continues when its successor does not start, which says why", async () => {
    await edge.promote("busy.example");
    const pid = edge.accelerator.pid();
    const open = await openVisit(edge.httpsPort, "busy.example", ca());
    const broken = `test "$1" = -vv && ${works}; echo "this one is broken" >&2; exit 1`;
    for (const [script, reason] of [
      [broken, /this one is broken/],
      ["exit 1", /not installed/],
    ] as const) {
      install(script);
      await assert.rejects(edge.accelerator.replace(), reason);
      assert.equal(edge.accelerator.pid(), pid);
    }
    assert.equal(await open.get(), 200);
    assert.ok(edge.promotion.isPromoted("busy.example"));
    assert.equal(sockets().length, 2);
    open.close();
    install(works);
    await edge.accelerator.replace();
    assert.notEqual(edge.accelerator.pid(), pid);
  });

  it("is started again after kill -9, while visitors wait and none is refused", async (t) => {
    for (let round = 0; round < 3; round += 1) {
      const pid = edge.accelerator.pid();
      assert.ok(pid !== null);
      process.kill(pid, "SIGKILL");
      const killedAt = performance.now();
      const visits = ["quiet.example", "busy.example", "quiet.example"].map((name) =>
        visit(edge.httpsPort, name, ca()),
      );
      const pages = await inTime(Promise.all(visits), "the pages");
      t.diagnostic(`served again after ${Math.round(performance.now() - killedAt)} ms`);
      assert.deepEqual(
        pages.map(({ status }) => status),
        [200, 200, 200],
      );
      await until(() => edge.accelerator.pid() !== null, "the restart");
      assert.equal(edge.accelerator.restarts(), round + 1);
    }
    await edge.promote("busy.example");
  });
});
