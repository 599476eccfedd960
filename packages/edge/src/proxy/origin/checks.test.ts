import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { describe, it, type TestContext } from "node:test";
import { createGuard } from "@mooring/egress";
import { connectTo, parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { shiftClock } from "@mooring/testing/edge/shifted-clock";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const healthCheck = { path: "/up", interval_s: 10, status: 204 };

/** An origin that counts its checks and fails them on request. */
async function checkedOrigin(context: TestContext) {
  const state = { isWell: true, checks: 0, requests: 0, agent: "" };
  const answer: RequestListener = (incoming, response) => {
    if (incoming.url !== "/app/up") {
      state.requests += 1;
      response.end("page");
      return;
    }
    state.checks += 1;
    state.agent = incoming.headers["user-agent"] ?? "";
    response.writeHead(state.isWell ? 204 : 500).end();
  };
  const origin: TestOrigin = await startOrigin(answer);
  context.after(() => origin.close());
  return { url: `${origin.url}/app`, state };
}

async function visit(edge: TestEdge, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    assert.equal(parseStatus(await roundTrip(edge, "a.example", request("a.example"))), 200);
  }
}

describe("active health checks", () => {
  it("take an origin out after two failures, and back after a success", async (context) => {
    const [one, other] = [await checkedOrigin(context), await checkedOrigin(context)];
    const edge = await startTestEdge();
    context.after(() => edge.close());
    const origins = [one, other].map(({ url }) => ({ url, weight: 1 }));
    const settings = { originUrl: one.url, origins };
    edge.hosts.set("a.example", { ...settings, edge: { health_check: healthCheck } });
    const { advance } = shiftClock(context, edge, Number.POSITIVE_INFINITY);
    const nextChecks = async (): Promise<void> => {
      const before = [one.state.checks, other.state.checks];
      await advance(12_000);
      await until(
        () => one.state.checks > (before[0] ?? 0) && other.state.checks > (before[1] ?? 0),
      );
    };
    // Nobody is checked before the first visitor.
    await advance(60_000);
    assert.equal(one.state.checks, 0);
    await visit(edge, 2);
    await nextChecks();
    assert.equal(one.state.agent, "mooring-health-check");
    one.state.isWell = false;
    const isOut = () => edge.warnings.some((fields) => "outMs" in fields);
    await nextChecks();
    assert.ok(!isOut());
    await nextChecks();
    await until(isOut);
    const before = one.state.requests;
    await visit(edge, 6);
    assert.equal(one.state.requests, before);
    one.state.isWell = true;
    await nextChecks();
    await until(async () => {
      await visit(edge, 2);
      return one.state.requests > before;
    });
    // Five minutes after the last visitor they end.
    await advance(301_000);
    edge.hosts.set("idle.example");
    const idle = await connectTo(edge, "idle.example");
    await advance(1_000);
    const { checks } = one.state;
    await advance(30_000);
    assert.equal(idle.readyState, "open");
    assert.equal(one.state.checks, checks);
    idle.destroy();
  });

  it("no longer hold out an origin when they are switched off", async (context) => {
    const [one, other] = [await checkedOrigin(context), await checkedOrigin(context)];
    const edge = await startTestEdge();
    context.after(() => edge.close());
    const origins = [one, other].map(({ url }) => ({ url, weight: 1 }));
    const settings = { originUrl: one.url, origins };
    edge.hosts.set("a.example", { ...settings, edge: { health_check: healthCheck } });
    const { advance } = shiftClock(context, edge, Number.POSITIVE_INFINITY);
    one.state.isWell = false;
    await visit(edge, 1);
    for (const checks of [1, 2]) {
      await advance(12_000);
      await until(() => one.state.checks >= checks);
    }
    await until(() => edge.warnings.some((fields) => "outMs" in fields));
    edge.hosts.set("a.example", settings);
    const before = one.state.requests;
    await visit(edge, 4);
    assert.equal(one.state.requests - before, 2);
  });

  it("never dial what requests may not dial", async (context) => {
    const [one, other] = [await checkedOrigin(context), await checkedOrigin(context)];
    // One of the two names leads to an address that the policy refuses.
    const guard = createGuard({
      allow: ["127.0.0.1/32"],
      lookup: async (name) => [name === "inside.example" ? "10.0.0.1" : "127.0.0.1"],
    });
    const edge = await startTestEdge({ originGuard: guard });
    context.after(() => edge.close());
    const inside = `http://inside.example:${new URL(one.url).port}/app`;
    const outside = `http://outside.example:${new URL(other.url).port}/app`;
    const origins = [inside, outside].map((url) => ({ url, weight: 1 }));
    const health = { health_check: healthCheck };
    edge.hosts.set("a.example", { originUrl: inside, origins, edge: health });
    const { advance } = shiftClock(context, edge, Number.POSITIVE_INFINITY);
    await visit(edge, 4);
    for (const checks of [1, 2, 3]) {
      await advance(12_000);
      await until(() => other.state.checks >= checks);
    }
    assert.deepEqual([one.state.checks, one.state.requests], [0, 0]);
  });
});
