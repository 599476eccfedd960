import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { createPki, type Pair, type Pki } from "@mooring/testing/acme/openssl-pki";
import { connect } from "@mooring/testing/clients/connecting";
import { startVisitors, type Visitors } from "@mooring/testing/clients/visitors";
import { call } from "@mooring/testing/control/http";
import {
  customerZone,
  startValidationWorld,
  type ValidationWorld,
} from "@mooring/testing/dns/validation-world";
import { type PreviousServer, startPreviousServer } from "@mooring/testing/edge/previous-server";
import { freePort } from "@mooring/testing/processes/free-port";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const rounds = proofSize(1, 20);
const perSecond = proofSize(40, 200);
const ttlSeconds = proofSize(2, 5);
const network = "127.0.24";
const oldAddress = `${network}.9`;

interface Cutover {
  readonly status: string;
  readonly visitors_gone_at: string | null;
}

/** A site moves from nginx to the edge by the records of its zone, while people visit it. */
describe("a cut-over under load", () => {
  let world: ValidationWorld;
  let pki: Pki;
  let certificate: Pair;
  let port = 0;
  const moved = { sites: 0, requests: 0 };
  before(async () => {
    const ports = [await freePort(), await freePort()] as const;
    [, port] = ports;
    const env = { EDGE_PROBE_PORT: String(port), EGRESS_ALLOW: "127.0.0.0/8" };
    world = await startValidationWorld(network, { dynamic: true, ports, env });
    pki = await createPki();
    certificate = await pki.issue(`*.${customerZone}`, "server");
    const application = `/v1/applications/${world.caller.applicationId}`;
    const record_template = [
      { host: "@", type: "CNAME", value: "{{edge_cname}}", ttl: ttlSeconds },
      { host: "_acme-challenge", type: "CNAME", value: "{{validation_name}}", ttl: ttlSeconds },
    ];
    await post(application, { record_template }, "PATCH");
    await post(`${application}/credentials`, { ...world.credential, name: "zone" });
  });
  after(async () => {
    await world.close();
    await pki.remove();
  });

  async function post(path: string, body: object = {}, method = "POST") {
    const answer = await call(world.caller.base, path, { key: world.caller.key, body, method });
    assert.ok(answer.status < 300, answer.text);
    return answer.json();
  }

  const readCutover = async (id: string) => (await world.detail(id))["cutover"] as Cutover;

  /** Checks are made due, since a prepared name is checked every ten seconds. */
  async function reach(id: string, status: string): Promise<void> {
    await until(async () => {
      if ((await readCutover(id)).status === status) return true;
      await world.life.session.query(
        "update connection_checks set due_at = now() - interval '1 second' where connection_id = $1 and leased_until is null",
        [id],
      );
      await world.life.session.query("select pg_notify('mooring_due', 'connections')");
      return false;
    }, `the cut-over is ${status}`);
  }

  const more = async (visitors: Visitors, page: string): Promise<void> => {
    const expected = visitors.answers(page) + 20;
    await until(() => visitors.answers(page) >= expected, `visitors of the ${page} page`);
  };

  async function switchOver(id: string): Promise<Date> {
    const answer = await post(`/v1/connections/${id}/cutover`);
    assert.equal(answer["applied"], true);
    const { cutover } = answer["connection"] as { cutover: Cutover };
    return new Date(cutover.visitors_gone_at ?? "");
  }

  async function move(
    hostname: string,
    visitors: Visitors,
    old: PreviousServer,
    isReverted: boolean,
  ) {
    await more(visitors, "old");
    const { id } = await connect(world.caller, hostname, { cutover: true });
    await reach(id, "ready");
    let goneAt = await switchOver(id);
    await more(visitors, "hello");
    if (isReverted) {
      const answer = await post(`/v1/connections/${id}/cutover:revert`);
      assert.equal(answer["applied"], true);
      await more(visitors, "old");
      goneAt = await switchOver(id);
    }
    const now = () => world.life.app.clock.now();
    await until(() => now() >= goneAt, "visitors_gone_at");
    await old.switchOff();
    await more(visitors, "hello");
    await reach(id, "done");
    await world.reach(id, "live");
  }

  async function round(t: TestContext, index: number, isReverted: boolean): Promise<void> {
    const hostname = `site${index}.${customerZone}`;
    await world.add(`site${index} ${ttlSeconds} A ${oldAddress}`);
    const old = await startPreviousServer({ address: oldAddress, port, certificate });
    const { resolver } = world;
    const ca = [pki.ca.cert, await world.pebble.root()];
    const visitors = startVisitors({ hostname, port, ca, resolver, perSecond });
    try {
      await move(hostname, visitors, old, isReverted);
    } finally {
      await visitors.stop();
      await old.switchOff();
    }
    assert.deepEqual(visitors.failures, []);
    moved.sites += 1;
    moved.requests += visitors.answers("old") + visitors.answers("hello");
    if (moved.sites === rounds) {
      const size = `${rounds} sites at ${perSecond}/s, half with a revert, ${moved.requests} requests`;
      recordPromise("G27", size, "0 failed");
    }
    t.diagnostic(
      `${hostname}${isReverted ? " with a revert" : ""}: ${visitors.answers("old")} requests to the old place, ${visitors.answers("hello")} to the edge, ${visitors.repeated()} sent again, 0 failed`,
    );
  }

  for (let index = 0; index < rounds; index += 1) {
    const isReverted = index % 2 === 0;
    it(`loses no request${isReverted ? ", with a revert in the middle" : ""} (${index + 1} of ${rounds})`, (t) =>
      round(t, index, isReverted));
  }
});
