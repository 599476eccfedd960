import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { type RunningWorkers, startWorker } from "../../../../control/src/process/start-worker.ts";
import { startTestApp, type TestApp } from "../app.ts";
import { type Answer, call, textOf } from "../http.ts";

/** An endpoint with the secret from the reply that created it. */
export interface MadeEndpoint {
  readonly id: string;
  readonly secret: string;
}

export interface ListedDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly error: string | null;
    readonly response_excerpt: string | null;
  }[];
}

/** An API and a worker that may reach local receivers, and one tenant's application in it. */
export interface WebhookApp {
  readonly app: TestApp;
  readonly key: string;
  readonly applicationId: string;
  readonly session: pg.Client;
  call(path: string, options?: { method?: string; body?: unknown; key?: string }): Promise<Answer>;
  endpoint(url: string, events?: readonly string[]): Promise<MadeEndpoint>;
  /** Emits a `domain.added` event by creating a connection; returns the connection's id. */
  emitEvent(): Promise<string>;
  deliveries(endpointId: string): Promise<readonly ListedDelivery[]>;
  /** Advances the clock and wakes the worker. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startWebhookApp(
  hasWorker = true,
  settings: Readonly<Record<string, string>> = {},
): Promise<WebhookApp> {
  const app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: "true", ...settings });
  const { clock } = app;
  const worker: RunningWorkers | null = hasWorker
    ? await startWorker(app.config, { clock, log: app.operator.log })
    : null;
  const session = new pg.Client({ connectionString: app.databaseUrl });
  await session.connect();
  const owner = await app.tenant("Owner");
  const key = owner.keys.test;
  const ask: WebhookApp["call"] = (path, options = {}) =>
    call(app.api.url, path, { key, ...options });
  const applicationId = textOf(await ask("/v1/applications", { body: { name: "Shop" } }), "id");
  return {
    app,
    key,
    applicationId,
    session,
    call: ask,
    async endpoint(url, events) {
      const body = { application_id: applicationId, url, ...(events ? { events } : {}) };
      const made = await ask("/v1/webhook-endpoints", { body });
      assert.equal(made.status, 201, made.text);
      return { id: textOf(made, "id"), secret: textOf(made, "signing_secret") };
    },
    async emitEvent() {
      const hostname = `www.zone-${randomBytes(6).toString("hex")}.test`;
      const made = await ask("/v1/connections", {
        body: { application_id: applicationId, hostname },
      });
      assert.equal(made.status, 201, made.text);
      return textOf(made, "id");
    },
    async deliveries(endpointId) {
      const list = await ask(`/v1/webhook-endpoints/${endpointId}/deliveries?limit=100`);
      assert.equal(list.status, 200, list.text);
      const { data } = list.json();
      assert.ok(Array.isArray(data));
      return data as readonly ListedDelivery[];
    },
    async pass(ms) {
      clock.advance(ms);
      await session.query("select pg_notify('mooring_due', 'deliveries')");
    },
    async close() {
      await worker?.close();
      await session.end();
      await app.close();
    },
  };
}
