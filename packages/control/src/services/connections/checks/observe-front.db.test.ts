import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, describe, it } from "node:test";
import { answerProbe, deriveProbeKey, readProbeNonce } from "@mooring/egress";
import {
  type Caller,
  connect,
  freshZone,
  get,
  hurry,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

/** The address of the CDN; nothing of ours has it. */
const cdn = "127.0.0.7";

/** What the CDN does with a request: ask an edge behind it, or answer by itself. */
type Behaviour =
  | { readonly passes: "all" | "probe"; readonly listener?: "http" | "https" }
  | { readonly status: number };

describe("a name behind a CDN", () => {
  let life: LifecycleApp;
  let server: Server;
  let lines: string[] = [];
  let behaviour: Behaviour = { passes: "all" };
  let asked: string[] = [];
  let names = 0;

  before(async () => {
    server = createServer((request, response) => {
      const target = request.url ?? "";
      asked.push(`${request.headers.host} ${target.replace(/[0-9a-f]{32}/, "N")}`);
      response.setHeader("server", "cloudflare");
      const nonce = readProbeNonce(target);
      const isChallenge = target.startsWith("/.well-known/acme-challenge/");
      const isPassed = "passes" in behaviour && !(isChallenge && behaviour.passes === "probe");
      if (nonce === null || !isPassed) {
        response.writeHead("status" in behaviour ? behaviour.status : 404).end("by the CDN");
        return;
      }
      const { vault, clock } = life.app.operator;
      const key = deriveProbeKey(vault.deriveKey("certificate_key"));
      const hostname = (request.headers.host ?? "").replace(/:\d+$/, "");
      const listener = ("listener" in behaviour && behaviour.listener) || "http";
      response.end(answerProbe(key, { nonce, hostname, listener }, clock.now()));
    });
    server.listen(0, cdn);
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const resolver = {
      ...memoryResolver({ zone: "acme.example", servers: {} }),
      ...dynamicResolver(() => lines),
    };
    life = await startLifecycle({
      resolver,
      env: {
        EDGE_CNAME: "edge.mooring.example",
        EDGE_IPV4: "192.0.2.1",
        VALIDATION_ZONE: "validation.mooring.example",
        VALIDATION_NS: "ns1.mooring.example",
        EDGE_PROBE_HTTP_PORT: String(address.port),
        EDGE_PROBE_PORT: String(await freePort()),
        EGRESS_ALLOW: "127.0.0.7/32",
      },
    });
  });
  after(async () => {
    await life.close();
    server.close();
  });

  /** The zone as every server has it. */
  function dynamicResolver(current: () => readonly string[]) {
    const now = () => {
      const held = records(...current());
      return memoryResolver({ zone: "acme.example", servers: { ns1: held }, recursive: held });
    };
    return {
      findZone: (...args: Parameters<ReturnType<typeof now>["findZone"]>) =>
        now().findZone(...args),
      askServer: (...args: Parameters<ReturnType<typeof now>["askServer"]>) =>
        now().askServer(...args),
      resolve: (...args: Parameters<ReturnType<typeof now>["resolve"]>) => now().resolve(...args),
    };
  }

  const openCaller = () => life.caller("Acme", "live");

  async function proven(caller: Caller, address = cdn): Promise<Made> {
    names += 1;
    const made = await connect(caller, `shop${names}.acme.example`);
    lines = [
      `_service-challenge.${made.hostname} 60 TXT ${made.challenge}`,
      `${made.hostname} 60 A ${address}`,
    ];
    return made;
  }

  async function goLive(caller: Caller): Promise<Made> {
    const made = await proven(caller);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    return made;
  }

  async function end(caller: Caller, { id }: Made): Promise<void> {
    const answer = await call(caller.base, `/v1/connections/${id}`, {
      key: caller.key,
      method: "DELETE",
    });
    assert.ok(answer.status < 300, answer.text);
    behaviour = { passes: "all" };
  }

  const findings = async (caller: Caller, { id }: Made) => {
    const path = `/v1/connections/${id}/diagnosis`;
    const answer = await call(caller.base, path, { key: caller.key });
    return (answer.json()["findings"] as { code: string }[]).map(({ code }) => code);
  };

  it("goes live when requests for it arrive at an edge, and shows the CDN", async () => {
    const caller = await openCaller();
    const made = await goLive(caller);
    const detail = (await get(caller, made.id)).json();
    const proxied = detail["proxied"] as { by: string; since: string };
    assert.equal(proxied.by, "cloudflare");
    assert.ok(Date.parse(proxied.since) > 0);
    const observed = detail["observed_records"] as { value: string; propagated: boolean }[];
    assert.deepEqual(
      observed.map(({ value, propagated }) => [value, propagated]),
      [[cdn, true]],
    );
    await life.checkAll(3_700_000);
    assert.equal(await readState(life.session, made.id), "live");
    // Without the CDN it is an ordinary name.
    lines = [`${made.hostname} 60 CNAME edge.mooring.example`];
    await life.checkAll(3_700_000);
    assert.equal((await get(caller, made.id)).json()["proxied"], null);
    assert.equal(await readState(life.session, made.id), "live");
    await end(caller, made);
  });

  it("is simulated in the sandbox, where nobody is asked", async () => {
    const caller = await life.caller("Sandboxed");
    const zone = freshZone();
    const made = await connect(caller, `proxied.${zone}`);
    asked = [];
    await putZone(caller, zone, [proofRecord(made), toEdge(made, "edge.mooring.example")]);
    await life.reach(made.id, "issuing_cert");
    const proxied = (await get(caller, made.id)).json()["proxied"] as { by: string };
    assert.equal(proxied.by, "cloudflare");
    assert.deepEqual(asked, []);
    await end(caller, made);
  });

  it("is asked nothing, and proves nothing, before its ownership is proven", async () => {
    const caller = await openCaller();
    const made = await proven(caller);
    lines = lines.slice(1);
    asked = [];
    await life.checkAll();
    await life.checkAll();
    assert.equal(await readState(life.session, made.id), "pending_ownership");
    assert.deepEqual(asked, []);
    await end(caller, made);
  });

  it("waits while the CDN leads elsewhere, and says so", async () => {
    const caller = await openCaller();
    behaviour = { status: 404 };
    const made = await proven(caller);
    await life.reach(made.id, "propagating");
    await life.checkAll();
    const { state, error_code, proxied } = (await get(caller, made.id)).json();
    assert.deepEqual([state, error_code, proxied], ["propagating", "record_mismatch", null]);
    assert.ok((await findings(caller, made)).includes("cdn_not_forwarding"));
    behaviour = { passes: "all" };
    await life.reach(made.id, "issuing_cert");
    await end(caller, made);
  });

  it("is refused where the application wants none, and nobody is asked", async () => {
    const caller = await openCaller();
    const path = `/v1/applications/${caller.applicationId}`;
    const body = { proxied: "refuse" };
    const patched = await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    assert.equal(patched.json()["proxied"], "refuse");
    asked = [];
    const made = await proven(caller, "104.16.1.1");
    await life.reach(made.id, "propagating");
    await life.checkAll();
    const { error_code } = (await get(caller, made.id)).json();
    assert.equal(error_code, "proxied");
    assert.ok((await findings(caller, made)).includes("record_proxied"));
    assert.deepEqual(asked, []);
    await end(caller, made);
  });

  it("drifts after three answers of somebody else to two workers, and never for less", async () => {
    const caller = await openCaller();
    const made = await goLive(caller);
    const state = () => readState(life.session, made.id);
    // The CDN cannot reach what is behind it, or refuses this client.
    for (const status of [522, 403, 503]) {
      behaviour = { status };
      for (let checks = 0; checks < 4; checks += 1) await life.checkAll(61_000);
      assert.equal(await state(), "live", String(status));
    }
    behaviour = { status: 404 };
    await life.checkAll(61_000);
    await life.checkAll(61_000);
    behaviour = { passes: "all" };
    await life.checkAll(61_000);
    behaviour = { status: 404 };
    for (let checks = 0; checks < 4; checks += 1) await life.checkAll(61_000);
    assert.equal(await state(), "live", "one worker alone");
    await life.restartWorker({});
    await life.checkAll(61_000);
    assert.equal(await state(), "drifted");
    assert.equal((await get(caller, made.id)).json()["error_code"], "record_mismatch");
    behaviour = { passes: "all" };
    await life.checkAll(61_000);
    assert.equal(await state(), "live");
    assert.deepEqual(await life.broken(), []);
    await end(caller, made);
  });

  it("is a wildcard, too: a name below it is asked, and its validation is delegated", async () => {
    const caller = await openCaller();
    const path = `/v1/applications/${caller.applicationId}`;
    const body = { wildcards: true };
    const set = await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    assert.equal(set.status, 200, set.text);
    const made = await connect(caller, "*.wild.acme.example");
    const { name, target } = (await get(caller, made.id)).json()["validation"] as {
      readonly name: string;
      readonly target: string;
    };
    lines = [`${name} 60 CNAME ${target}`, `${made.hostname} 60 A ${cdn}`];
    asked = [];
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    const detail = (await get(caller, made.id)).json();
    assert.equal((detail["proxied"] as { readonly by: string } | null)?.by, "cloudflare");
    assert.equal((detail["ownership"] as { readonly method: string }).method, "delegation");
    assert.ok(asked.length > 0);
    for (const one of asked) assert.match(one, /^probe-[0-9a-f]{12}\.wild\.acme\.example/);
    behaviour = { status: 404 };
    await life.checkAll(3_700_000);
    assert.equal(await readState(life.session, made.id), "live", "one answer of somebody else");
    await end(caller, made);
  });

  it("is live with a warning while the CDN hides HTTP-01 and nothing else can renew", async () => {
    const caller = await openCaller();
    behaviour = { passes: "probe" };
    const made = await goLive(caller);
    await until(async () => {
      await hurry(life.session);
      return (await get(caller, made.id)).json()["error_code"] === "certificate_at_risk";
    }, "the certificate at risk");
    assert.equal(await readState(life.session, made.id), "live");
    assert.ok((await findings(caller, made)).includes("cdn_hides_challenge"));
    await end(caller, made);
  });
});
