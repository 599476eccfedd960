import assert from "node:assert/strict";
import { ProviderError } from "../../src/providers/adapter/errors.ts";
import { type Case, create, keys, makePlan, reachBackend, rec } from "./case-context.ts";
import { isKind } from "./reading-cases.ts";

/** More than any client may try in one call. */
const everyAttempt = 50;

export const failingCases: readonly Case[] = [
  {
    name: "reports a wrong credential as auth and does not repeat it",
    run: async ({ adapter, backend, signal, pauses }) => {
      const provider = adapter.open(backend.wrongCredentials, reachBackend(backend));
      const secrets = adapter.manifest.credentialFields.flatMap(({ key, secret }) =>
        secret ? (backend.wrongCredentials[key] ?? []) : [],
      );
      await assert.rejects(provider.listZones(signal), (error) => {
        isKind("auth")(error);
        const shown = `${String(error)} ${JSON.stringify(error)}`;
        for (const secret of secrets)
          assert.ok(!shown.includes(secret), "a secret is in the message");
        return true;
      });
      assert.deepEqual(pauses, []);
    },
  },
  {
    name: "waits as long as the provider asks, then retries",
    run: async ({ backend, provider, signal, pauses }) => {
      backend.fail({ kind: "throttle", retryAfterSeconds: 2 }, 1);
      assert.ok((await provider.listZones(signal)).length > 0);
      assert.deepEqual(pauses, [2_000]);
    },
  },
  {
    name: "hands a long wait to the caller instead of waiting",
    run: async ({ backend, provider, signal, pauses }) => {
      backend.fail({ kind: "throttle", retryAfterSeconds: 120 }, everyAttempt);
      await assert.rejects(provider.listZones(signal), (error) => {
        isKind("rate_limited")(error);
        assert.equal(error instanceof ProviderError ? error.retryAfterSeconds : 0, 120);
        return true;
      });
      assert.deepEqual(pauses, []);
    },
  },
  {
    name: "gives up on persistent throttling as rate_limited",
    run: async ({ backend, provider, signal }) => {
      backend.fail({ kind: "throttle", retryAfterSeconds: 1 }, everyAttempt);
      await assert.rejects(provider.listZones(signal), isKind("rate_limited"));
    },
  },
  {
    name: "reads on after one server error and reports persistent ones as unavailable",
    run: async ({ backend, provider, signal, list, initialRecords }) => {
      backend.fail({ kind: "error" }, 1);
      assert.deepEqual(keys((await list()).records), keys(initialRecords));
      backend.fail({ kind: "error" }, everyAttempt);
      await assert.rejects(provider.listZones(signal), isKind("unavailable"));
    },
  },
  {
    name: "takes an answer that is cut short for no answer",
    run: async ({ backend, provider, find, zone, signal }) => {
      const found = await find(zone);
      backend.fail({ kind: "truncate" }, everyAttempt);
      await assert.rejects(provider.listRecords(found, signal), isKind("unavailable"));
    },
  },
  {
    name: "gives up on a provider that does not answer",
    run: async ({ backend, adapter, signal }) => {
      const impatient = adapter.open(backend.credentials, {
        ...reachBackend(backend),
        wait: async () => undefined,
        timeoutMs: 60,
      });
      backend.fail({ kind: "hang" }, everyAttempt);
      await assert.rejects(impatient.listZones(signal), isKind("unavailable"));
    },
  },
  {
    name: "stops at once when it is cancelled, and writes nothing",
    run: async ({ backend, provider, find, zone, expect, initialRecords }) => {
      const found = await find(zone);
      const controller = new AbortController();
      backend.fail({ kind: "hang" }, everyAttempt);
      const plan = makePlan(zone, [create(rec("late", "A", "192.0.2.1"))]);
      const pending = provider.apply(found, plan, controller.signal);
      const reason = new Error("cancelled by the test");
      await Promise.all([
        assert.rejects(pending, (error) => error === reason),
        backend.untilHanging().then(() => controller.abort(reason)),
      ]);
      backend.fail({ kind: "hang" }, 0);
      await expect(initialRecords);
    },
  },
];
