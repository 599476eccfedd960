import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ProviderError } from "@mooring/dns";
import { openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { createProviderLine, createProviderTraffic } from "./traffic.ts";
import { withZone } from "./zone-lease.ts";

const { signal } = new AbortController();
/** Calls are sent in half of it: long enough for a busy machine to extend it in time. */
const leaseMs = 5_000;

/** A zone whose provider counts the calls that it gets. */
function zoneNamed(name: string, realm = "powerdns https://pdns.example.net") {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return new Response();
  };
  const egress = {
    fetch,
    fetchWith: () => fetch,
    dial: () => Promise.reject(new Error("nothing is dialled")),
  };
  const line = createProviderLine(createProviderTraffic(), egress, name, null);
  return {
    target: { realm, line, zone: { id: name, name, nameservers: [] } },
    send: () => line.fetch("https://provider.example.net/", { signal }),
    sent: () => sent,
  };
}

const isShut = (error: unknown) =>
  error instanceof ProviderError && /Another writer/.test(error.message);

describe("a zone's lease", () => {
  let app: TestApp;
  let session: pg.Client;
  before(async () => {
    app = await startTestApp();
    session = await openSession(app.databaseUrl);
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  const leasedUntil = async (zone: string): Promise<number> => {
    const { rows } = await session.query<{ at: Date }>(
      "select leased_until as at from zone_leases where zone = $1",
      [zone],
    );
    return rows[0]?.at.getTime() ?? 0;
  };

  it("does not affect a zone of the same name at another server", async () => {
    const [ours, theirs] = [zoneNamed("two.example"), zoneNamed("two.example", "powerdns other")];
    const wait = { timeoutMs: 0, signal };
    const result = await withZone(app.operator, theirs.target, wait, () =>
      withZone(app.operator, ours.target, wait, async () => "in"),
    );
    assert.equal(result, "in");
  });

  it("admits one writer at a time, and the next when the first is done", async () => {
    const zone = zoneNamed("one.example");
    const wait = { timeoutMs: 0, signal };
    const result = await withZone(app.operator, zone.target, wait, async () => {
      const second = await withZone(app.operator, zone.target, wait, async () => "in");
      assert.equal(second, null);
      return "done";
    });
    assert.equal(result, "done");
    assert.equal(await withZone(app.operator, zone.target, wait, async () => "in"), "in");
  });

  it("is released when the work fails", async () => {
    const { target } = zoneNamed("fails.example");
    const wait = { timeoutMs: 0, signal };
    const failure = new Error("no");
    await assert.rejects(
      withZone(app.operator, target, wait, () => Promise.reject(failure)),
      failure,
    );
    assert.equal(await leasedUntil("fails.example"), 0);
  });

  it("is extended while the work runs, and lets it send", async () => {
    const zone = zoneNamed("long.example");
    await withZone(app.operator, zone.target, { timeoutMs: 0, signal, leaseMs }, async () => {
      const first = await leasedUntil("long.example");
      await until(async () => {
        await zone.send();
        return (await leasedUntil("long.example")) > first + leaseMs;
      }, "a lease later");
    });
    assert.equal(await leasedUntil("long.example"), 0);
  });

  it("blocks the first writer's calls when another has taken it", async () => {
    const zone = zoneNamed("taken.example");
    const thief = "00000000-0000-4000-8000-000000000001";
    await withZone(app.operator, zone.target, { timeoutMs: 0, signal, leaseMs }, async () => {
      await zone.send();
      await session.query(
        "update zone_leases set owner = $1, leased_until = now() + interval '1 hour' where zone = 'taken.example'",
        [thief],
      );
      await until(() => zone.send().then(() => false, isShut), "the line shut");
    });
    const { rows } = await session.query("select owner from zone_leases where owner = $1", [thief]);
    assert.equal(rows.length, 1);
  });

  it("blocks calls when it expired while the process was suspended", async () => {
    const zone = zoneNamed("frozen.example");
    await withZone(app.operator, zone.target, { timeoutMs: 0, signal, leaseMs }, async () => {
      await zone.send();
      // Blocks the event loop, as when the machine is suspended.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leaseMs);
      await assert.rejects(zone.send(), isShut);
    });
    assert.equal(zone.sent(), 1);
  });
});
