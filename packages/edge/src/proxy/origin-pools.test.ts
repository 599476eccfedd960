import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGuard } from "@mooring/egress";
import { until } from "../../../../test/support/until.ts";
import { startRawOrigin } from "../../test/support/origin.ts";
import { defaultLimits } from "../config/limits.ts";
import type { OriginConnection, OriginEvents } from "./origin-connection.ts";
import type { OriginTarget } from "./origin-pools.ts";
import { createOriginPools } from "./origin-pools.ts";

/** One request and its answer, after which the connection is idle. */
function roundTrip(connection: OriginConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const nothing = (): void => undefined;
    const events: OriginEvents = {
      ...{ onInform: nothing, onHead: nothing, onOriginDrain: nothing, onSwitch: nothing },
      ...{ cork: nothing, uncork: nothing },
      onData: () => true,
      onEnd: () => resolve(),
      onFail: (failure) => reject(new Error(failure)),
    };
    connection.start("GET", "GET / HTTP/1.1\r\nhost: a.example\r\n\r\n", true, events);
  });
}

describe("connections to an origin", () => {
  it("all stay open between waves of requests, and few once the waves are over", async () => {
    const origin = await startRawOrigin((socket) => {
      socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    });
    const pools = createOriginPools({
      guard: createGuard({ allowPrivate: true }),
      limits: { ...defaultLimits, originIdle: 2 },
      tls: {},
      tlsOf: () => null,
    });
    const target: OriginTarget = {
      ...{ key: "tenant live", host: "127.0.0.1", port: origin.port, isTls: false, tls: null },
      ...{ authority: "127.0.0.1", prefix: "", tenantId: "tenant" },
    };
    const { signal } = new AbortController();
    const wave = await Promise.all(Array.from({ length: 6 }, () => pools.dial(target, signal)));
    await Promise.all(wave.map(roundTrip));
    pools.check(performance.now() + 1_000);
    const next = wave.flatMap(() => pools.idle(target) ?? []);
    assert.equal(new Set(next).size, 6);
    await Promise.all(next.map(roundTrip));
    assert.equal(origin.connections(), 6);
    pools.check(performance.now() + 3_000);
    await until(() => pools.size === 2);
    assert.notEqual(pools.idle(target), null);
    pools.destroy();
    await origin.close();
  });
});
