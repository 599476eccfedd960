import { createPrivateKey, randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startTestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { makeSides, mintToken } from "@mooring/testing/control/world";
import { silent } from "@mooring/testing/edge/edge-database";
import { createTestVault } from "@mooring/testing/edge/issuing";
import { Pool } from "undici";
import { decodeCursor, encodeCursor } from "../../../packages/control/src/domain/cursor.ts";
import {
  isOwnState,
  newState,
} from "../../../packages/control/src/domain/domain-connect/domain-connect.ts";
import { signatureHeaders } from "../../../packages/control/src/domain/webhooks/webhook.ts";
import { stateKeys } from "../../../packages/control/src/services/domain-connect/redirect.ts";
import { startAsserter } from "../../../packages/edge/src/assertion/asserter.ts";
import { createKeySnapshot } from "../../../packages/edge/src/assertion/signing-keys.ts";
import { openPool } from "../../../packages/edge/src/db/pool.ts";
import { createPostgresKeys } from "../../../packages/edge/src/feed/postgres/keys.ts";
import { verifyAssertion } from "../../../packages/sdk/src/assertion.ts";
import { AssertionVerificationError } from "../../../packages/sdk/src/errors.ts";
import { verifyWebhook, WebhookVerificationError } from "../../../packages/sdk/src/webhooks.ts";

export const kinds = [
  ...([
    "widget",
    "key",
    "cursor",
    "state",
    "share",
    "assertion",
    "webhook",
    "idempotency",
  ] as const),
];
export type Kind = (typeof kinds)[number];

/** A good credential of each kind, and whether the product accepts a text instead of it. */
export interface Credential {
  readonly good: string;
  accepts(text: string): Promise<boolean>;
}

export interface Credentials {
  readonly of: Readonly<Record<Kind, Credential>>;
  close(): Promise<void>;
}

const unlimited = ["general", "check", "tokens", "connection", "unauthorized"]
  .map((bucket) => `${bucket}=1000000000:1000000000`)
  .join();

/** All are accepted by a real API, or by the SDK that a tenant uses. */
export async function issueCredentials(): Promise<Credentials> {
  const app = await startTestApp({ RATE_LIMITS: unlimited, LOG_LEVEL: "fatal" });
  const own = (await makeSides(app, "own")).test;
  const other = (await makeSides(app, "other")).test;
  const pool = new Pool(app.api.url, { connections: 4 });
  const edgePool = openPool(app.databaseUrl, () => undefined);

  /**
   * The status of a request with this text as credential; null when HTTP itself cannot carry it.
   */
  const statusWith = async (text: string): Promise<number | null> => {
    if (!/^[!-~]{1,8000}$/.test(text)) return null;
    const headers = { authorization: `Bearer ${text}` };
    const { statusCode, body } = await pool.request({ method: "GET", path: "/v1/plans", headers });
    await body.dump();
    return statusCode;
  };
  /** The route takes keys: a good token gets 403 there. */
  const answersWith = (expected: 200 | 403) => async (text: string) => {
    const status = await statusWith(text);
    if (status !== null && ![200, 401, 403].includes(status)) throw new Error(`status ${status}`);
    return status === expected;
  };

  const shared = await call(app.api.url, `/v1/connections/${own.connectionId}/share`, {
    key: own.key,
    method: "POST",
  });
  const share: Credential = {
    good: textOf(shared, "url").split("/").at(-1) ?? "",
    async accepts(text) {
      const at = `/share/${text.isWellFormed() ? encodeURIComponent(text) : "%ff"}`;
      const { statusCode, body } = await pool.request({ method: "GET", path: at });
      const page = await body.text();
      return statusCode === 200 && page.includes(own.hostname);
    },
  };

  const idempotencyKey = randomUUID();
  const create = (key: string, text: string) =>
    call(app.api.url, "/v1/connections", {
      key,
      headers: { "idempotency-key": text },
      body: { application_id: own.applicationId, hostname: own.hostname },
    });
  await create(own.key, idempotencyKey);
  const ownToken = await mintToken(app, own.key, own.applicationId);
  const idempotency: Credential = {
    good: idempotencyKey,
    async accepts(text) {
      if (!/^[ -~]{1,255}$/.test(text)) return false;
      // Whatever the key, the answer that is stored for one tenant is no answer to another.
      for (const one of [idempotencyKey, text.trim() || "-"]) {
        const answer = await create(other.key, one);
        if (answer.status < 300 || answer.headers.has("idempotent-replayed")) return true;
      }
      return false;
    },
  };

  const cursorKey = app.operator.cursorKey(app.operator.vault.currentKeyId);
  const cursor = encodeCursor(cursorKey, "binding", { createdAt: new Date(), id: randomUUID() });
  const states = stateKeys(app.operator.vault);
  const assertion = await assertionCredential(edgePool);
  return {
    of: {
      widget: { good: ownToken, accepts: answersWith(403) },
      key: { good: own.key, accepts: answersWith(200) },
      cursor: {
        good: cursor,
        accepts: async (text) =>
          decodeCursor(cursorKey, "binding", text) !== null ||
          decodeCursor(cursorKey, `other ${text}`, cursor) !== null,
      },
      state: { good: newState(states[0]), accepts: async (text) => isOwnState(states, text) },
      share,
      assertion: assertion.credential,
      webhook: webhookCredential(),
      idempotency,
    },
    async close() {
      assertion.stop();
      await edgePool.end();
      await pool.close();
      await app.close();
    },
  };
}

async function assertionCredential(pool: ReturnType<typeof openPool>) {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-fuzz-"));
  const issuer = "https://api.example.com";
  const vault = createTestVault();
  const clock = { now: () => new Date() };
  const asserter = await startAsserter({
    keys: createPostgresKeys({ pool, vault, clock }),
    vault,
    clock,
    log: silent,
    snapshot: createKeySnapshot(directory, silent),
    issuer,
  });
  const good = asserter.sign({
    hostname: "shop.example",
    epoch: 1,
    environment: "live",
    connectionId: "connection",
    applicationId: "application",
    tenantId: "tenant",
    registrableDomain: "shop.example",
    own: null,
  });
  if (good === null) throw new Error("no assertion was signed");
  const { rows } = await pool.query<{ public_jwk: Record<string, string>; id: string }>(
    "select id, public_jwk from signing_keys where purpose = 'assertion'",
  );
  const keys = rows.map(({ id, public_jwk }) => ({ ...public_jwk, kid: id }));
  const now = new Date();
  const credential: Credential = {
    good,
    accepts: (text) =>
      accepted(
        verifyAssertion(text, { issuer, audience: "application", jwks: { keys }, now }),
        AssertionVerificationError,
      ),
  };
  return { credential, stop: () => asserter.stop() };
}

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

/** The text is the signed body; its timestamp and signature stay. */
function webhookCredential(): Credential {
  const at = new Date();
  const body = JSON.stringify({
    id: randomUUID(),
    type: "domain.live",
    data: { hostname: "a.test" },
  });
  const delivery = { eventId: "e", eventType: "domain.live", attempt: 1, previousSecret: null };
  const headers = signatureHeaders({ ...delivery, body, at, secret });
  return {
    good: body,
    accepts: (text) => accepted(verifyWebhook(text, headers, secret), WebhookVerificationError),
  };
}

async function accepted(
  work: Promise<unknown>,
  refusal: abstract new (...args: never[]) => Error,
): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof refusal) return false;
    throw error;
  }
}

/** A key of ours that signed nothing. */
export function strangeKey(): ReturnType<typeof createPrivateKey> {
  const der = "302e020100300506032b657004220420";
  return createPrivateKey({
    key: Buffer.concat([Buffer.from(der, "hex"), Buffer.alloc(32, 7)]),
    format: "der",
    type: "pkcs8",
  });
}
