import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import {
  type ScriptedAcme,
  type ScriptedRequest,
  startScriptedAcme,
} from "@mooring/testing/acme/scripted-acme";
import { problem } from "@mooring/testing/acme/scripted-acme-ca";
import { createCsr } from "../x509/acme-x509.ts";
import { chainMismatch, parseChain } from "../x509/chain.ts";
import { generateKey } from "../x509/keys.ts";
import { type AcmeClient, type AcmeClientOptions, createAcmeClient } from "./client.ts";
import { AcmeError, toErrorCode } from "./error.ts";

const caaProblem = { type: "urn:ietf:params:acme:error:caa", detail: "CAA forbids issuance" };

let server: ScriptedAcme;

before(async () => {
  server = await startScriptedAcme({
    profiles: { classic: "90 days", tlsserver: "45 days" },
    verdict: (hostname) => (hostname.startsWith("caa.") ? caaProblem : null),
  });
});
beforeEach(() => {
  server.intervene = () => null;
  server.seen.length = 0;
});
after(() => server?.stop());

async function newClient(options: Partial<AcmeClientOptions> = {}): Promise<AcmeClient> {
  return createAcmeClient({
    directoryUrl: server.directoryUrl,
    accountKey: await generateKey(),
    fetch: server.fetch,
    clock: { now: () => new Date() },
    timings: fastTimings,
    ...options,
  });
}

/** An order whose name is proven. */
async function provenOrder(client: AcmeClient, hostname: string, options = {}) {
  const order = await client.newOrder(hostname, options);
  const [url = ""] = order.authorizations;
  const challenge = client.challengeFor(await client.authorization(url), "tls-alpn-01");
  assert.ok(challenge !== null);
  await client.respond(challenge);
  await client.waitValid(url);
  return order;
}

async function issue(client: AcmeClient, hostname: string, options = {}) {
  const order = await provenOrder(client, hostname, options);
  const key = await generateKey();
  const valid = await client.finalize(order, await createCsr(hostname, key));
  const chainPem = await client.download(valid);
  return { order: valid, key, chain: parseChain(chainPem), chainPem };
}

/** Intervenes the first time that a request fits. */
function once(
  fits: (request: ScriptedRequest) => boolean,
  what: ReturnType<ScriptedAcme["intervene"]>,
): void {
  let isDone = false;
  server.intervene = (request) => {
    if (isDone || !fits(request)) return null;
    isDone = true;
    return what;
  };
}

describe("an order", () => {
  it("yields a certificate for the name and the request's own key", async () => {
    const client = await newClient();
    const { chain, key } = await issue(client, "shop.example");
    assert.equal(chainMismatch(chain, { hostname: "shop.example", key, now: new Date() }), null);
  });

  it("asks for a profile that the CA offers and leaves out one that it does not", async () => {
    const client = await newClient();
    const optional = (name: string) => ({ profile: { name, isRequired: false } });
    const offered = await client.newOrder("a.example", optional("tlsserver"));
    const unknown = await client.newOrder("b.example", optional("shortlived"));
    assert.equal(offered.profile, "tlsserver");
    assert.equal(unknown.profile, null);
    const [first, second] = server.seen.filter(
      ({ resource, isNew }) => resource === "order" && isNew,
    );
    assert.equal(first?.payload?.["profile"], "tlsserver");
    assert.equal(Object.hasOwn(second?.payload ?? {}, "profile"), false);
  });

  it("is not made when the CA does not offer the profile that the operator has set", async () => {
    const client = await newClient();
    const profile = { name: "shortlived", isRequired: true };
    await assert.rejects(client.newOrder("a.example", { profile }), (error) => {
      assert.ok(error instanceof AcmeError);
      assert.equal(error.kind, "misconfigured");
      assert.match(error.message, /shortlived of ACME_PROFILES; it offers classic, tlsserver/);
      assert.equal(toErrorCode(error), "ca_unavailable");
      return true;
    });
    assert.equal(server.count("order", true), 0);
  });

  it("names the certificate it replaces, and is made without it when that one was replaced", async () => {
    const client = await newClient();
    const { chain } = await issue(client, "renewed.example");
    const replaces = chain.leaf.ariId ?? "";
    const first = await client.newOrder("renewed.example", { replaces });
    assert.equal(first.replaces, replaces);
    const second = await client.newOrder("renewed.example", { replaces });
    assert.equal(second.replaces, null);
    assert.notEqual(second.url, first.url);
  });

  it("fails with caa_forbidden when the CA finds itself forbidden", async () => {
    const client = await newClient();
    await assert.rejects(provenOrder(client, "caa.example"), (error) => {
      assert.ok(error instanceof AcmeError);
      assert.equal(error.detail, "CAA forbids issuance");
      assert.equal(toErrorCode(error), "caa_forbidden");
      return true;
    });
  });

  it("can be answered twice, finalised twice and downloaded twice with the same outcome", async () => {
    const client = await newClient();
    const { order, chainPem } = await issue(client, "twice.example");
    const [url = ""] = order.authorizations;
    const challenge = client.challengeFor(await client.authorization(url), "tls-alpn-01");
    assert.ok(challenge !== null);
    assert.equal((await client.respond(challenge)).status, "valid");
    const otherKey = await generateKey();
    const again = await client.finalize(order, await createCsr("twice.example", otherKey));
    assert.deepEqual(again, order);
    assert.equal(await client.download(again), chainPem);
  });

  it("is null when the CA no longer knows it", async () => {
    const client = await newClient();
    const order = await client.newOrder("unknown.example");
    assert.equal(await client.resumeOrder({ ...order, url: `${order.url}999` }), null);
  });
});

describe("a lost answer", () => {
  it("to a finalisation costs no second order and no second certificate", async () => {
    const client = await newClient();
    once(({ resource }) => resource === "finalize", "lose");
    const { chain } = await issue(client, "lost-finalize.example");
    assert.deepEqual(chain.leaf.hostnames, ["lost-finalize.example"]);
    assert.equal(server.count("order", true), 1);
  });

  it("to a new order costs one more order, and no more", async () => {
    const client = await newClient();
    once(({ resource, isNew }) => resource === "order" && isNew, "lose");
    await issue(client, "lost-order.example");
    assert.equal(server.count("order", true), 2);
  });

  it("to a challenge response does no harm", async () => {
    const client = await newClient();
    once(({ resource, payload }) => resource === "challenge" && payload !== null, "lose");
    await issue(client, "lost-challenge.example");
  });

  it("to a new account leaves one account", async () => {
    const client = await newClient();
    once(
      ({ resource, payload }) => resource === "account" && payload?.["onlyReturnExisting"] !== true,
      "lose",
    );
    const url = await client.account();
    assert.equal(await client.account(), url);
    const order = await client.newOrder("lost-account.example");
    assert.equal(order.status, "pending");
  });
});

describe("the account", () => {
  it("is opened once for many callers at the same time", async () => {
    const client = await newClient();
    const urls = await Promise.all(Array.from({ length: 10 }, () => client.account()));
    assert.equal(new Set(urls).size, 1);
    assert.equal(server.count("account", true), 2, "one lookup and one creation");
  });

  it("is created again once when the CA lost it, however many requests notice", async () => {
    const client = await newClient();
    const names = ["a.example", "b.example", "c.example", "d.example"];
    await client.account();
    server.forgetAccounts();
    server.seen.length = 0;
    const orders = await Promise.all(names.map((name) => client.newOrder(name)));
    assert.equal(new Set(orders.map(({ url }) => url)).size, 4);
    const created = server.seen.filter(({ payload }) => payload?.["termsOfServiceAgreed"] === true);
    assert.equal(created.length, 1);
  });

  it("is not looked up again by a request that finds the loss later", async () => {
    const { promise: madeAgain, resolve } = Promise.withResolvers<void>();
    let answers = 0;
    const client = await newClient({
      fetch: async (input, init) => {
        const response = await server.fetch(input, init);
        if (!String(input).endsWith("/order")) return response;
        answers += 1;
        if (answers === 2) await madeAgain;
        return response;
      },
    });
    await client.account();
    server.forgetAccounts();
    server.seen.length = 0;
    const orders = [client.newOrder("early.example"), client.newOrder("late.example")];
    await Promise.race(orders);
    resolve();
    await Promise.all(orders);
    assert.equal(server.count("account", true), 2, "one lookup and one creation");
  });

  it("is created again only once for one request", async () => {
    const client = await newClient();
    await client.account();
    server.intervene = ({ resource, isNew }) =>
      resource === "order" && isNew ? problem(400, "accountDoesNotExist") : null;
    await assert.rejects(client.newOrder("never.example"), { kind: "problem" });
    assert.equal(server.count("order", true), 2);
  });

  it("survives the first caller giving up while others wait", async () => {
    const client = await newClient();
    const stop = new AbortController();
    const first = client.account(stop.signal);
    const second = client.account();
    stop.abort(new Error("aborted by the caller"));
    await assert.rejects(first, { message: "aborted by the caller" });
    assert.match(await second, /^https:/);
  });

  it("gets the contact addresses", async () => {
    const client = await newClient({ contact: ["ops@shop.example"] });
    await client.account();
    const created = server.seen.find(({ payload }) => payload?.["termsOfServiceAgreed"] === true);
    assert.deepEqual(created?.payload?.["contact"], ["mailto:ops@shop.example"]);
  });
});

describe("two CAs", () => {
  it("serve one name independently when the first is broken", async () => {
    const second = await startScriptedAcme({ hasAri: false });
    try {
      server.intervene = () => ({ status: 500, body: "<html>broken</html>" });
      const accountKey = await generateKey();
      const broken = await newClient({ accountKey });
      await assert.rejects(issue(broken, "moved.example"), { kind: "problem" });
      const { directoryUrl, fetch } = second;
      const working = await newClient({ accountKey, directoryUrl, fetch });
      const { chain } = await issue(working, "moved.example", {
        profile: "tlsserver",
        replaces: "a.b",
      });
      assert.deepEqual(chain.leaf.hostnames, ["moved.example"]);
    } finally {
      await second.stop();
    }
  });
});
