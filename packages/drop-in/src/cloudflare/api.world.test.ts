import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { cloudflareStatuses } from "@mooring/control/drop-in";
import { type Caller, freshZone, issueCertificates } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import {
  Cloudflare,
  type CloudflareClient,
  codeIs,
  createCloudflareClient,
  type HostnameAnswer,
  prefix,
} from "@mooring/testing/drop-in/cloudflare-client";
import { type DropInApp, startDropInApp } from "@mooring/testing/drop-in/drop-in-app";
import { publish } from "@mooring/testing/drop-in/publish";
import type { LifecycleApp } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

const notPointing = "custom hostname does not CNAME to this zone.";

/** A tenant with the vendor's own client, of which only the base URL is changed. */
interface Tenant extends Caller {
  readonly client: CloudflareClient;
  readonly zone: string;
}

describe("Cloudflare's custom hostnames", () => {
  let app: DropInApp<CloudflareClient>;
  let life: LifecycleApp;
  let acme: Tenant;

  before(async () => {
    app = await startDropInApp(createCloudflareClient);
    life = app.life;
    acme = await tenant("Acme");
  });
  after(() => life.close());

  async function tenant(name: string): Promise<Tenant> {
    const made = await app.tenant(name);
    return { ...made, zone: made.applicationId.replaceAll("-", "") };
  }

  function request(path: string, options: Parameters<typeof call>[2] = {}) {
    return call(acme.base, `${prefix}${path}`, { key: acme.key, ...options });
  }

  it("answers the vendor's client: key, zones, and a hostname from its creation to its end", async () => {
    const { client, zone: zone_id } = acme;
    assert.equal((await client.user.tokens.verify()).status, "active");
    const zones = await client.zones.list({ name: "Acme" });
    assert.deepEqual(
      zones.result.map(({ id, name }: Readonly<Record<"id" | "name", string>>) => ({ id, name })),
      [{ id: zone_id, name: "Acme" }],
    );
    assert.equal((await client.zones.get({ zone_id: "Acme" })).id, zone_id);

    const hostname = `shop.${freshZone()}`;
    const made = await client.customHostnames.create({
      zone_id,
      hostname,
      custom_metadata: { customer: "42" },
      custom_origin_sni: "sni.acme.example",
      ssl: {
        method: "txt",
        type: "dv",
        certificate_authority: "google",
        wildcard: false,
        settings: { min_tls_version: "1.2", early_hints: "on", ciphers: ["AES128-SHA"] },
      },
    });
    assert.deepEqual(
      [made.hostname, made.status, made.ssl?.status],
      [hostname, "pending", "initializing"],
    );
    assert.equal(made.ownership_verification?.type, "txt");
    assert.equal(made.ownership_verification.name, `_service-challenge.${hostname}`);
    const { http_url: url, http_body: body } = made.ownership_verification_http ?? {};
    assert.equal(url, `http://${hostname}/.well-known/cf-custom-hostname-challenge/${made.id}`);
    assert.match(body ?? "", /^[0-9a-f-]{36}$/);
    assert.deepEqual(made.custom_metadata, { customer: "42" });
    assert.equal(made.custom_origin_sni, "sni.acme.example");
    assert.deepEqual(made.ssl?.settings?.ciphers, ["AES128-SHA"]);
    assert.equal(made.ssl?.certificate_authority, "google");
    assert.deepEqual(made.ssl?.validation_records?.[0]?.txt_name, made.ownership_verification.name);
    assert.equal(made.ssl?.dcv_delegation_records?.[0]?.cname, `_acme-challenge.${hostname}`);
    assert.match(made.ssl?.dcv_delegation_records?.[0]?.cname_target ?? "", /\.validation\.test$/);

    await publish(acme, hostname, made.ownership_verification, false);
    await life.reach(made.id, "propagating");
    const proven = await client.customHostnames.get(made.id, { zone_id });
    assert.deepEqual([proven.status, proven.ssl?.status], ["pending", "pending_validation"]);
    assert.deepEqual(proven.verification_errors, [notPointing]);

    await publish(acme, hostname, made.ownership_verification, true);
    await life.reach(made.id, "issuing_cert");
    const waiting = await client.customHostnames.get(made.id, { zone_id });
    assert.deepEqual([waiting.status, waiting.ssl?.status], ["pending", "pending_issuance"]);
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    const active = await client.customHostnames.get(made.id, { zone_id });
    assert.deepEqual([active.status, active.ssl?.status], ["active", "active"]);
    assert.deepEqual(active.verification_errors, []);
    assert.equal(active.ssl?.issuer, "Test CA");
    assert.ok(Date.parse(active.ssl?.expires_on ?? "") > Date.now());

    const deleted = await client.customHostnames.delete(made.id, { zone_id });
    assert.equal(deleted.id, made.id);
    await assert.rejects(
      client.customHostnames.get(made.id, { zone_id }),
      Cloudflare.NotFoundError,
    );
  });

  it("changes metadata and the origin by PATCH, keeps what was not sent, and answers 202", async () => {
    const { client, zone: zone_id } = acme;
    const { id } = await client.customHostnames.create({
      zone_id,
      hostname: `edit.${freshZone()}`,
      custom_metadata: { plan: "pro" },
      ssl: { method: "http", type: "dv", settings: { http2: "on" } },
    });
    const edited = await request(`/zones/${zone_id}/custom_hostnames/${id}`, {
      method: "PATCH",
      body: { custom_origin_server: "eu.acme.example", ssl: { method: "txt", type: "dv" } },
    });
    assert.equal(edited.status, 202, edited.text);
    const shown = await client.customHostnames.get(id, { zone_id });
    assert.equal(shown.custom_origin_server, "eu.acme.example");
    assert.deepEqual(shown.custom_metadata, { plan: "pro" });
    assert.equal(shown.ssl?.method, "txt");
    assert.equal(shown.ssl?.settings?.http2, "on");
    const own = await call(acme.base, `/v1/connections/${id}`, { key: acme.key });
    assert.equal(own.json()["origin_url"], "https://eu.acme.example");
    const back = await client.customHostnames.edit(id, { zone_id, custom_origin_server: "" });
    assert.equal(back.custom_origin_server, undefined);
  });

  it("checks a hostname that was given up again when it is patched", async () => {
    const { client, zone: zone_id } = acme;
    const { id } = await client.customHostnames.create({
      zone_id,
      hostname: `late.${freshZone()}`,
    });
    life.app.clock.advance(73 * 3_600_000);
    await life.reach(id, "failed");
    const given = await client.customHostnames.get(id, { zone_id });
    assert.deepEqual([given.status, given.ssl?.status], ["blocked", "validation_timed_out"]);
    const again = await client.customHostnames.edit(id, {
      zone_id,
      ssl: { method: "txt", type: "dv" },
    });
    assert.deepEqual([again.status, again.ssl?.status], ["pending", "initializing"]);
  });

  it("never keeps or shows the key of a custom certificate", async () => {
    const { client, zone: zone_id } = acme;
    const { id } = await client.customHostnames.create({
      zone_id,
      hostname: `key.${freshZone()}`,
      ssl: { method: "txt", type: "dv", custom_certificate: "CERT", custom_key: "VERY-SECRET" },
    });
    const { rows } = await life.session.query<{ fields: string }>(
      "select fields::text from drop_in_fields where connection_id = $1",
      [id],
    );
    assert.ok(!rows[0]?.fields.includes("VERY-SECRET"), rows[0]?.fields);
    const shown = await request(`/zones/${zone_id}/custom_hostnames/${id}`);
    assert.ok(!shown.text.includes("VERY-SECRET"), shown.text);
    const early = await request(`/zones/${zone_id}/custom_hostnames/${id}`, {
      method: "PATCH",
      body: { ssl: { custom_certificate: "CERT", custom_key: "VERY-SECRET" } },
    });
    assert.ok(early.status >= 400 && early.status < 500, early.text);
  });

  it("pages by number and filters as the vendor's current client does", async () => {
    const { client, zone: zone_id } = await tenant("Lists");
    const zone = freshZone();
    for (const label of ["a", "b", "c", "d", "e"]) {
      await client.customHostnames.create({ zone_id, hostname: `${label}.${zone}` });
    }
    const names: string[] = [];
    for await (const one of client.customHostnames.list({ zone_id, per_page: 2 })) {
      names.push(one.hostname);
    }
    assert.deepEqual(
      names,
      ["e", "d", "c", "b", "a"].map((label) => `${label}.${zone}`),
    );
    const second = await client.customHostnames.list({ zone_id, per_page: 2, page: 2 });
    assert.deepEqual(second.result_info, {
      page: 2,
      per_page: 2,
      count: 2,
      total_count: 5,
      total_pages: 3,
    });
    const found = async (filter: object): Promise<readonly string[]> => {
      const page = await client.customHostnames.list({ zone_id, ...filter });
      return page.result.map(({ hostname }: { readonly hostname: string }) => hostname);
    };
    assert.deepEqual(await found({ hostname: { exact: `A.${zone}.` } }), [`a.${zone}`]);
    assert.deepEqual(await found({ hostname: `b.${zone}` }), [`b.${zone}`]);
    assert.deepEqual(await found({ hostname: { contain: "c.zone-" } }), [`c.${zone}`]);
    assert.deepEqual(await found({ hostname: { startsWith: "d." } }), [`d.${zone}`]);
    const [first] = (await client.customHostnames.list({ zone_id, direction: "asc" })).result;
    assert.deepEqual(await found({ id: first?.id }), [`a.${zone}`]);
    assert.equal((await found({ ssl: 1 })).length, 5);
    assert.deepEqual(await found({ ssl: 0 }), []);
    assert.equal(
      (await found({ ssl_status: "initializing", hostname_status: "pending" })).length,
      5,
    );
    assert.deepEqual(await found({ ssl_status: "active" }), []);
    assert.equal((await found({ order: "ssl_status" })).length, 5);
  });

  it("sets, reads and removes the fallback origin, which the application then has", async () => {
    const { client, zone: zone_id, key, base, applicationId } = await tenant("Origins");
    const { fallbackOrigin } = client.customHostnames;
    assert.equal((await fallbackOrigin.get({ zone_id })).origin, "edge.localhost");
    const set = await fallbackOrigin.update({ zone_id, origin: "origin.acme.example" });
    assert.deepEqual([set.origin, set.status], ["origin.acme.example", "active"]);
    assert.equal((await fallbackOrigin.get({ zone_id })).origin, "origin.acme.example");
    const application = await call(base, `/v1/applications/${applicationId}`, { key });
    assert.equal(application.json()["origin_url"], "https://origin.acme.example");
    assert.equal((await fallbackOrigin.delete({ zone_id })).status, "pending_deletion");
    assert.equal((await fallbackOrigin.get({ zone_id })).origin, "edge.localhost");
    await assert.rejects(fallbackOrigin.delete({ zone_id }), Cloudflare.NotFoundError);
  });

  it("has the vendor's codes and statuses for errors, and a 409 that its client does not repeat", async () => {
    const { client, zone: zone_id } = acme;
    const hostname = `twice.${freshZone()}`;
    const create = (name: string) => client.customHostnames.create({ zone_id, hostname: name });
    await create(hostname);
    await assert.rejects(create(hostname), codeIs(409, 1406));
    const raw = await request(`/zones/${zone_id}/custom_hostnames`, { body: { hostname } });
    assert.equal(raw.headers.get("x-should-retry"), "false");
    assert.deepEqual(raw.json(), {
      result: null,
      success: false,
      errors: [{ code: 1406, message: "Duplicate custom hostname found." }],
      messages: [],
    });
    await assert.rejects(create("127.0.0.1"), codeIs(400, 1407));
    const unknown = "0190c0de-0000-7000-8000-000000000000";
    await assert.rejects(client.customHostnames.get(unknown, { zone_id }), codeIs(404, 1436));
    await assert.rejects(client.customHostnames.get("nonsense", { zone_id }), codeIs(404, 1436));
    await assert.rejects(client.customHostnames.list({ zone_id: "elsewhere" }), codeIs(404, 7003));
    const badly = { zone_id, hostname: `bad.${freshZone()}`, ssl: { method: "pigeon" } } as never;
    await assert.rejects(client.customHostnames.create(badly), codeIs(400, 1000));
    for (const origin of ["10.0.0.1", "http://10.0.0.1", "https://a.example/?b"]) {
      const body = { zone_id, hostname: `bad.${freshZone()}`, custom_origin_server: origin };
      await assert.rejects(client.customHostnames.create(body), codeIs(400, 1415), origin);
    }
    const text = await fetch(`${acme.base}${prefix}/zones/${zone_id}/custom_hostnames`, {
      method: "POST",
      headers: { authorization: `Bearer ${acme.key}`, "content-type": "application/json" },
      body: "{",
    });
    assert.deepEqual(
      [text.status, ((await text.json()) as { errors: { code: number }[] }).errors[0]?.code],
      [400, 1400],
    );
    const stranger = createCloudflareClient({ base: acme.base, key: `${acme.key.slice(0, -1)}?` });
    await assert.rejects(stranger.user.tokens.verify(), codeIs(401, 1000));
    const nowhere = await request("/accounts");
    assert.equal(nowhere.status, 404);
    assert.equal(nowhere.json()["success"], false);
    assert.equal(nowhere.headers.get("cache-control"), "no-store");
  });

  it("answers a repeated Idempotency-Key with the first reply, and refuses it for another zone", async () => {
    const body = { hostname: `once.${freshZone()}` };
    const send = (zone: string) =>
      request(`/zones/${zone}/custom_hostnames`, { body, headers: { "idempotency-key": "k1" } });
    const first = await send(acme.zone);
    assert.equal(first.status, 201, first.text);
    const again = await send(acme.zone);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.text, first.text);
    assert.equal((await send("Acme")).status, 422);
  });

  it("stores the refusal of a repeated Idempotency-Key in the vendor's shape", async () => {
    const body = { hostname: `again.${freshZone()}` };
    await acme.client.customHostnames.create({ zone_id: acme.zone, ...body });
    const send = () =>
      request(`/zones/${acme.zone}/custom_hostnames`, {
        body,
        headers: { "idempotency-key": "k2" },
      });
    const [first, again] = [await send(), await send()];
    assert.deepEqual([first.status, again.status], [409, 409]);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.deepEqual(again.json(), first.json());
    assert.equal(again.headers.get("x-should-retry"), "false");
  });

  it("shows a key of another tenant nothing, and tells it of a held name only that it is taken", async () => {
    const { zone: zone_id } = acme;
    const other = await tenant("Other");
    const hostname = `mine.${freshZone()}`;
    const made = await acme.client.customHostnames.create({ zone_id, hostname });
    await publish(acme, hostname, made.ownership_verification, true);
    await life.reach(made.id, "issuing_cert");
    assert.deepEqual((await other.client.zones.list({ name: "Acme" })).result, []);
    await assert.rejects(other.client.zones.get({ zone_id }), codeIs(404, 7003));
    await assert.rejects(other.client.customHostnames.list({ zone_id }), codeIs(404, 7003));
    await assert.rejects(other.client.customHostnames.get(made.id, { zone_id }), codeIs(404, 7003));
    for (const verb of ["get", "delete", "edit"] as const) {
      const own = other.client.customHostnames[verb](made.id, { zone_id: other.zone });
      await assert.rejects(own, codeIs(404, 1436), verb);
    }
    const taken = other.client.customHostnames.create({ zone_id: other.zone, hostname });
    await assert.rejects(
      taken,
      codeIs(409, 1406, "The custom hostname is in use by another account."),
    );
    const live = await call(acme.base, `${prefix}/zones/${zone_id}`, {
      key: await liveKey("Acme 2"),
    });
    assert.equal(live.status, 404);
  });

  async function liveKey(name: string): Promise<string> {
    return (await life.app.tenant(name)).keys.live;
  }

  it("needs the scopes of our own API, and takes neither widget tokens nor sessions", async () => {
    const { applicationId, base, key, zone: zone_id } = acme;
    const made = await call(base, `/v1/applications/${applicationId}/keys`, {
      key,
      body: { name: "reader", scopes: ["connections:read"] },
    });
    const reader = createCloudflareClient({ base, key: String(made.json()["secret"]) });
    assert.equal((await reader.user.tokens.verify()).status, "active");
    assert.ok(Array.isArray((await reader.customHostnames.list({ zone_id })).result));
    const hostname = `scope.${freshZone()}`;
    await assert.rejects(reader.customHostnames.create({ zone_id, hostname }), codeIs(403, 9109));
    const origin = reader.customHostnames.fallbackOrigin.update({ zone_id, origin: "o.example" });
    await assert.rejects(origin, codeIs(403, 9109));
    const token = await call(base, "/v1/tokens", { key, body: { application_id: applicationId } });
    const browser = createCloudflareClient({ base, key: String(token.json()["auth_token"]) });
    await assert.rejects(browser.customHostnames.list({ zone_id }), codeIs(403, 9109));
  });

  it("maps every state that a connection can be shown in", () => {
    const shown = Object.entries(cloudflareStatuses).flatMap(([state, statuses]) =>
      statuses === null ? [] : [`${state}: ${statuses.status} / ${statuses.ssl}`],
    );
    assert.deepEqual(shown, [
      "created: pending / initializing",
      "pending_ownership: pending / initializing",
      "verifying: pending / initializing",
      "verified: pending / pending_validation",
      "dns_writing: pending / pending_validation",
      "propagating: pending / pending_validation",
      "stalled: pending / pending_validation",
      "issuing_cert: pending / pending_issuance",
      "live: active / active",
      "drifted: moved / active",
      "failed: blocked / validation_timed_out",
    ]);
  });

  // What each product sends and reads, from its public source code.

  it("serves Twenty: register, read by hostname, compare the vendor's sentence, change, remove", async () => {
    const { client, zone: zone_id } = await tenant("Twenty");
    const register = (hostname: string) =>
      client.customHostnames.create({
        zone_id,
        hostname,
        ssl: {
          method: "txt",
          type: "dv",
          settings: {
            http2: "on",
            min_tls_version: "1.2",
            tls_1_3: "on",
            ciphers: ["ECDHE-RSA-AES128-GCM-SHA256", "AES128-SHA"],
            early_hints: "on",
          },
          bundle_method: "ubiquitous",
          wildcard: false,
        },
      });
    const details = async (hostname: string) => {
      const { result } = await client.customHostnames.list({ zone_id, hostname } as never);
      assert.ok(result.length <= 1, "it takes more than one for an error");
      return result[0];
    };
    const [old, renamed] = [`crm.${freshZone()}`, `sales.${freshZone()}`];
    await register(old);
    const present = await details(old);
    assert.equal(present?.verification_errors?.[0], notPointing);
    assert.ok(present.ssl?.dcv_delegation_records?.[0]?.cname_target);
    // It registers a name only when it finds none, and renames by removing and adding.
    await client.customHostnames.delete(present.id, { zone_id });
    assert.equal(await details(old), undefined);
    await register(renamed);
    assert.equal((await details(renamed))?.hostname, renamed);
    // Its check asks for a new validation with the same settings.
    const edited = await client.customHostnames.edit((await details(renamed))?.id ?? "", {
      zone_id,
      ssl: { method: "txt", type: "dv" },
    });
    assert.equal(edited.hostname, renamed);
  });

  it("serves Logto: create, poll by id until active, 409 for a taken name, delete", async () => {
    const path = `/zones/${acme.zone}/custom_hostnames`;
    const body = {
      hostname: `auth.${freshZone()}`,
      ssl: { method: "txt", type: "dv", settings: { min_tls_version: "1.0" } },
    };
    const made = await request(path, { body });
    assert.equal(made.status, 201, made.text);
    const { success, result } = made.json() as unknown as HostnameAnswer;
    assert.equal(success, true);
    assert.equal((await request(path, { body })).status, 409);
    await publish(acme, body.hostname, result.ownership_verification, true);
    await until(async () => {
      await issueCertificates(life.session);
      await life.checkAll(5_000);
      const read = (await request(`${path}/${result.id}`)).json() as unknown as HostnameAnswer;
      assert.ok(Array.isArray(read.result.verification_errors));
      assert.ok(Array.isArray(read.result.ssl.validation_errors));
      return read.result.status === "active" && read.result.ssl.status === "active";
    }, "the hostname to be active");
    const removed = await request(`${path}/${result.id}`, { method: "DELETE" });
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(removed.json()["result"], { id: result.id });
  });

  it("serves products that send the hostname alone, and JSON without saying so", async () => {
    const response = await fetch(`${acme.base}${prefix}/zones/${acme.zone}/custom_hostnames`, {
      method: "POST",
      headers: { authorization: `Bearer ${acme.key}` },
      body: JSON.stringify({ hostname: `help.${freshZone()}` }),
    });
    assert.equal(response.status, 201);
    const { result } = (await response.json()) as HostnameAnswer;
    assert.equal(result.ssl.status, "initializing");
  });
});
