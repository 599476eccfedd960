import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  freshZone,
  issueCertificates,
  readState,
} from "@mooring/testing/clients/connecting";
import { type Call, call, textOf } from "@mooring/testing/control/http";
import { type DropInApp, startDropInApp } from "@mooring/testing/drop-in/drop-in-app";
import { type Proof, publish } from "@mooring/testing/drop-in/publish";
import type { LifecycleApp } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { loadPackages } from "../../../../test/npm-packages/load-packages.ts";

const load = await loadPackages("official-sdks");
const { Vercel } = load("@vercel/sdk");
const { VercelError } = load("@vercel/sdk/models/vercelerror.js");

/** Without types: the package is installed by the tests that use it. */
type VercelClient = ReturnType<NodeJS.Require>;

const prefix = "/compat/vercel";
const team = "teamId=team_of_the_vendor";

/** A tenant with the vendor's own client, of which only the server's URL is changed. */
interface Tenant extends Caller {
  readonly client: VercelClient;
}

interface Verification {
  readonly type: string;
  readonly domain: string;
  readonly value: string;
}

describe("Vercel's project domains", () => {
  let app: DropInApp<VercelClient>;
  let life: LifecycleApp;
  let acme: Tenant;

  before(async () => {
    app = await startDropInApp(createClient);
    life = app.life;
    acme = await app.tenant("Acme");
  });
  after(() => life.close());

  function createClient({ base, key }: Pick<Caller, "base" | "key">): VercelClient {
    return new Vercel({ bearerToken: key, serverURL: `${base}${prefix}` });
  }

  /** As products call it that write the addresses out. */
  function vercel(path: string, options: Call & { readonly by?: Caller } = {}) {
    const { base, key } = options.by ?? acme;
    const url = `${prefix}${path}${path.includes("?") ? "&" : "?"}${team}`;
    return call(base, url, { key, ...options });
  }

  function domains(caller: Caller = acme): string {
    return `/v9/projects/${caller.applicationId}/domains`;
  }

  async function findId(hostname: string): Promise<string> {
    const { rows } = await life.session.query<{ id: string }>(
      "select id from connections where hostname = $1 order by created_at desc limit 1",
      [hostname],
    );
    return rows[0]?.id ?? "";
  }

  it("answers the vendor's client: add, read, verify, configure, list, redirect, remove", async () => {
    const { client, applicationId } = acme;
    const idOrName = "Acme";
    const name = `shop.${freshZone()}`;
    const { projects } = client;
    const added = await projects.addProjectDomain({ idOrName, requestBody: { name } });
    assert.deepEqual([added.name, added.projectId, added.verified], [name, applicationId, false]);
    assert.equal(added.apexName, name.slice("shop.".length));
    const [proof] = added.verification ?? [];
    assert.deepEqual([proof?.type, proof?.domain], ["TXT", `_service-challenge.${name}`]);
    assert.equal(proof?.reason, "pending_domain_verification");
    const verify = () => projects.verifyProjectDomain({ idOrName, domain: name });
    await assert.rejects(verify(), errorIs(400, "missing_txt_record"));
    const config = () => client.domains.getDomainConfig({ domain: name });
    const wrong = await config();
    assert.deepEqual([wrong.misconfigured, wrong.configuredBy], [true, null]);
    assert.deepEqual(wrong.recommendedCNAME, [{ rank: 1, value: "edge.localhost" }]);
    assert.deepEqual(wrong.recommendedIPv4, [{ rank: 1, value: ["127.0.0.1"] }]);

    await publish(acme, name, proofIn(added.verification), true);
    assert.equal((await verify()).verified, true);
    await life.reach(await findId(name), "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(await findId(name), "live");
    const read = await projects.getProjectDomain({ idOrName: applicationId, domain: name });
    assert.deepEqual([read.verified, read.verification], [true, undefined]);
    const right = await config();
    assert.deepEqual([right.misconfigured, right.configuredBy], [false, "CNAME"]);
    assert.deepEqual(right.acceptedChallenges, ["http-01"]);

    const www = `www.${name}`;
    await projects.addProjectDomain({ idOrName, requestBody: { name: www } });
    const redirected = await projects.updateProjectDomain({
      idOrName,
      domain: www,
      requestBody: { redirect: name, redirectStatusCode: 301 },
    });
    assert.deepEqual([redirected.redirect, redirected.redirectStatusCode], [name, 301]);
    const own = await call(acme.base, `/v1/connections/${await findId(www)}`, { key: acme.key });
    assert.equal(own.json()["redirect_to"], name);
    const ended = await projects.updateProjectDomain({
      idOrName,
      domain: www,
      requestBody: { redirect: null },
    });
    assert.deepEqual([ended.redirect, ended.redirectStatusCode], [null, null]);

    const listed = await projects.getProjectDomains({ idOrName });
    assert.deepEqual(
      listed.domains.map((domain: { readonly name: string }) => domain.name),
      [www, name],
    );
    await projects.removeProjectDomain({ idOrName, domain: www });
    assert.equal(await readState(life.session, await findId(www)), "archived");
    await assert.rejects(
      projects.getProjectDomain({ idOrName, domain: www }),
      errorIs(404, "not_found"),
    );
  });

  it("shows the vendor's client the project, the account's domains and one of them", async () => {
    const owner = await app.tenant("Owner");
    const { projects, domains: account } = owner.client;
    const project = await projects.getProject({ idOrName: "Owner" });
    assert.deepEqual([project.id, project.name], [owner.applicationId, "Owner"]);
    const apex = freshZone();
    await projects.addProjectDomain({ idOrName: "Owner", requestBody: { name: `a.${apex}` } });
    const listed = await account.getDomains({});
    assert.deepEqual(
      listed.domains.map(({ name, verified }: { name: string; verified: boolean }) => [
        name,
        verified,
      ]),
      [[apex, false]],
    );
    assert.equal((await account.getDomain({ domain: apex })).domain.name, apex);
  });

  it("pages by time without losing those of one moment", async () => {
    const lists = await app.tenant("Lists");
    const zone = freshZone();
    const names = Array.from({ length: 7 }, (_, index) => `n${index}.${zone}`);
    for (const name of names) await vercel(domains(lists), { by: lists, body: { name } });
    for (const [moment, ...group] of [
      ["2026-11-01T10:00:00.000Z", 0, 1],
      ["2026-11-01T10:00:01.000Z", 2, 3, 4],
      ["2026-11-01T10:00:02.000Z", 5, 6],
    ] as const) {
      await life.session.query("update connections set created_at = $1 where hostname = any ($2)", [
        moment,
        group.map((index) => names[index]),
      ]);
    }
    const seen: string[][] = [];
    let until: number | undefined;
    do {
      const { domains: page, pagination } = await lists.client.projects.getProjectDomains({
        idOrName: "Lists",
        limit: 2,
        ...(until === undefined ? {} : { until }),
      });
      assert.equal(pagination.count, page.length);
      seen.push(page.map(({ name }: { readonly name: string }) => name));
      until = pagination.next ?? undefined;
    } while (until !== undefined);
    assert.deepEqual(seen.flat(), names.toReversed());
    assert.deepEqual(
      seen.map(({ length }) => length),
      [2, 3, 2],
    );
    const first = await vercel(`${domains(lists)}?limit=2&order=ASC&since=0`, { by: lists });
    assert.deepEqual(namesIn(first), names.slice(0, 2));
    const { prev } = first.json()["pagination"] as { prev: number };
    const following = await vercel(`${domains(lists)}?limit=2&since=${prev}`, { by: lists });
    assert.deepEqual(namesIn(following), names.slice(2, 5).toReversed());
    const verified = await vercel(`${domains(lists)}?verified=true`, { by: lists });
    assert.deepEqual(verified.json()["domains"], []);
  });

  it("tells an own duplicate from a name that somebody else holds", async () => {
    const other = await app.tenant("Other");
    const name = `held.${freshZone()}`;
    const add = (by: Caller) =>
      vercel(`/v10/projects/${by.applicationId}/domains`, { by, body: { name } });
    const first = await add(acme);
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(failureOf(await add(acme)), [409, "domain_already_in_use"]);
    const stranger = await add(other);
    assert.equal(stranger.status, 200, "a name that is not proven blocks nobody");
    assert.equal((await vercel(`/v4/domains/status?name=${name}`)).json()["available"], true);
    const { verification } = first.json() as { verification: Verification[] };
    await publish(acme, name, proofIn(verification), false);
    const proven = await vercel(`${domains()}/${name}/verify`, { method: "POST" });
    assert.equal(proven.json()["verified"], true, proven.text);
    assert.equal((await vercel(`/v4/domains/status?name=${name}`)).json()["available"], false);
    const third = await app.tenant("Third");
    assert.deepEqual(failureOf(await add(third)), [409, "domain_taken"]);
    assert.deepEqual(failureOf(await add(acme)), [409, "domain_already_in_use"]);
  });

  it("shows a key of another tenant nothing and changes nothing for it", async () => {
    const other = await app.tenant("Foreign");
    const name = `own.${freshZone()}`;
    await vercel(domains(), { body: { name } });
    const reads = [
      vercel(domains(), { by: other }),
      vercel(`${domains()}/${name}`, { by: other }),
      vercel(`${domains(other)}/${name}`, { by: other }),
      vercel(`${domains(other)}/${name}`, { by: other, method: "DELETE" }),
      vercel(`${domains(other)}/${name}/verify`, { by: other, method: "POST" }),
      vercel(`/v6/domains/${name}`, { by: other, method: "DELETE" }),
    ];
    for (const answer of await Promise.all(reads)) {
      assert.deepEqual(failureOf(answer), [404, "not_found"]);
    }
    const config = await vercel(`/v6/domains/${name}/config`, { by: other });
    const unknown = await vercel("/v6/domains/nobody.zone-0.test/config", { by: other });
    assert.deepEqual(config.json(), unknown.json());
    assert.equal((await vercel(`${domains()}/${name}`)).status, 200);
  });

  it("needs the scopes of our own API and answers with the vendor's errors", async () => {
    const name = `errors.${freshZone()}`;
    const { base, key, applicationId } = acme;
    const reader = await call(base, `/v1/applications/${applicationId}/keys`, {
      key,
      body: { name: "reader", scopes: ["connections:read"] },
    });
    const by = { ...acme, key: textOf(reader, "secret") };
    assert.equal((await vercel(domains(), { by })).status, 200);
    assert.deepEqual(failureOf(await vercel(domains(), { by, body: { name } })), [
      403,
      "forbidden",
    ]);
    const nobody = { ...acme, key: "not-a-key" };
    const refused = await vercel(domains(), { by: nobody });
    assert.deepEqual(failureOf(refused), [403, "forbidden"]);
    const { error } = refused.json() as { error: { invalidToken?: boolean } };
    assert.equal(error.invalidToken, true);
    const bad = await vercel(domains(), { body: { name: "no hostname" } });
    assert.deepEqual(failureOf(bad), [400, "invalid_domain"]);
    const code = await vercel(domains(), { body: { name, redirectStatusCode: 200 } });
    assert.deepEqual(failureOf(code), [400, "bad_request"]);
    assert.deepEqual(failureOf(await vercel("/v9/projects/absent/domains")), [404, "not_found"]);
    assert.deepEqual(failureOf(await vercel("/v2/user")), [404, "not_found"]);
    const loop = await vercel(domains(), { body: { name, redirect: name } });
    assert.deepEqual(failureOf(loop), [400, "invalid_redirect"]);
    assert.equal((await vercel(`${domains()}/${name}`)).status, 404, "nothing was made");
    const headers = { "idempotency-key": "vercel-1" };
    const first = await vercel(domains(), { body: { name }, headers });
    const again = await vercel(domains(), { body: { name }, headers });
    assert.deepEqual([again.status, again.text], [200, first.text]);
  });

  // What each product sends and reads, from its public source code.

  it("serves Dub: www that redirects to its apex, removal of the last name of a domain", async () => {
    const apex = freshZone();
    const www = `www.${apex}`;
    const project = `/v10/projects/${acme.applicationId}/domains`;
    // It asks for a wildcard of the domain first.
    assert.equal((await vercel(`${domains()}/*.${apex}`)).status, 404);
    const early = await vercel(project, { body: { name: www, redirect: apex } });
    assert.deepEqual(failureOf(early), [400, "invalid_redirect"]);
    assert.equal((await vercel(project, { body: { name: apex } })).status, 200);
    const added = await vercel(project, { body: { name: www, redirect: apex } });
    assert.equal(added.status, 200, added.text);
    const redirected = await vercel(`${domains()}/${www}`);
    assert.equal(redirected.json()["redirect"], apex);
    const own = await call(acme.base, `/v1/connections/${await findId(www)}`, { key: acme.key });
    assert.equal(own.json()["redirect_to"], apex);
    await vercel(`${domains()}/${www}`, { method: "DELETE" });
    const removed = await vercel(`/v6/domains/${apex}`, { method: "DELETE" });
    assert.equal(removed.status, 200, removed.text);
    assert.equal(typeof removed.json()["uid"], "string");
    assert.equal(await readState(life.session, await findId(apex)), "archived");
    assert.deepEqual(failureOf(await vercel(`/v6/domains/${apex}`, { method: "DELETE" })), [
      404,
      "not_found",
    ]);
  });

  it("takes the names below a removed domain away", async () => {
    const apex = freshZone();
    const [www, deep] = [`www.${apex}`, `a.b.${apex}`];
    for (const name of [apex, www, deep]) await vercel(domains(), { body: { name } });
    const similar = `not${apex}`;
    await vercel(domains(), { body: { name: similar } });
    await vercel(`/v6/domains/${apex}`, { method: "DELETE" });
    for (const name of [apex, www, deep]) {
      assert.equal(await readState(life.session, await findId(name)), "archived", name);
    }
    assert.equal(await readState(life.session, await findId(similar)), "pending_ownership");
  });

  it("serves OpenStatus and Papermark: three reads that make one status, until it is right", async () => {
    const name = `status.${freshZone()}`;
    const added = await vercel(`/v10/projects/${acme.applicationId}/domains`, { body: { name } });
    const { verification } = added.json() as { verification: Verification[] };
    const headers = { "content-type": "application/json" };
    // Sent with the type of JSON and without a body.
    const verify = async (): Promise<boolean> => {
      const verified = await vercel(`${domains()}/${name}/verify`, { method: "POST", headers });
      return verified.json()["verified"] === true;
    };
    const status = async (): Promise<string> => {
      const domain = (await vercel(`${domains()}/${name}`, { headers })).json();
      const config = (await vercel(`/v6/domains/${name}/config`, { headers })).json();
      const shown = shownBy(domain, config);
      if (shown !== null) return shown;
      return (await verify()) ? "Valid Configuration" : "Pending Verification";
    };
    assert.equal(await status(), "Pending Verification");
    await publish(acme, name, proofIn(verification), false);
    // Not `status`: the service may have checked by itself, and then nothing is verified again.
    assert.equal(await verify(), true);
    assert.equal(await status(), "Invalid Configuration");
    await publish(acme, name, proofIn(verification), true);
    await until(async () => {
      await life.checkAll(5_000);
      return (await status()) === "Valid Configuration";
    }, "the records to be seen");
    await vercel(`${domains()}/${name}`, { method: "DELETE" });
    assert.equal(await status(), "Domain Not Found");
  });
});

/** The status that these products show; null: they have the domain verified first. */
function shownBy(domain: Record<string, unknown>, config: Record<string, unknown>): string | null {
  const failure = failureIn(domain);
  if (failure !== undefined) return failure === "not_found" ? "Domain Not Found" : "Unknown Error";
  if (domain["verified"] !== true) return null;
  return config["misconfigured"] === true ? "Invalid Configuration" : "Valid Configuration";
}

function proofIn([first]: readonly Verification[] = []): Proof | undefined {
  assert.equal(first?.type, "TXT");
  return { name: first.domain, value: first.value };
}

function namesIn(answer: { json: () => Record<string, unknown> }): string[] {
  return (answer.json()["domains"] as { name: string }[]).map(({ name }) => name);
}

function failureOf(answer: { status: number; json: () => Record<string, unknown> }) {
  return [answer.status, failureIn(answer.json())];
}

function failureIn({ error }: Record<string, unknown>): string | undefined {
  return (error as { code?: string } | undefined)?.code;
}

function errorIs(status: number, code: string) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof VercelError, String(error));
    const { body, statusCode } = error as { readonly body: string; readonly statusCode: number };
    const { error: failure } = JSON.parse(body) as { error: { code: string } };
    assert.deepEqual([statusCode, failure.code], [status, code], body);
    return true;
  };
}
