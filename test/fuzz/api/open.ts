import assert from "node:assert/strict";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import {
  canaryName,
  makeSides,
  mintToken,
  type Sides,
  type World,
} from "@mooring/testing/control/world";
import fc from "fast-check";
import { Pool } from "undici";
import { createGuard } from "../../../packages/egress/src/index.ts";
import type { FuzzTarget } from "../target.ts";
import { customerNames, resolved, sides, tenants, type Worlds } from "./references.ts";
import { type ApiRequest, type Caller, type Operation, operations } from "./requests.ts";

const roundsPerWorld = 20;
/** Requests of one input are sent at the same time, so that races are found too. */
const maxAtOnce = 8;
const unlimited = ["general", "check", "tokens", "connection", "unauthorized"]
  .map((bucket) => `${bucket}=1000000000:1000000000`)
  .join();
/**
 * A busy machine may miss the time of a statement; an input for which that is always so does harm.
 */
const maxAgain = 10;
/** What a tenant writes into a sandbox zone is DNS, which answers everybody. */
const sandboxWrite = "PUT /v1/sandbox/zones/{zone}/records";
/** Of the transport, whatever the operation. */
const transportStatuses = new Set([400, 401, 403, 404, 405, 413, 414, 415, 429, 431]);

interface Round {
  readonly name: string;
  readonly worlds: Worlds;
  readonly tokens: ReadonlyMap<string, string>;
  /** The customers of the acting tenant, by the callers that are theirs. */
  readonly customers: Worlds;
  /** Everything that a request may refer to. */
  readonly referred: Worlds;
  readonly watched: Sides;
  readonly before: readonly unknown[];
}

/**
 * Every operation of the OpenAPI document with valid, nearly valid and hostile input of two
 * tenants. Harm is: text of another tenant or environment in an answer, an error of ours, an answer
 * that the document does not state, or a change to what a third tenant has.
 */
export async function openApiTarget(): Promise<FuzzTarget<readonly ApiRequest[]>> {
  // Nothing is dialled: a name has no address.
  const egress = createGuard({ lookup: async () => [] });
  const app = await startTestApp({ RATE_LIMITS: unlimited, LOG_LEVEL: "fatal" }, { egress });
  const pool = new Pool(app.api.url, { connections: maxAtOnce });
  const all = operations();
  const byName = new Map(all.map((one) => [one.name, one]));
  assert.ok(byName.has(sandboxWrite));
  let [round, count] = [await startRound(app, 0), 0];

  const send = async (request: ApiRequest): Promise<void> => {
    count += 1;
    const operation = byName.get(request.route);
    assert.ok(operation, `no operation ${request.route}`);
    await sendOne(pool, round, operation, request);
  };

  return {
    inputs: fc.array(fc.oneof(...all.map((one) => one.requests)), {
      minLength: 1,
      maxLength: maxAtOnce,
    }),
    maxGrowthBytes: 400 * 1_048_576,
    count: () => count,
    async prepare(index) {
      app.takeLog();
      if (index > 0 && index % roundsPerWorld === 0) round = await startRound(app, index);
    },
    attempt: async (requests) => {
      await Promise.all(requests.map(send));
    },
    async review() {
      assert.deepEqual(
        await snapshot(app, round.watched),
        round.before,
        "a third tenant's objects",
      );
    },
    async close() {
      await pool.close();
      await app.close();
    },
  };
}

async function startRound(app: TestApp, index: number): Promise<Round> {
  const worlds = new Map<string, World & { canary: string }>();
  const tokens = new Map<string, string>();
  const customers = new Map<string, World & { canary: string }>();
  let watched: Sides | null = null;
  for (const tenant of tenants) {
    const name = `${tenant}${index}`;
    const made = await makeSides(app, name);
    watched = made;
    for (const side of sides) {
      const world = made[side];
      worlds.set(`${tenant}.${side}`, { ...world, canary: canaryName(`${name}-${side}`) });
      const { key, applicationId, hostname } = world;
      tokens.set(`${tenant}.${side}.key`, key);
      tokens.set(`${tenant}.${side}.token`, await mintToken(app, key, applicationId));
      tokens.set(`${tenant}.${side}.bound`, await mintToken(app, key, applicationId, hostname));
      if (tenant !== "acting" || side !== "test") continue;
      for (const customer of customerNames) {
        const caller = `${tenant}.${side}.${customer}`;
        const opened = await openCustomer(app, world, canaryName(`${name}-${customer}`));
        customers.set(caller, opened.world);
        tokens.set(caller, opened.token);
      }
    }
  }
  assert.ok(watched);
  const before = await snapshot(app, watched);
  const referred = new Map([...worlds, ...customers]);
  return { name: String(index), worlds, tokens, customers, referred, watched, before };
}

/** A connection of an end customer, and a widget token of the same one. */
async function openCustomer(
  app: TestApp,
  world: World,
  canary: string,
): Promise<{ readonly world: World & { canary: string }; readonly token: string }> {
  const { key, applicationId } = world;
  const shared = { application_id: applicationId, customer_ref: canary };
  const hostname = `www.${canary}.test`;
  const made = await call(app.api.url, "/v1/connections", { key, body: { ...shared, hostname } });
  const connectionId = textOf(made, "id");
  const minted = await call(app.api.url, "/v1/tokens", { key, body: shared });
  return {
    // Not the hostname: a refusal may repeat what was asked for.
    world: { ...world, connectionId, canary },
    token: textOf(minted, "auth_token"),
  };
}

async function sendOne(
  pool: Pool,
  round: Round,
  operation: Operation,
  request: ApiRequest,
): Promise<void> {
  const at = request.caller.split(".").slice(0, 2).join(".");
  const own = round.worlds.get(at) ?? round.worlds.get("acting.test");
  assert.ok(own);
  const token = round.tokens.get(request.caller);
  const written = operation.name === sandboxWrite ? { ...own, canary: "public" } : own;
  const filled = resolved(request, written, round.referred) as ApiRequest;
  const body = filled.rawBody ?? (filled.body === undefined ? null : JSON.stringify(filled.body));
  const ask = () =>
    pool.request({
      method: operation.route.method,
      path: buildPath(operation, filled),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === null ? {} : { "content-type": "application/json" }),
        ...filled.headers,
      },
      body,
    });
  let reply = await ask();
  for (let again = 0; reply.statusCode === 503 && again < maxAgain; again += 1) {
    await reply.body.dump();
    reply = await ask();
  }
  const { statusCode: status, headers, body: answer } = reply;
  // A stream of events does not end: that it was opened is its whole answer here.
  if (String(headers["content-type"]).startsWith("text/event-stream")) {
    answer.on("error", () => undefined).destroy();
    assert.ok(operation.statuses.has(status), `${operation.name}: ${status}`);
    return;
  }
  const text = await answer.text();
  check(round, operation, own, { status, text });
  checkCustomers(round, operation, request.caller, text);
}

function buildPath({ route }: Operation, { params, query }: ApiRequest): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encode(toText(params[name] ?? "")),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${encode(name)}=${encode(toText(one))}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function toText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Percent-encoded; a lone surrogate becomes octets that are no UTF-8. */
function encode(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : "%ed%a0%80")).join("");
}

/** A widget token shows nothing of a customer that it is not of; a key sees all of its tenant. */
function checkCustomers(
  { customers }: Round,
  { name }: Operation,
  caller: Caller,
  text: string,
): void {
  if (caller === "acting.test.key") return;
  for (const [owner, { canary }] of customers) {
    assert.ok(owner === caller || !text.includes(canary), `${name} shows ${canary}: ${text}`);
  }
}

function check(
  round: Round,
  { name, statuses }: Operation,
  own: World & { canary: string },
  { status, text }: { readonly status: number; readonly text: string },
): void {
  for (const { canary } of round.worlds.values()) {
    assert.ok(canary === own.canary || !text.includes(canary), `${name} shows ${canary}: ${text}`);
  }
  const isStated = statuses.has(status) && status !== 500 && status !== 503;
  assert.ok(isStated || transportStatuses.has(status), `${name}: ${status} ${text.slice(0, 500)}`);
  if (status === 204) return;
  const parsed = JSON.parse(text) as { readonly error?: { readonly code?: unknown } };
  assert.equal(typeof parsed.error?.code === "string", status >= 400, `${name}: ${text}`);
}

/** What the third tenant sees of its objects. */
async function snapshot(app: TestApp, { test, live }: Sides): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const world of [test, live]) {
    const under = `/v1/applications/${world.applicationId}`;
    for (const path of [
      under,
      `${under}/keys?limit=100`,
      `${under}/credentials?limit=100`,
      `/v1/connections/${world.connectionId}`,
      `/v1/connections/${world.connectionId}/events?limit=100`,
      `/v1/webhook-endpoints/${world.endpointId}`,
      "/v1/applications?limit=100",
      "/v1/connections?limit=100",
    ]) {
      let answer = await call(app.api.url, path, { key: world.key });
      for (let again = 0; answer.status === 503 && again < maxAgain; again += 1) {
        answer = await call(app.api.url, path, { key: world.key });
      }
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      seen.push(answer.json());
    }
  }
  return seen;
}
