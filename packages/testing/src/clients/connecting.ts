import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { type Answer, call, textOf } from "../control/http.ts";
import { until } from "../processes/until.ts";

/** The API, a tenant's key and its application, for tests about connections. */
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

/** Creates a connection, or resumes the one that the application already has. */
export async function connect(
  caller: Caller,
  hostname: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Made> {
  const answer = await tryToConnect(caller, hostname, more);
  assert.ok(answer.status === 201 || answer.status === 200, answer.text);
  return readMade(answer);
}

/** The same where the name may be refused. */
export async function tryToConnect(
  { base, key, applicationId }: Caller,
  hostname: string,
  more: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const body = { application_id: applicationId, hostname, ...more };
  const create = () => call(base, "/v1/connections", { key, body });
  let answer = await create();
  // A busy API sheds load with 503, which is not what these tests are about.
  while (answer.status === 503) answer = await create();
  return answer;
}

export function readMade(answer: Answer): Made {
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

/** The `details` of an error answer; null where it has none. */
export function errorDetails(answer: Answer): Readonly<Record<string, unknown>> | null {
  const { error } = answer.json();
  assert.ok(typeof error === "object" && error !== null && "details" in error, answer.text);
  assert.ok(typeof error.details === "object", answer.text);
  return error.details && { ...error.details };
}

/** The name of a sandbox zone that no other test uses. */
export function freshZone(): string {
  return `zone-${randomBytes(6).toString("hex")}.test`;
}

export interface ZoneLine {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl?: number;
}

export async function putZone(
  { base, key }: Caller,
  zone: string,
  records: readonly ZoneLine[],
): Promise<void> {
  const options = { key, method: "PUT", body: { records } };
  const put = () => call(base, `/v1/sandbox/zones/${zone}/records`, options);
  let answer = await put();
  await until(async () => {
    if (answer.status !== 503 && answer.status !== 429) return true;
    answer = await put();
    return false;
  }, `the zone ${zone}`);
  assert.equal(answer.status, 200, answer.text);
}

export function proofRecord({ hostname, challenge }: Made): ZoneLine {
  return { host: `_service-challenge.${hostname}`, type: "TXT", value: challenge };
}

export function toEdge({ hostname }: Made, edge = "edge.localhost"): ZoneLine {
  return { host: hostname, type: "CNAME", value: edge };
}

/** A superuser session, to read the database and to do the work of the edge. */
export async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

export async function readState(client: pg.Client, id: string): Promise<string> {
  const { rows } = await client.query<{ state: string }>(
    "select state from connections where id = $1",
    [id],
  );
  return rows[0]?.state ?? "absent";
}

/** The work of the edge: marks every pending certificate as issued. */
export async function issueCertificates(client: pg.Client): Promise<void> {
  await client.query(
    `update certificates set status = 'issued', ca = 'Test CA', due_at = null,
       not_before = now(), not_after = now() + interval '90 days', version = version + 1
     where status = 'pending'`,
  );
}

/** Makes every check that is due later due now, and wakes the workers. */
export async function hurry(client: pg.Client, states = "all"): Promise<void> {
  await client.query(
    `update connection_checks set due_at = now() - interval '1 second' where connection_id in (
       select k.connection_id from connection_checks k join connections c on c.id = k.connection_id
       where k.due_at > now() and k.leased_until is null
         and ($1 = 'all' or c.state = any (string_to_array($1, ','))) for update of k skip locked)`,
    [states],
  );
  await client.query("select pg_notify('mooring_due', 'connections')");
}

/**
 * A stream of connections on the way to `live` in the sandbox, so that some are always between two
 * states. The test does the work of the customer and of the edge, the workers do theirs.
 */
export interface ConnectionStream {
  /** Creates connections in another zone and returns them. Live ones are archived. */
  more(count: number): Promise<readonly Made[]>;
  /** Issues pending certificates and makes later checks due; to be called repeatedly. */
  push(): Promise<void>;
  /** How many of the created connections have not been live yet. */
  remaining(): Promise<number>;
}

const maxZones = 50;

async function deleteZone({ base, key }: Caller, zone: string): Promise<void> {
  await call(base, `/v1/sandbox/zones/${zone}/records`, { key, method: "DELETE" });
}

export function connectionStream(caller: Caller, session: pg.Client): ConnectionStream {
  const ids: string[] = [];
  const zones: string[] = [];
  return {
    async more(count) {
      // A live name in the sandbox is checked every few seconds; too many would use all workers.
      const { rows } = await session.query<{ id: string }>(
        "select id from connections where id = any ($1) and state = 'live'",
        [ids],
      );
      for (const { id } of rows) await archive(caller, id);
      const zone = freshZone();
      zones.push(zone);
      // A tenant may have a hundred zones; the connections of the oldest zone are archived by now.
      if (zones.length > maxZones) await deleteZone(caller, zones.shift() ?? "");
      const names = Array.from({ length: count }, (_, index) => `h${index}.${zone}`);
      const made = await Promise.all(names.map((name) => connect(caller, name)));
      ids.push(...made.map(({ id }) => id));
      await putZone(
        caller,
        zone,
        made.flatMap((one) => [proofRecord(one), toEdge(one)]),
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
