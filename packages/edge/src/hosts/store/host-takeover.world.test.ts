import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, describe, it } from "node:test";
import { type HostProcess, startHostProcess } from "@mooring/testing/edge/host-process";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type { Log } from "../../config/settings.ts";
import type { Host } from "../host.ts";
import { HostNode } from "./host-node.ts";

function hostOf(hostname: string): Host {
  return {
    hostname,
    epoch: 1,
    environment: "live",
    connectionId: "connection",
    own: null,
    applicationId: "application",
    tenantId: "tenant",
    registrableDomain: "example",
  };
}

/**
 * How long an archived name may be served by a machine whose writing process stands still: eight
 * seconds of a machine that has the time, as the soak runs. A busy one takes longer.
 */
const promisedMs = proofSize(60_000, 8_000);

describe("a process that writes the hosts of a machine and stands still", () => {
  const base = mkdtempSync(path.join(tmpdir(), "mooring-takeover-"));
  const opened: HostNode[] = [];
  const children: HostProcess[] = [];
  const messages: string[] = [];
  const quiet = () => undefined;
  const note = (_fields: object, message: string) => void messages.push(message);
  const log: Log = { debug: quiet, info: quiet, warn: note, error: note };
  afterEach(() => {
    for (const node of opened.splice(0)) node.close();
    for (const one of children.splice(0)) one.process.kill("SIGKILL");
    messages.length = 0;
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  /**
   * A process of the machine that has the names of the feed, which no longer has
   * `archived.example`.
   */
  function open(directory: string): { readonly node: HostNode; readonly removed: string[] } {
    const fill = async (): Promise<void> => {
      node.beginRound();
      for (const hostname of ["first.example", "after.example"]) {
        node.write([{ hostname, host: hostOf(hostname) }]);
      }
      await node.endRound();
      await node.confirm(new Date(), "position");
    };
    const node = new HostNode({
      clock: { now: () => new Date() },
      endsByAge: false,
      log,
      onWriting: () => void setImmediate(() => void fill().catch(quiet)),
    });
    const removed: string[] = [];
    node.view.onRemoved((name) => removed.push(name));
    node.open(directory);
    opened.push(node);
    return { node, removed };
  }

  /** One process writes and has `archived.example`; another serves it, too. */
  async function two(name: string) {
    const directory = path.join(base, name);
    const writer = await startHostProcess(directory);
    children.push(writer);
    await until(async () => (await writer.ask("first.example")) === "1", "its hosts");
    assert.equal(await writer.ask("+archived.example"), "1");
    const { node, removed } = open(directory);
    await until(() => node.view.get("archived.example") !== null);
    assert.equal(node.isWriter(), false);
    return { folder: path.join(directory, "known-hosts"), writer, node, removed };
  }

  /** As Debian's own SQLite reads them from the store that is current. */
  function storedIn(folder: string): readonly string[] {
    const number = readFileSync(path.join(folder, "current"), "utf8");
    const file = path.join(folder, `${number}.sqlite`);
    const statement = "pragma integrity_check; select hostname from hosts order by hostname";
    const text = String(execFileSync("/usr/bin/sqlite3", ["-readonly", file, statement]));
    return text.trim().split("\n");
  }

  it("is followed by another within seconds, writes nothing when it continues, and reads", async (t) => {
    const { folder, writer, node, removed } = await two("stopped");
    const stoppedAt = performance.now();
    writer.process.kill("SIGSTOP");
    await until(() => node.view.get("archived.example") === null, "it is refused", promisedMs);
    t.diagnostic(`refused ${Math.round(performance.now() - stoppedAt)} ms after the stop`);
    assert.deepEqual(removed, ["archived.example"]);
    assert.ok(node.isWriter());
    assert.equal(node.takeovers(), 1);
    assert.deepEqual(messages, ["host store taken over from a process that stands still"]);

    // What it was about to write when it stopped.
    const late = writer.ask("+late.example");
    writer.process.kill("SIGCONT");
    assert.match(await late, /another process writes the hosts/);
    await until(async () => (await writer.ask("archived.example")) === "null", "it reads");
    assert.equal(await writer.ask("after.example"), "1");
    node.write([{ hostname: "new.example", host: hostOf("new.example") }]);
    await until(async () => (await writer.ask("new.example")) === "1", "what is written now");
    assert.deepEqual(storedIn(folder), ["ok", "after.example", "first.example", "new.example"]);
    assert.equal(readFileSync(path.join(folder, "current"), "utf8"), "1", "the same store");

    // It continues when the other one ends, as any process of the machine.
    opened.splice(opened.indexOf(node), 1)[0]?.close();
    await until(async () => (await writer.ask("after.example")) === "null", "its own feed");
    assert.equal(await writer.ask("+again.example"), "1");
    assert.deepEqual(storedIn(folder), ["ok", "again.example", "first.example"]);
  });

  it("is followed with another store when it stood still in the middle of a write", async () => {
    const { folder, writer, node, removed } = await two("in a write");
    const written = writer.ask("!");
    await until(() => node.view.get("archived.example") === null, "it is refused", promisedMs);
    assert.deepEqual(removed, ["archived.example"]);
    assert.equal(readFileSync(path.join(folder, "current"), "utf8"), "2");
    writer.process.kill("SIGCONT");
    assert.equal(await written, "written");
    await until(async () => (await writer.ask("after.example")) === "1", "the other store");
    assert.equal(await writer.ask("archived.example"), "null");
    assert.match(await writer.ask("+late.example"), /another process writes the hosts/);
    assert.deepEqual(storedIn(folder), ["ok", "after.example", "first.example"]);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith("1.sqlite")));
  });

  it("is not taken for one that stands still while it works", async () => {
    const { writer, node } = await two("at work");
    // Longer than the silence of one that stands still.
    const enoughAt = performance.now() + 5_000;
    await until(() => performance.now() > enoughAt, "some seconds", 10_000);
    assert.equal(node.isWriter(), false);
    assert.equal(await writer.ask("+more.example"), "1");
    assert.equal(node.takeovers(), 0);
  });
});
