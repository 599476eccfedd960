import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
  proofRecord,
  putZone,
  toEdge,
  verify,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { type PowerdnsFront, startPowerdnsFront } from "@mooring/testing/control/powerdns-front";
import { domainAnswer, type Registry, startRegistry } from "@mooring/testing/control/rdap-registry";
import {
  type Delivered,
  loadEventValidator,
} from "@mooring/testing/control/webhooks/event-validator";
import {
  eventIn,
  type Receiver,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { withoutLimits } from "@mooring/testing/control/world";
import { type SandboxEdge, startSandboxEdge } from "@mooring/testing/edge/sandbox-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import {
  type AnyEventType,
  subscribableTypes,
  testEventType,
} from "../../domain/webhooks/event.ts";
import { refreshBootstrap } from "../../services/registrations/bootstrap.ts";
import { enrolDomains } from "../../services/registrations/enrol.ts";
import { reportForeign } from "../../services/transparency/report-foreign.ts";

const exec = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../../../../..");
const minute = 60_000;
const day = 24 * 60 * minute;
const kinds: readonly AnyEventType[] = [...subscribableTypes, testEventType];
const sandboxCredential = { provider: "sandbox", fields: { token: "sandbox" } };
const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const dkim = `p=${publicKey.export({ format: "der", type: "spki" }).toString("base64")}`;

/** API, worker and edge make each kind of event in the sandbox; a receiver gets it. */
describe("what webhook receivers get", () => {
  let world: SandboxEdge;
  let receiver: Receiver;
  let front: PowerdnsFront;
  let mail: Server;
  let isAccepted = false;
  let registry: Registry;
  let validate: (event: Delivered) => void;
  const delivered = (): Delivered[] =>
    receiver.received.map((one) => ({
      type: eventIn(one).type,
      headers: one.headers,
      text: one.body.toString("utf8"),
    }));

  before(async () => {
    validate = await loadEventValidator();
    mail = createServer((request, response) => {
      const key = { type: "TXT", name: "resend._domainkey", value: dkim };
      const [, zone = ""] = /^\/resend\/domains\/(.+\.test)$/.exec(request.url ?? "") ?? [];
      const list = { data: [...mailZones].map((name) => ({ id: name, name })) };
      const status = isAccepted ? "verified" : "pending";
      const one = { status, region: "eu-west-1", records: [{ record: "DKIM", ...key }] };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(zone === "" ? list : one));
    }).listen(0, "127.0.0.1");
    await once(mail, "listening");
    const { port } = mail.address() as AddressInfo;
    world = await startSandboxEdge({
      ...withoutLimits,
      WEBHOOK_ALLOW_PRIVATE: "true",
      EGRESS_ALLOW: "127.0.0.0/8",
      SENDING_API_URL: `http://127.0.0.1:${port}`,
      RDAP: "on",
    });
    registry = await startRegistry();
    const services = [[["test"], [registry.url]]];
    const publication = "2040-01-01T00:00:00Z";
    await refreshBootstrap(
      world.life.app.operator,
      JSON.stringify({ version: "1.0", publication, services }),
    );
    front = await startPowerdnsFront();
    receiver = await startReceiver();
    receiver.behave((response, { path: url }) => {
      response.writeHead(url === "/gone" ? 410 : 200).end();
    });
  });
  after(async () => {
    await world.close();
    await front.close();
    await receiver.close();
    registry.close();
    mail.closeAllConnections();
    mail.close();
  });

  const mailZones = new Set<string>();
  const send = (caller: Caller, at: string, body: unknown, method = "POST"): Promise<Answer> =>
    call(caller.base, `/v1/${at}`, { key: caller.key, body, method });
  const done = async (answer: Promise<Answer>): Promise<Answer> => {
    const { status, text } = await answer;
    assert.ok(status < 300, text);
    return answer;
  };

  /** A tenant whose events of all kinds go to the receiver. */
  async function tenant(name: string): Promise<Caller> {
    const caller = await world.tenant(name);
    await done(
      send(caller, "webhook-endpoints", {
        application_id: caller.applicationId,
        url: receiver.url,
      }),
    );
    return caller;
  }

  const arrived = (id: string | null, ...types: readonly AnyEventType[]): Promise<void> =>
    until(
      async () => {
        const own = delivered().filter(({ text }) => id === null || text.includes(id));
        const missing = types.find((type) => !own.some((event) => event.type === type));
        if (missing === undefined) return true;
        await world.life.session.query("select pg_notify('mooring_due', 'deliveries')");
        return false;
      },
      `${types.join(", ")} of ${id}`,
    );

  /**
   * Makes the next lookup of an archived connection's name due; answers how many agree so far.
   */
  const lookUp = async (id: string): Promise<number> => {
    const { rows } = await world.life.session.query<{ agreeing: number }>(
      `update left_behind set due_at = least(due_at, $2) where connection_id = $1 and leased_until is null
       returning agreeing`,
      [id, world.life.app.clock.now()],
    );
    return rows[0]?.agreeing ?? 0;
  };

  interface Live {
    readonly made: Made;
    readonly zone: string;
    put(...more: readonly ZoneLine[]): Promise<void>;
  }

  async function goLive(caller: Caller, label = "shop"): Promise<Live> {
    const zone = freshZone();
    const made = await connect(caller, `${label}.${zone}`);
    const put = (...more: readonly ZoneLine[]) =>
      putZone(caller, zone, [proofRecord(made), toEdge(made), ...more]);
    await put();
    await world.life.reach(made.id, "live");
    return { made, zone, put };
  }

  /** Checks until the connection has this error code. */
  const reachCode = (caller: Caller, id: string, code: string | null): Promise<void> =>
    until(async () => {
      await world.life.checkAll(2_000);
      return (await get(caller, id)).json()["error_code"] === code;
    }, `the error code ${code}`);

  it("is made by a name that is connected, drifts, is restored and archived", async () => {
    const caller = await tenant("Ordinary");
    const { made, zone, put } = await goLive(caller);
    await arrived(
      made.id,
      "domain.added",
      "domain.verified",
      "ssl.issued",
      "domain.flow.completed",
    );
    await done(send(caller, `connections/${made.id}`, { customer_ref: "c-1" }, "PATCH"));
    await putZone(caller, zone, []);
    await world.life.checkAll();
    await world.life.checkAll(6_000);
    await put();
    await world.life.reach(made.id, "live");
    await archive(caller, made.id);
    await arrived(made.id, "domain.changed", "domain.drift", "domain.restored", "domain.archived");
    await until(async () => (await lookUp(made.id)) >= 2, "two lookups");
    await arrived(made.id, "domain.dangling");
  });

  it("is made by a name that is contested and wins", async () => {
    const [alice, bob] = [await tenant("Alice"), await tenant("Bob")];
    const { made, zone, put } = await goLive(alice);
    const rival = await connect(bob, made.hostname, { contest: true });
    await putZone(alice, zone, [proofRecord(rival), toEdge(made)]);
    assert.equal((await verify(bob, rival.id)).status, 409);
    await put(proofRecord(rival));
    assert.equal((await verify(alice, made.id)).status, 200);
    await arrived(made.id, "domain.contested", "domain.contest_won");
    for (const [caller, { id }] of [
      [alice, made],
      [bob, rival],
    ] as const)
      await archive(caller, id);
  });

  it("is made by a cut-over and its return", async () => {
    const caller = await tenant("Mover");
    const zone = freshZone();
    const { id, hostname, challenge } = await connect(caller, `busy.${zone}`, { cutover: true });
    const { validation } = (await get(caller, id)).json() as {
      validation?: { name: string; target: string };
    };
    assert.ok(validation);
    await putZone(caller, zone, [
      proofRecord({ id, hostname, challenge }),
      { host: validation.name, type: "CNAME", value: validation.target },
    ]);
    assert.equal((await verify(caller, id)).status, 200);
    await until(async () => {
      await world.life.checkAll(11_000);
      const { status } = (await get(caller, id)).json()["cutover"] as { status: string };
      return status === "ready";
    }, "a prepared cut-over");
    await done(send(caller, `connections/${id}/cutover`, sandboxCredential));
    await world.life.reach(id, "live");
    await done(send(caller, `connections/${id}/cutover:revert`, sandboxCredential));
    await arrived(id, "domain.ready", "domain.switching", "domain.reverted");
    await archive(caller, id);
  });

  it("is made by other records that a live name needs", async () => {
    const caller = await tenant("Template");
    const { made } = await goLive(caller);
    const template = [
      { host: "@", type: "CNAME", value: "{{edge_cname}}" },
      { host: "_asset", type: "TXT", value: "asset={{connection_id}}" },
    ];
    await done(
      send(caller, `applications/${caller.applicationId}`, { record_template: template }, "PATCH"),
    );
    await reachCode(caller, made.id, "records_changed");
    await arrived(made.id, "domain.records_changed");
    await archive(caller, made.id);
  });

  it("is made by a certificate in trouble and its recovery", async () => {
    const caller = await tenant("Authority");
    const { made, zone, put } = await goLive(caller);
    await put({ host: zone, type: "CAA", value: '0 issue "ca.example.net"' });
    await reachCode(caller, made.id, "certificate_at_risk");
    await put();
    await reachCode(caller, made.id, null);
    await arrived(made.id, "certificate.at_risk", "certificate.recovered");
    await archive(caller, made.id);
  });

  it("is made by a certificate that somebody else obtained", async () => {
    const caller = await tenant("Foreign");
    const { made } = await goLive(caller);
    // As a worker stores what it finds in a log.
    await world.life.session.query(
      `insert into foreign_certificates (connection_id, certificate, tenant_id, environment, public_key,
         issuer, serial, names, not_before, not_after, log, seen_at, due_at)
       select connection_id, 'certificate', tenant_id, environment, 'key', 'CN=R1, O=Example Trust', '8ff1c02a',
         array[hostname], $2, $2, 'Example log', $2, $2 from claims where connection_id = $1`,
      [made.id, world.life.app.clock.now()],
    );
    await reportForeign(world.life.app.operator);
    await arrived(made.id, "certificate.foreign");
    await archive(caller, made.id);
  });

  it("is made by an origin that dies and comes back", async () => {
    const caller = await tenant("Origin");
    const { made } = await goLive(caller);
    const change = (origin_url: string | null) =>
      done(send(caller, `connections/${made.id}`, { origin_url }, "PATCH"));
    await change(`http://127.0.0.1:${await freePort()}`);
    await until(async () => {
      await world.page(made.hostname);
      return (await get(caller, made.id)).json()["error_code"] === "origin_unreachable";
    }, "origin_unreachable");
    await change(null);
    await until(async () => {
      await world.page(made.hostname);
      await world.life.checkAll(6_000);
      return (await get(caller, made.id)).json()["error_code"] === null;
    }, "an origin that answers");
    await arrived(made.id, "origin.unreachable", "origin.recovered");
    await archive(caller, made.id);
  });

  it("is made by a domain that sends mail, and loses a record", async () => {
    const caller = await tenant("Sender");
    const credentials = `applications/${caller.applicationId}/credentials`;
    await done(send(caller, credentials, { ...sandboxCredential, name: "zones" }));
    const zone = freshZone();
    mailZones.add(zone);
    const made = await connect(caller, zone);
    await putZone(caller, zone, [proofRecord(made)]);
    assert.equal((await verify(caller, made.id)).status, 200);
    const access = { provider: "resend", access: { api_key: "re_secret" } };
    await done(send(caller, `connections/${made.id}/sending:apply`, access));
    // The worker checks it, too.
    const reach = (status: string): Promise<void> =>
      until(async () => {
        const { text } = await send(caller, `connections/${made.id}/sending:check`, undefined);
        return text.includes(`"status":"${status}"`);
      }, `a sending domain that is ${status}`);
    await reach("ready");
    isAccepted = true;
    await reach("accepted");
    isAccepted = false;
    await putZone(caller, zone, [proofRecord(made)]);
    await reach("broken");
    await arrived(made.id, "sending.ready", "sending.accepted", "sending.broken");
    await archive(caller, made.id);
  });

  it("is made by a credential that its provider refuses, with and without a connection", async () => {
    const caller = await tenant("Credential");
    const zone = freshZone();
    await front.seed(zone, []);
    front.treat(() => ({ kind: "instead", status: 401 }));
    const credentials = `applications/${caller.applicationId}/credentials`;
    const body = { provider: "powerdns", name: "PowerDNS", zone, fields: front.fields };
    const id = textOf(await done(send(caller, credentials, body)), "id");
    const made = await connect(caller, `shop.${zone}`);
    await arrived(made.id, "credential.failing");
    front.treat(() => ({ kind: "through" }));
    await done(send(caller, `${credentials}/${id}/test`, undefined));
    await arrived(id, "credential.recovered");
    await archive(caller, made.id);
  });

  it("is made by endpoints themselves", async () => {
    const caller = await tenant("Endpoint");
    const url = receiver.url.replace("/hook", "/gone");
    const made = await done(
      send(caller, "webhook-endpoints", { application_id: caller.applicationId, url }),
    );
    const id = textOf(made, "id");
    await done(send(caller, `webhook-endpoints/${id}/test`, undefined));
    await arrived(id, "endpoint.disabled");
    await arrived(null, "endpoint.test");
  });

  it("is made by a domain whose registration ends", async () => {
    const caller = await tenant("Registrant");
    const made = await connect(caller, `shop.${freshZone()}`);
    const { clock, operator } = world.life.app;
    registry.behave(domainAnswer(new Date(clock.now().getTime() + 20 * day)));
    await enrolDomains(operator);
    await arrived(made.id, "domain.expiring");
    await archive(caller, made.id);
  });

  it("is made by a name that stalls, and by one that nobody proves", async () => {
    const caller = await tenant("Slow");
    const zone = freshZone();
    const slow = await connect(caller, `shop.${zone}`);
    const never = await connect(caller, `never.${zone}`);
    await putZone(caller, zone, [proofRecord(slow)]);
    await world.life.reach(slow.id, "propagating");
    for (let checks = 0; checks < 3; checks += 1) await world.life.checkAll(31 * minute);
    await putZone(caller, zone, [proofRecord(slow), toEdge(slow)]);
    await world.life.reach(slow.id, "live");
    await arrived(slow.id, "domain.stalled", "domain.changed");
    await archive(caller, slow.id);
    await world.life.checkAll(8 * day);
    await arrived(never.id, "domain.failed");
  });

  it("is made by a certificate that no edge renews", async () => {
    const caller = await tenant("Expired");
    const { made } = await goLive(caller);
    await world.stopEdge();
    await world.life.checkAll(400 * day);
    await arrived(made.id, "certificate.expired");
  });

  for (const kind of kinds) {
    it(`of ${kind} is as the API's document says`, () => {
      const events = delivered().filter(({ type }) => type === kind);
      assert.notEqual(events.length, 0, `no test delivers ${kind}`);
      for (const event of events) validate(event);
    });
  }

  it("has the type of the SDK", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-events-"));
    try {
      const types = path.join(root, "packages/sdk/src/schema.gen.ts");
      const lines = delivered().map(({ text }) => `  ${text},`);
      const file = path.join(directory, "delivered.ts");
      await writeFile(
        file,
        [
          `import type { WebhookEvent } from ${JSON.stringify(types)};`,
          "export const delivered: readonly WebhookEvent[] = [",
          ...lines,
          "];\n",
        ].join("\n"),
      );
      const options = ["--noEmit", "--strict", "--ignoreConfig", "--types", ""];
      const tsc = path.join(root, "node_modules/.bin/tsc");
      await exec(tsc, [...options, "--allowImportingTsExtensions", file], { cwd: directory });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
