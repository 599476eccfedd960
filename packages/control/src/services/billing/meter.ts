import { touchApiKeys } from "../../db/queries/applications/api-keys.ts";
import { addApiCalls, type CallCount } from "../../db/queries/billing/usage.ts";
import { calendarMonth, periodKey } from "../../domain/billing/plan.ts";
import type { KeyActor, WidgetActor } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Counts authenticated calls and the last use of keys in memory, and writes both in batches, so
 * that no request waits for it. A clean stop writes the rest; a killed process loses the last
 * second.
 */
export interface Meter {
  count(actor: KeyActor | WidgetActor): void;
  /** Writes the counts so far; counts that could not be written stay for the next flush. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushEveryMs = 1_000;
/** A key's `last_used_at` is written at most this often. */
const touchEveryMs = 60_000;

export function startMeter(runtime: Runtime): Meter {
  const { clock, database, log } = runtime;
  let calls = new Map<string, CallCount>();
  let uses = new Map<string, Date>();
  const touchedAt = new Map<string, number>();

  const add = (count: CallCount): void => {
    const name = `${count.tenantId}/${count.environment}/${count.period}`;
    const before = calls.get(name)?.amount ?? 0;
    calls.set(name, { ...count, amount: before + count.amount });
  };

  const noteUse = (keyId: string, now: Date): void => {
    if (now.getTime() - (touchedAt.get(keyId) ?? 0) < touchEveryMs) return;
    touchedAt.set(keyId, now.getTime());
    uses.set(keyId, now);
  };

  const writeCalls = async (): Promise<void> => {
    const batch = [...calls.values()];
    if (batch.length === 0) return;
    calls = new Map();
    try {
      await addApiCalls(database, batch);
    } catch (error) {
      for (const count of batch) add(count);
      throw error;
    }
  };

  const writeUses = async (): Promise<void> => {
    if (uses.size === 0) return;
    const batch = uses;
    uses = new Map();
    try {
      await touchApiKeys(database, batch);
    } catch (error) {
      uses = new Map([...batch, ...uses]);
      throw error;
    }
    for (const [keyId, at] of touchedAt) {
      if (clock.now().getTime() - at > touchEveryMs) touchedAt.delete(keyId);
    }
  };

  let running: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    // One flush at a time; a second caller waits for a flush that begins after its call.
    running = running
      .catch(() => undefined)
      .then(writeCalls)
      .then(writeUses);
    return running;
  };

  const timer = setInterval(() => {
    flush().catch((error: unknown) =>
      log.warn({ err: error }, "usage counters not written, will be retried"),
    );
  }, flushEveryMs);
  timer.unref();

  return {
    count(actor) {
      const now = clock.now();
      const { tenantId, environment } = actor;
      add({ tenantId, environment, period: periodKey(calendarMonth(now)), amount: 1 });
      noteUse(actor.keyId, now);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
