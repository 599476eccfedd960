import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, freshZone, get, putZone } from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import { type PowerdnsFront, startPowerdnsFront } from "@mooring/testing/control/powerdns-front";
import { withoutLimits } from "@mooring/testing/control/world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

interface Envelope {
  readonly type: string;
  readonly sequence: number;
  readonly data: {
    readonly connection: { readonly id: string } | null;
    readonly credential: Readonly<Record<string, unknown>>;
  };
}

describe("a stored credential that its provider refuses", () => {
  let life: LifecycleApp;
  let front: PowerdnsFront;

  before(async () => {
    life = await startLifecycle({ env: { ...withoutLimits, EGRESS_ALLOW: "127.0.0.0/8" } });
    front = await startPowerdnsFront();
  });
  after(async () => {
    await front.close();
    await life.close();
  });

  async function store(caller: Caller, body: object): Promise<string> {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const answer = await call(caller.base, path, { key: caller.key, body });
    assert.equal(answer.status, 201, answer.text);
    return textOf(answer, "id");
  }
  const sandbox = (name: string, token: string) => ({
    provider: "sandbox",
    name,
    fields: { token },
  });

  async function readErrors(caller: Caller): Promise<Record<string, string | null>> {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const { data } = (await call(caller.base, path, { key: caller.key })).json();
    const rows = data as { name: string; last_error: string | null }[];
    return Object.fromEntries(rows.map(({ name, last_error }) => [name, last_error]));
  }

  async function readEvents(caller: Caller): Promise<Envelope[]> {
    const path = `/v1/events?application_id=${caller.applicationId}&limit=100`;
    const { data } = (await call(caller.base, path, { key: caller.key })).json();
    const all = data as Envelope[];
    return all.filter(({ type }) => type.startsWith("credential.")).reverse();
  }

  const readFields = async (caller: Caller, id: string): Promise<unknown[]> => {
    const detail = (await get(caller, id)).json();
    return [detail["state"], detail["setup_type"], detail["error_code"]];
  };

  it("ends the automatic path of the connection, and tells the tenant once", async () => {
    const caller = await life.caller("Refused");
    const credentialId = await store(caller, sandbox("Old token", "expired"));
    const zone = freshZone();
    await putZone(caller, zone, []);
    const made = await connect(caller, `shop.${zone}`);
    await until(async () => (await readFields(caller, made.id))[2] === "provider_auth");
    assert.deepEqual(await readFields(caller, made.id), [
      "pending_ownership",
      "manual",
      "provider_auth",
    ]);
    assert.match((await readErrors(caller))["Old token"] ?? "", /sandbox takes the token/);
    await life.checkAll(7_200_000);
    const events = await readEvents(caller);
    assert.deepEqual(
      events.map(({ type, sequence }) => [type, sequence]),
      [["credential.failing", 0]],
    );
    const { connection, credential } = events[0]?.data ?? {};
    assert.equal(connection?.id, made.id);
    assert.deepEqual(credential, {
      id: credentialId,
      provider: "sandbox",
      name: "Old token",
      kind: "auth",
    });
    assert.deepEqual(await life.broken(), []);
    // The customer continues by hand; the refusal is not forgotten when ownership is proven.
    await putZone(caller, zone, [
      { host: `_service-challenge.${made.hostname}`, type: "TXT", value: made.challenge },
    ]);
    await life.reach(made.id, "propagating");
    assert.deepEqual(await readFields(caller, made.id), ["propagating", "manual", "provider_auth"]);
  });

  it("does not matter where another one works, and is reported all the same", async () => {
    const caller = await life.caller("Two");
    await store(caller, sandbox("Good", "sandbox"));
    await store(caller, sandbox("Bad", "expired"));
    const made = await connect(caller, `shop.${freshZone()}`);
    await life.reach(made.id, "issuing_cert");
    assert.equal((await get(caller, made.id)).json()["setup_type"], "automatic");
    const errors = await readErrors(caller);
    assert.deepEqual([errors["Good"], errors["Bad"] !== null], [null, true]);
    const events = await readEvents(caller);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.credential["name"]]),
      [["credential.failing", "Bad"]],
    );
  });

  it("ends the automatic path only when none works; each refused one is reported", async () => {
    const caller = await life.caller("None");
    await store(caller, sandbox("One", "expired"));
    await store(caller, sandbox("Two", "revoked"));
    const made = await connect(caller, `shop.${freshZone()}`);
    await until(async () => (await readFields(caller, made.id))[2] === "provider_auth");
    const names = (await readEvents(caller)).map(({ data }) => data.credential["name"]);
    assert.deepEqual(names.sort(), ["One", "Two"]);
    assert.ok(Object.values(await readErrors(caller)).every((error) => error !== null));
  });

  it("of another provider than the domain's does not concern the connection", async () => {
    const caller = await life.caller("Elsewhere");
    front.treat(() => ({ kind: "instead", status: 401 }));
    await store(caller, { provider: "powerdns", name: "Other", fields: front.fields });
    const made = await connect(caller, `shop.${freshZone()}`);
    await until(async () => (await readEvents(caller)).length === 1);
    await life.checkAll();
    const [, setup, error] = await readFields(caller, made.id);
    assert.deepEqual([setup, error], ["automatic", "txt_not_found"]);
  });

  it("is reported as recovered after a good test, and a finding names it until then", async () => {
    const caller = await life.caller("Recovered");
    const zone = freshZone();
    await front.seed(zone, []);
    front.treat(() => ({ kind: "instead", status: 401 }));
    const body = { provider: "powerdns", name: "PowerDNS", zone, fields: front.fields };
    const id = await store(caller, body);
    const made = await connect(caller, `shop.${zone}`);
    await until(async () => (await readFields(caller, made.id))[2] === "provider_auth");
    const path = `/v1/applications/${caller.applicationId}/credentials/${id}/test`;
    const test = () => call(caller.base, path, { key: caller.key, method: "POST" });
    assert.equal((await test()).json()["ok"], false);
    const diagnosis = await call(caller.base, `/v1/connections/${made.id}/diagnosis`, {
      key: caller.key,
    });
    assert.match(diagnosis.text, /"code":"provider_auth"/);
    front.treat(() => ({ kind: "through" }));
    assert.equal((await test()).json()["ok"], true);
    assert.equal((await test()).json()["ok"], true);
    const types = (await readEvents(caller)).map(({ type }) => type);
    assert.deepEqual(types, ["credential.failing", "credential.recovered"]);
    assert.deepEqual(await readErrors(caller), { PowerDNS: null });
  });
});
