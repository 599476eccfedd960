import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { type Answer, call, textOf } from "../../packages/control/test/support/http.ts";
import { until } from "./until.ts";

/** A tenant's way to the API in tests about connections. */
export interface Caller {
  readonly base: string;
  readonly key: string;
  readonly applicationId: string;
}

export async function openCaller(base: string, key: string, name = "Shop"): Promise<Caller> {
  const made = await call(base, "/v1/applications", { key, body: { name } });
  return { base, key, applicationId: textOf(made, "id") };
}

export interface Made {
  readonly id: string;
  readonly hostname: string;
  readonly challenge: string;
}

/** Creates a connection, or goes on with the application's own. */
export async function connect(caller: Caller, hostname: string): Promise<Made> {
  const { base, key, applicationId } = caller;
  const body = { application_id: applicationId, hostname };
  const create = () => call(base, "/v1/connections", { key, body });
  let answer = await create();
  // A machine that is too busy sheds load; that is right, and not what callers of this look at.
  while (answer.status === 503) answer = await create();
  assert.ok(answer.status === 201 || answer.status === 200, answer.text);
  return madeOf(answer);
}

export function madeOf(answer: Answer): Made {
  const { ownership_challenge: challenge } = answer.json();
  const hasValue = typeof challenge === "object" && challenge !== null && "value" in challenge;
  assert.ok(hasValue && typeof challenge.value === "string", answer.text);
  return {
    id: textOf(answer, "id"),
    hostname: textOf(answer, "hostname"),
    challenge: challenge.value,
  };
}

export function verify({ base, key }: Caller, id: string): Promise<Answer> {
  return call(base, `/v1/connections/${id}/verify`, { key, method: "POST" });
}

export function get({ base, key }: Caller, id: string): Promise<Answer> {
  return call(base, `/v1/connections/${id}`, { key });
}

export function archive({ base, key }: Caller, id: string): Promise<Answer> {
  return call(base, `/v1/connections/${id}`, { key, method: "DELETE" });
}

/** The `details` of an error answer. */
export function detailsOf(answer: Answer): Record<string, unknown> {
  const { error } = answer.json();
  assert.ok(typeof error === "object" && error !== null && "details" in error, answer.text);
  assert.ok(typeof error.details === "object" && error.details !== null, answer.text);
  return { ...error.details };
}

/** A sandbox zone that no other test has. */
export function freshZone(): string {
  return `zone-${randomBytes(6).toString("hex")}.test`;
}

export interface ZoneLine {
  readonly host: string;
  readonly type: string;
  readonly value: string;
}

export async function putZone(
  { base, key }: Caller,
  zone: string,
  records: readonly ZoneLine[],
): Promise<void> {
  const options = { key, method: "PUT", body: { records } };
  const put = () => call(base, `/v1/sandbox/zones/${zone}/records`, options);
  let answer = await put();
  while (answer.status === 503) answer = await put();
  assert.equal(answer.status, 200, answer.text);
}

export function proofOf({ hostname, challenge }: Made): ZoneLine {
  return { host: `_service-challenge.${hostname}`, type: "TXT", value: challenge };
}

export function toEdge({ hostname }: Made, edge = "edge.localhost"): ZoneLine {
  return { host: hostname, type: "CNAME", value: edge };
}

/** A session of the superuser: what tests look at, and the edge's part of the work. */
export async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

export async function stateOf(client: pg.Client, id: string): Promise<string> {
  const { rows } = await client.query<{ state: string }>(
    "select state from connections where id = $1",
    [id],
  );
  return rows[0]?.state ?? "gone";
}

/** The edge's part: every certificate that is wanted is there. */
export async function issueCertificates(client: pg.Client): Promise<void> {
  await client.query(
    `update certificates set status = 'issued', ca = 'Test CA', due_at = null,
       not_before = now(), not_after = now() + interval '90 days', version = version + 1
     where status = 'pending'`,
  );
}

/** Makes everything that waits for a later look due now, and wakes the workers. */
export async function hurry(client: pg.Client, states = "all"): Promise<void> {
  await client.query(
    `update connections set due_at = now() - interval '1 second' where id in (
       select id from connections where due_at > now() and leased_until is null
         and ($1 = 'all' or state = any (string_to_array($1, ','))) for update skip locked)`,
    [states],
  );
  await client.query("select pg_notify('mooring_due', 'connections')");
}

/** `until` with a deadline chosen by the test. */
export function eventually(
  what: string,
  withinMs: number,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  return until(condition, what, withinMs);
}

/**
 * Connections without end, each on its way to `live` in the sandbox: something is always between
 * two states. The test plays the customer and the edge; the workers do the rest.
 */
export interface ConnectionStream {
  /** Starts another zone full of connections; answers them. Those that are live already are archived. */
  more(count: number): Promise<readonly Made[]>;
  /** Issues what is wanted and makes due what waits; to be called again and again. */
  push(): Promise<void>;
  /** How many of those made have not been live yet. */
  remaining(): Promise<number>;
}

const zonesKept = 50;

async function forget({ base, key }: Caller, zone: string): Promise<void> {
  await call(base, `/v1/sandbox/zones/${zone}/records`, { key, method: "DELETE" });
}

export function connectionStream(caller: Caller, session: pg.Client): ConnectionStream {
  const ids: string[] = [];
  const zones: string[] = [];
  return {
    async more(count) {
      // A live name in the sandbox is looked at every few seconds: too many would be all the work.
      const { rows } = await session.query<{ id: string }>(
        "select id from connections where id = any ($1) and state = 'live'",
        [ids],
      );
      for (const { id } of rows) await archive(caller, id);
      const zone = freshZone();
      zones.push(zone);
      // A tenant has a hundred at most; what was made so long ago has long been live and ended.
      if (zones.length > zonesKept) await forget(caller, zones.shift() ?? "");
      const names = Array.from({ length: count }, (_, index) => `h${index}.${zone}`);
      const made = await Promise.all(names.map((name) => connect(caller, name)));
      ids.push(...made.map(({ id }) => id));
      await putZone(
        caller,
        zone,
        made.flatMap((one) => [proofOf(one), toEdge(one)]),
      );
      return made;
    },
    async push() {
      await issueCertificates(session);
      await hurry(session, "pending_ownership,verifying,verified,propagating,stalled,issuing_cert");
    },
    async remaining() {
      const { rows } = await session.query<{ count: number }>(
        "select count(*)::int as count from connections where id = any ($1) and state not in ('live', 'archived')",
        [ids],
      );
      return rows[0]?.count ?? -1;
    },
  };
}
