import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, readState, verify } from "@mooring/testing/clients/connecting";
import { call, codeOf } from "@mooring/testing/control/http";
import { type ScriptedDns, SILENCE, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { createNetworkResolver } from "../../../packages/dns/src/index.ts";

const zone = "acme.example";
const minute = 60_000;

describe("a domain with a dead nameserver", () => {
  let life: LifecycleApp;
  let caller: Caller;
  const started: ScriptedDns[] = [];
  let answer = answerFrom([], { soa: zone });

  before(async () => {
    const port = await freePort();
    const servers = ["127.44.0.1", "127.44.0.2", "127.45.0.1", "127.46.0.1"];
    for (const address of servers) {
      const isDead = address === "127.44.0.2";
      const behave = (question: Parameters<typeof answer>[0]) =>
        isDead ? SILENCE : answer(question);
      started.push(await startScriptedDns({ address, port, behave }));
    }
    const resolver = createNetworkResolver({
      resolvers: [`127.45.0.1:${port}`, `127.46.0.1:${port}`],
      authoritativePort: port,
      // Long enough for the servers that answer, on a busy machine too.
      limits: { attemptTimeoutMs: 1_000, udpAttempts: 1 },
    });
    life = await startLifecycle({ resolver });
    caller = await life.caller("Acme", "live");
  });
  after(async () => {
    await life.close();
    await Promise.all(started.map((server) => server.stop()));
  });

  it("is verified after ten minutes, and the timeline names the silent server", async () => {
    const made = await connect(caller, `shop.${zone}`);
    answer = answerFrom(
      [
        ns(zone, `ns1.${zone}`),
        ns(zone, `ns2.${zone}`),
        a(`ns1.${zone}`, "127.44.0.1"),
        a(`ns2.${zone}`, "127.44.0.2"),
        txt(`_service-challenge.${made.hostname}`, made.challenge),
      ],
      { soa: zone },
    );
    const early = await verify(caller, made.id);
    assert.deepEqual([early.status, codeOf(early)], [409, "ownership_not_found"]);
    life.app.clock.advance(9 * minute);
    await verify(caller, made.id);
    assert.equal(await readState(life.session, made.id), "pending_ownership");

    life.app.clock.advance(minute);
    const late = await verify(caller, made.id);
    assert.equal(late.status, 200, late.text);
    const { base, key } = caller;
    const timeline = await call(base, `/v1/connections/${made.id}/events`, { key });
    const entries: unknown = timeline.json()["data"];
    assert.ok(Array.isArray(entries));
    const verified = entries.find((entry) => entry.to_state === "verified");
    assert.deepEqual(verified?.details, { silent_servers: [`ns2.${zone}`] });
    const events = await life.session.query<{ silent: unknown }>(
      "select (body::jsonb)->'data'->'silent_servers' as silent from events where type = 'domain.verified'",
    );
    assert.deepEqual(events.rows, [{ silent: [`ns2.${zone}`] }]);
  });
});
