import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Actor, scopes } from "../domain/tenancy.ts";
import { type OpenedRuntime, openRuntime } from "../process/open-runtime.ts";
import { createContext, type ServiceContext } from "./context.ts";
import { once, type Rendering } from "./idempotency.ts";

describe("once", () => {
  let app: TestApp;
  let opened: OpenedRuntime;
  let actor: Actor;
  before(async () => {
    app = await startTestApp();
    const { tenant } = await app.tenant("Acme");
    actor = {
      kind: "key",
      role: null,
      tenantId: tenant.id,
      environment: "test",
      keyId: randomUUID(),
      applicationId: randomUUID(),
      scopes,
      isSuspended: false,
    };
    const { config, databaseUrl: url, clock } = app;
    opened = await openRuntime(config, { url, role: "mooring_api", name: "api", clock });
  });
  after(async () => {
    await opened.close();
    await app.close();
  });

  const rendering: Rendering<string> = {
    result: (body) => ({ status: 200, body }),
    error: () => null,
  };

  function request(key: string) {
    return { route: "POST /v1/things", actor: "key", key, fingerprint: Buffer.from(key) };
  }

  it("gives the verb the caller's signal, whose timer starts at its first use", async (context) => {
    const { mock } = context.mock.method(AbortSignal, "timeout");
    const ctx = createContext(opened.runtime, actor, 60_000);
    const unused = await once(ctx, request("unused"), rendering, (inner) =>
      inner.write(async () => "done"),
    );
    assert.deepEqual(unused, { status: 200, body: "done", replayed: false });
    assert.equal(mock.callCount(), 0);
    await once(ctx, request("used"), rendering, async (inner) => {
      assert.equal(inner.signal, ctx.signal);
      assert.equal(inner.signal, inner.signal);
      return inner.write(async () => "done");
    });
    assert.equal(mock.callCount(), 1);
  });

  it("gives the verb everything else of the caller's context, with a write that stores the reply", async () => {
    const ctx = createContext(opened.runtime, actor, 60_000);
    const verb = (inner: ServiceContext) => {
      const { runtime, actor: caller, now, read } = inner;
      assert.deepEqual(
        [runtime === ctx.runtime, caller === ctx.actor, now === ctx.now, read === ctx.read],
        [true, true, true, true],
      );
      return inner.write(async () => "first");
    };
    await once(ctx, request("stored"), rendering, verb);
    const again = await once(ctx, request("stored"), rendering, () => assert.fail("ran twice"));
    assert.deepEqual(again, { status: 200, body: "first", replayed: true });
  });
});
