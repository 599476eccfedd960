import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

const hour = 3_600_000;
const directory = "https://ca.example/directory";

describe("a name whose certificate authority makes it wait", () => {
  let life: LifecycleApp;
  let caller: Caller;
  before(async () => {
    life = await startLifecycle({
      env: { GIVE_UP_AFTER: "2h", ACME_DIRECTORY_URL: directory },
    });
    caller = await life.caller("Alice");
  });
  after(() => life.close());

  async function issuing(zone: string, ...more: readonly ZoneLine[]): Promise<Made> {
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made), ...more]);
    await life.reach(made.id, "issuing_cert");
    return made;
  }

  const hold = (hostname: string, code: string | null, dueAt: Date) =>
    life.session.query("update certificates set error_code = $2, due_at = $3 where hostname = $1", [
      hostname,
      code,
      dueAt,
    ]);

  it("is not given up however long it waits, says when it is tried, and then goes live", async () => {
    const made = await issuing(freshZone());
    const dueAt = new Date(life.app.clock.now().getTime() + 30 * hour);
    await hold(made.hostname, "ca_rate_limited", dueAt);
    for (let hours = 0; hours < 30; hours += 1) await life.checkAll(hour);
    assert.equal(await readState(life.session, made.id), "issuing_cert");
    const answer = (await get(caller, made.id)).json();
    assert.equal(answer["error_code"], "ca_rate_limited");
    assert.deepEqual(answer["certificate"], {
      status: "pending",
      not_after: null,
      ca: null,
      source: "automatic",
      fingerprint: null,
      next_attempt_at: dueAt.toISOString(),
      last_error: null,
    });
    // Waits no more: what is left of its time counts from here.
    await hold(made.hostname, null, dueAt);
    await life.checkAll(hour);
    assert.equal(await readState(life.session, made.id), "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    assert.deepEqual(await life.broken(), []);
  });
});
