import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGuard } from "@mooring/egress";
import { startRawOrigin } from "@mooring/testing/edge/origin";
import { until } from "@mooring/testing/processes/until";
import { defaultLimits } from "../../config/limits.ts";
import type { Host } from "../../hosts/host.ts";
import { parseRequestHead } from "../../http/request-head.ts";
import type { OriginEvents, OriginExchange } from "./exchange.ts";
import { createOriginPools } from "./pools.ts";
import type { OriginTarget } from "./target.ts";

/** One request and its answer, after which the connection is idle. */
function roundTrip(origin: OriginExchange, target: OriginTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const nothing = (): void => undefined;
    const events: OriginEvents = {
      onInform: () => true,
      onHead: nothing,
      onOriginDrain: nothing,
      onSwitch: nothing,
      cork: nothing,
      uncork: nothing,
      onData: () => true,
      onEnd: () => resolve(),
      onFail: (failure) => reject(new Error(failure)),
    };
    const bytes = Buffer.from("GET / HTTP/1.1\r\nhost: a.example");
    const head = parseRequestHead(bytes, { start: 0, end: bytes.length }, 10);
    assert.ok("method" in head);
    const client = { address: "127.0.0.1", forwardedFor: "127.0.0.1", forwarded: null };
    const about = {
      path: "/",
      originHostHeader: "preserve" as const,
      assertion: null,
      connectionId: null,
      loopId: "test",
      webSocketKey: null,
    };
    origin.start(head, { host: testHost, target, client, ...about }, events);
  });
}

const testHost: Host = {
  hostname: "a.example",
  epoch: 1,
  environment: "test",
  connectionId: "connection",
  applicationId: "application",
  tenantId: "tenant",
  registrableDomain: "a.example",
  own: null,
};

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
      key: "tenant live",
      host: "127.0.0.1",
      port: origin.port,
      isTls: false,
      isH2c: false,
      tls: null,
      authority: "127.0.0.1",
      prefix: "",
      tenantId: "tenant",
      applicationId: "application",
    };
    const { signal } = new AbortController();
    const wave = await Promise.all(
      Array.from({ length: 6 }, () => pools.dial(target, signal, false)),
    );
    await Promise.all(wave.map((one) => roundTrip(one, target)));
    pools.check(performance.now() + 1_000);
    const next = wave.flatMap(() => pools.idle(target) ?? []);
    assert.equal(new Set(next).size, 6);
    await Promise.all(next.map((one) => roundTrip(one, target)));
    assert.equal(origin.connections(), 6);
    pools.check(performance.now() + 3_000);
    await until(() => pools.size === 2);
    assert.notEqual(pools.idle(target), null);
    pools.destroy();
    await origin.close();
  });
});
