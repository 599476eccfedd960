import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  connect,
  freshZone,
  issueCertificates,
  proofRecord,
  putZone,
  readState,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { emptyObservation } from "../../domain/connections/observation.ts";
import { applyObservation } from "./transition.ts";

const proven = { ...emptyObservation, ownership: { outcome: "match", error: null } } as const;

describe("writing an observation", () => {
  let life: LifecycleApp;
  before(async () => {
    life = await startLifecycle();
  });
  after(() => life.close());

  it("does not archive a drifted holder when the observation is stale", async () => {
    const [alice, bob] = [await life.caller("Alice"), await life.caller("Bob")];
    const zone = freshZone();
    const holder = await connect(alice, `shop.${zone}`);
    await putZone(alice, zone, [proofRecord(holder), toEdge(holder)]);
    await life.reach(holder.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(holder.id, "live");
    await putZone(alice, zone, []);
    await life.checkAll();
    await life.checkAll(6_000);
    assert.equal(await readState(life.session, holder.id), "drifted");

    const taker = await connect(bob, `shop.${zone}`);
    const { operator } = life.app;
    const read = await operator.database.system((tx) => selectConnection(tx, taker.id));
    assert.ok(read);
    const stale = { ...read, version: read.version - 1 };
    assert.equal(await applyObservation(operator, stale, proven), null);
    assert.equal(await readState(life.session, holder.id), "drifted");
    assert.equal(await readState(life.session, taker.id), "pending_ownership");
    assert.deepEqual(await life.broken(), []);
  });
});
