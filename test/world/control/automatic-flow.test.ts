import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  putZone,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { record } from "@mooring/testing/control/sandbox";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startBind } from "@mooring/testing/dns/dns-servers";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import {
  type PowerdnsServer,
  startPowerdnsServer,
} from "../../../packages/dns/conformance/servers/powerdns-server.ts";
import type { Backend } from "../../../packages/dns/conformance/simulator.ts";

const pdnsZone = "pdns-flow.example";
const bindZone = "bind-flow.example";
const bindAddress = "127.0.4.2";
const resolverAddress = "127.0.4.3";

describe("a connection with a delegated credential goes live without manual steps", () => {
  let powerdns: PowerdnsServer;
  let backend: Backend;
  let bind: DnsServer;
  let life: LifecycleApp;
  let caller: Caller;
  const started: { stop(): Promise<void> }[] = [];

  before(async () => {
    powerdns = await startPowerdnsServer();
    started.push(powerdns);
    backend = await powerdns.backend();
    await backend.seed(pdnsZone, [
      record(`${pdnsZone} NS ns1.${pdnsZone}`),
      record(`ns1.${pdnsZone} A 127.0.0.1`),
      record(`${pdnsZone} TXT untouched`),
    ]);
    const port = powerdns.dnsPort;
    const zones = { [bindZone]: `@ NS ns1\nns1 A ${bindAddress}\n@ TXT "untouched"` };
    bind = await startBind({ address: bindAddress, port, zones, dynamic: true });
    started.push(bind);
    const forwards = { [pdnsZone]: ["127.0.0.1"], [bindZone]: [bindAddress] };
    const recursive = { address: resolverAddress, port, authoritativePort: port, zones: forwards };
    started.push(await startBindRecursive(recursive));
    life = await startLifecycle({
      env: {
        DNS_RESOLVERS: `${resolverAddress}:${port}`,
        DNS_AUTHORITATIVE_PORT: String(port),
        EGRESS_ALLOW: "127.0.0.0/8",
      },
    });
  });
  after(async () => {
    await life?.close();
    await Promise.all(started.map((server) => server.stop()));
  });

  async function store(provider: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const body = { provider, name: provider, fields };
    const stored = await call(caller.base, path, { key: caller.key, body });
    assert.equal(stored.status, 201, stored.text);
  }

  /** The states in the order of the timeline. */
  async function journey(id: string): Promise<string[]> {
    const { rows } = await life.session.query<{ to_state: string }>(
      `select to_state from timeline where connection_id = $1 and to_state is not null
       order by created_at, id`,
      [id],
    );
    return rows.map((row) => row.to_state);
  }

  const writes = async (id: string): Promise<string[]> => {
    const { rows } = await life.session.query<{ outcome: string }>(
      "select outcome from dns_writes where connection_id = $1 order by created_at, id",
      [id],
    );
    return rows.map(({ outcome }) => outcome);
  };

  async function flow(hostname: string): Promise<string> {
    const { id } = await connect(caller, hostname);
    await life.reach(id, "issuing_cert");
    assert.deepEqual(await journey(id), [
      "pending_ownership",
      "verified",
      "dns_writing",
      "propagating",
      "issuing_cert",
    ]);
    assert.deepEqual(await writes(id), ["applied", "applied"], "the proof, then the records");
    return id;
  }

  const remove = (id: string) =>
    call(caller.base, `/v1/connections/${id}?revert_dns=true`, {
      key: caller.key,
      method: "DELETE",
    });

  it("with the sandbox", async () => {
    caller = await life.caller("Sandbox");
    await store("sandbox", { token: "sandbox" });
    const zone = freshZone();
    await putZone(caller, zone, []);
    const id = await flow(`shop.${zone}`);
    assert.equal((await archive(caller, id)).status, 200);
  });

  it("with a real PowerDNS, whose zone is restored at the end", async () => {
    caller = await life.caller("PowerDNS", "live");
    await store("powerdns", backend.credentials);
    const before = await backend.records(pdnsZone);
    const id = await flow(`shop.${pdnsZone}`);
    const during = await backend.records(pdnsZone);
    assert.equal(during.length, before.length + 2);
    assert.equal((await remove(id)).status, 200);
    assert.deepEqual(await backend.records(pdnsZone), before);
  });

  it("moves to other records by itself when the template changes, at a real PowerDNS", async () => {
    caller = await life.caller("Moving", "live");
    await store("powerdns", backend.credentials);
    const hostname = `moving.${pdnsZone}`;
    const id = await flow(hostname);
    await issueCertificates(life.session);
    await life.reach(id, "live");
    const record_template = [{ host: "@", type: "CNAME", value: `edge-2.${pdnsZone}` }];
    const path = `/v1/applications/${caller.applicationId}`;
    const patched = await call(caller.base, path, {
      key: caller.key,
      method: "PATCH",
      body: { record_template },
    });
    assert.equal(patched.status, 200, patched.text);
    const values = async () =>
      (await backend.records(pdnsZone))
        .filter(({ name }) => name === hostname)
        .map(({ value }) => value);
    await until(async () => {
      await life.checkAll(1_000);
      return (await values()).includes(`edge-2.${pdnsZone}`);
    }, "the new record in the zone");
    assert.deepEqual(await values(), [`edge-2.${pdnsZone}`], "the old one was replaced");
    await life.checkAll(1_000);
    const shown = (await get(caller, id)).json();
    assert.deepEqual(
      [shown["state"], shown["error_code"], shown["pending_records"]],
      ["live", null, null],
    );
    assert.match(JSON.stringify(shown["desired_records"]), /edge-2/);
    assert.deepEqual((await writes(id)).at(-1), "applied");
    assert.equal((await remove(id)).status, 200);
    assert.deepEqual(await values(), [], "the zone is as it was before");
  });

  it("with a real BIND that accepts signed updates (RFC 2136)", async () => {
    caller = await life.caller("BIND", "live");
    const { tsig, address, port } = bind;
    await store("rfc2136", {
      server: `${address}:${port}`,
      key_name: tsig.name,
      key_algorithm: tsig.algorithm,
      key_secret: tsig.secret,
      zone: bindZone,
    });
    const id = await flow(`shop.${bindZone}`);
    assert.equal((await remove(id)).status, 200);
    assert.deepEqual(await writes(id), ["applied", "applied", "applied"], "and all taken back");
  });

  it("continues as a manual set-up when the credential is refused", async () => {
    caller = await life.caller("Refused", "live");
    await store("powerdns", backend.wrongCredentials);
    const { id } = await connect(caller, `hand.${pdnsZone}`);
    await life.checkAll();
    await life.checkAll(1_000);
    assert.deepEqual(await journey(id), ["pending_ownership"]);
    const { rows } = await life.session.query<{ last_error: string }>(
      "select last_error from credentials where refused_at is not null",
    );
    assert.match(rows[0]?.last_error ?? "", /refused the credential/);
  });
});
