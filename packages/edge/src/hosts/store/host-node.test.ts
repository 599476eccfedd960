import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, afterEach, describe, it } from "node:test";
import { createNameFilter, readNameFilter } from "@mooring/dns/lookup";
import { type HostProcess, startHostProcess } from "@mooring/testing/edge/host-process";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type { Log } from "../../config/settings.ts";
import type { Host } from "../host.ts";
import { HostNode } from "./host-node.ts";

const applicationId = "0190a0c0-0002-7000-8000-000000000001";
const application = {
  id: applicationId,
  tenantId: "tenant",
  environment: "live" as const,
  originUrl: "https://origin.example/ü",
  originHostHeader: "preserve" as const,
};

function hostOf(hostname: string, epoch = 1): Host {
  return {
    hostname,
    epoch,
    environment: "live",
    applicationId,
    tenantId: "tenant",
    own: null,
    connectionId: `connection of ${hostname}`,
    registrableDomain: "example",
  };
}

/** Random names of 1 to 40 characters, as a table of them. */
function randomNames(count: number): readonly string[] {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  return Array.from({ length: count }, (_, index) => {
    const bytes = randomBytes(1 + (index % 40));
    return `${[...bytes].map((byte) => alphabet[byte % alphabet.length]).join("")}.${index.toString(36)}`;
  });
}

describe("the filter of names", () => {
  const count = proofSize(100_000, 2_000_000);

  it(`denies none of ${count} random names, also after it was stored, and most others`, (t) => {
    const names = randomNames(count);
    const filter = createNameFilter(count);
    for (const name of names) filter.add(name);
    const stored = readNameFilter(filter.toBytes());
    for (const one of [filter, stored]) {
      assert.deepEqual(
        names.filter((name) => !one.mayHave(name)),
        [],
      );
    }
    const others = Array.from({ length: count }, (_, index) => `x${index}.unknown.example`);
    const passed = others.filter((name) => filter.mayHave(name)).length;
    const bits = (filter.toBytes().length * 8) / count;
    const share = (100 * passed) / count;
    t.diagnostic(`${bits.toFixed(1)} bits a name, ${share.toFixed(2)} % of other names pass`);
    assert.ok(share < 0.5, `${share} %`);
  });
});

describe("the hosts of a machine", () => {
  const base = mkdtempSync(path.join(tmpdir(), "mooring-node-"));
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

  /** A process of the machine whose feed has these names. */
  function open(
    directory: string,
    names: readonly string[],
    pagesMost?: number,
  ): { readonly node: HostNode; readonly removed: string[] } {
    const fill = async (): Promise<void> => {
      node.beginRound();
      node.write([{ applicationId, application }]);
      node.write(names.map((hostname) => ({ hostname, host: hostOf(hostname) })));
      await node.endRound();
      await node.confirm(new Date(), "position");
    };
    const node = new HostNode({
      clock: { now: () => new Date() },
      endsByAge: false,
      log,
      ...(pagesMost === undefined ? {} : { pagesMost }),
      // A failed attempt is repeated by the node itself, with another store.
      onWriting: () => void setImmediate(() => void fill().catch(quiet)),
    });
    const removed: string[] = [];
    node.view.onRemoved((name) => removed.push(name));
    node.open(directory);
    opened.push(node);
    return { node, removed };
  }

  const namesOf = (zone: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `n${index}.${zone}.example`);
  const served = (node: HostNode, names: readonly string[]): boolean =>
    names.every((name) => node.view.get(name)?.hostname === name);
  const ended = (node: HostNode): void => opened.splice(opened.indexOf(node), 1)[0]?.close();

  it("are found exactly, by name and by wildcard; a name that passes the filter is not enough", async () => {
    const names = [...namesOf("exact", 2_000), "*.wild.example", "own.wild.example"];
    const { node } = open(path.join(base, "exact"), names);
    await until(() => served(node, names));
    const { view } = node;
    assert.deepEqual(view.get("own.wild.example"), hostOf("own.wild.example"));
    assert.equal(view.find("own.wild.example")?.coveredBy, undefined);
    assert.equal(view.find("other.wild.example")?.coveredBy?.hostname, "*.wild.example");
    assert.equal(view.find("own.wild.example"), view.find("own.wild.example"));
    const filter = view.filter();
    assert.ok(filter);
    // Of these the filter lets some pass.
    const passing = "passes.example";
    filter.add(passing);
    assert.ok(filter.mayHave(passing));
    assert.equal(view.get(passing), null);
    const found = view.get("n1.exact.example");
    assert.ok(found);
    assert.equal(view.applicationOf(found)?.originUrl, application.originUrl);
    // The exact claim beats the wildcard at once, and gives the name back to it.
    node.write([{ hostname: "other.wild.example", host: hostOf("other.wild.example", 7) }]);
    assert.equal(view.find("other.wild.example")?.epoch, 7);
    node.write([{ hostname: "other.wild.example", host: null }]);
    assert.equal(view.find("other.wild.example")?.epoch, 1);
  });

  it("outgrow their filter, which is made again for all processes", async () => {
    const directory = path.join(base, "growing");
    const { node } = open(directory, namesOf("old", 100));
    await until(() => node.view.isServing());
    const { node: reader } = open(directory, []);
    await until(() => reader.view.isServing());
    assert.equal(reader.isWriter(), false);
    const capacity = node.view.filter()?.capacity ?? 0;
    const many = namesOf("new", capacity);
    for (let at = 0; at < many.length; at += 500) {
      const some = many.slice(at, at + 500);
      node.write(some.map((hostname) => ({ hostname, host: hostOf(hostname) })));
      assert.ok(served(node, some));
    }
    for (const one of [node, reader]) {
      await until(() => (one.view.filter()?.capacity ?? 0) > capacity, "a larger filter");
      await until(() => served(one, many), "all names");
    }
    // A third connection finds the file sound while both use it.
    const file = path.join(directory, "known-hosts", "1.sqlite");
    const stored = new DatabaseSync(file, { readOnly: true });
    assert.deepEqual(Object.values(stored.prepare("pragma integrity_check").get() ?? {}), ["ok"]);
    const { count } = stored.prepare("select count(*) as count from hosts").get() ?? {};
    assert.equal(count, many.length + 100);
    stored.close();
    // And one that starts from disk has them, too.
    for (const one of [reader, node]) ended(one);
    const { node: next } = open(directory, []);
    assert.ok(served(next, [...many, ...namesOf("old", 100)]));
  });

  const damages: Readonly<Record<string, (file: string, name: string) => void>> = {
    "a byte of a row": (file, name) => {
      const bytes = readFileSync(file);
      const at = bytes.indexOf(`connection of ${name}`);
      assert.ok(at > 0);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    "the beginning of the file": (file) => {
      const bytes = readFileSync(file);
      bytes.fill(0x55, 0, 64);
      writeFileSync(file, bytes);
    },
    "the end of the file": (file) => truncateSync(file, 8_192),
    "a row that is gone": (file, name) =>
      changed(file, `delete from hosts where hostname = '${name}'`),
    "the state": (file) => changed(file, "update state set value = replace(value, '1', '2')"),
    "the filter": (file) => changed(file, "update filter set bytes = zeroblob(length(bytes))"),
    "the number of its version": (file) => changed(file, "pragma user_version = 99"),
  };

  function changed(file: string, statement: string): void {
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
  }

  for (const [what, damage] of Object.entries(damages)) {
    it(`are set aside and read again when the store is damaged: ${what}`, async () => {
      const directory = path.join(base, `damaged ${what}`);
      const names = namesOf("damaged", 1_500);
      const first = open(directory, names);
      await until(() => served(first.node, names));
      ended(first.node);
      const folder = path.join(directory, "known-hosts");
      damage(path.join(folder, "1.sqlite"), "n700.damaged.example");
      const { node } = open(directory, names);
      // As long as it is not right it is not served.
      const before = node.view.get("n700.damaged.example");
      assert.ok(before === null || before.connectionId === "connection of n700.damaged.example");
      await until(
        () => readFileSync(path.join(folder, "current"), "utf8") === "2",
        "another store",
      );
      assert.ok(served(node, names));
      assert.ok(messages.includes("host store is damaged and set aside"));
      assert.ok(existsSync(path.join(folder, "damaged.sqlite")));
      assert.ok(!readdirSync(folder).some((name) => name.startsWith("1.sqlite")));
    });
  }

  it("are repaired by the process that writes, when another one finds damage", async () => {
    const directory = path.join(base, "reported");
    const names = namesOf("reported", 3_000);
    const { node: writer } = open(directory, names);
    await until(() => served(writer, names.slice(0, 10)));
    const { node: reader } = open(directory, []);
    await until(() => reader.view.isServing());
    changed(
      path.join(directory, "known-hosts", "1.sqlite"),
      "update hosts set checksum = 1 where hostname = 'n2999.reported.example'",
    );
    assert.equal(reader.view.get("n2999.reported.example"), null);
    await until(() => served(reader, names), "the reader has another store");
    assert.ok(served(writer, names));
    assert.equal(reader.isWriter(), false);
  });

  it("are held in memory when the disk is full, from the start or later, and follow changes", async () => {
    const names = namesOf("full", 3_000);
    for (const [kind, pages, most] of [
      ["from the start", 20, 3_000],
      ["later", 80, 1_000],
    ] as const) {
      messages.length = 0;
      const directory = path.join(base, `full ${kind}`);
      const some = names.slice(0, most);
      const { node } = open(directory, some, pages);
      await until(() => served(node, some), kind);
      assert.equal(node.isInMemory(), kind === "from the start");
      if (kind === "later") {
        const more = names.map((hostname) => ({ hostname, host: hostOf(hostname, 2) }));
        assert.throws(() => node.write(more));
        // All that was there is served while it is read into memory.
        assert.ok(served(node, some));
      }
      await until(() => node.isInMemory() && (node.state()?.isWhole ?? false));
      await until(() => served(node, some));
      assert.deepEqual(messages, ["host store not written, hosts are held in memory"]);
      node.write([{ hostname: "n1.full.example", host: null }]);
      await until(() => node.view.get("n1.full.example") === null);
      ended(node);
    }
  });

  it("are held in memory when the directory cannot be used", async () => {
    const directory = path.join(base, "file");
    mkdirSync(directory);
    writeFileSync(path.join(directory, "known-hosts"), "not a directory");
    const names = namesOf("memory", 10);
    const { node } = open(directory, names);
    await until(() => served(node, names));
    assert.ok(node.isInMemory());
    assert.deepEqual(messages, ["host store not written, hosts are held in memory"]);
  });

  async function startProcess(directory: string): Promise<HostProcess> {
    const started = await startHostProcess(directory);
    children.push(started);
    return started;
  }

  it("are the same in two processes, and the other one writes when the first is killed", async () => {
    const directory = path.join(base, "processes");
    const writer = await startProcess(directory);
    await until(async () => (await writer.ask("first.example")) === "1");
    const { node, removed } = open(directory, ["first.example", "after.example"]);
    assert.equal(node.isWriter(), false);
    await until(() => node.view.get("first.example") !== null);
    await writer.ask("+added.example");
    await until(() => node.view.get("added.example") !== null, "what the other process adds");
    await writer.ask("-added.example");
    await until(() => node.view.get("added.example") === null, "what it removes");
    assert.deepEqual(removed, ["added.example"]);
    const exited = once(writer.process, "exit");
    writer.process.kill("SIGKILL");
    await exited;
    assert.notEqual(node.view.get("first.example"), null);
    await until(() => node.isWriter(), "this one writes");
    await until(() => node.view.get("after.example") !== null, "what its feed has");
    const again = await startProcess(directory);
    assert.equal(await again.ask("after.example"), "1");
  });
});
