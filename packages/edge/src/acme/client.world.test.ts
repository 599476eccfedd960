import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { collect, fastTimings, issue, prove } from "@mooring/testing/acme/issue";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import { type AcmeResponders, startAcmeResponders } from "@mooring/testing/acme/responders";
import { chainMismatch, parseChain } from "../x509/chain.ts";
import { generateKey, keyFromPem, keyToPem } from "../x509/keys.ts";
import { type AcmeClient, createAcmeClient } from "./client.ts";
import { AcmeError, toErrorCode } from "./error.ts";

let responders: AcmeResponders;
let pebble: Pebble;
let client: AcmeClient;
let accountKey: string;

const clock = { now: () => new Date() };

function clientWith(keyPem: string, timings = {}): AcmeClient {
  return createAcmeClient({
    directoryUrl: pebble.directoryUrl,
    accountKey: keyFromPem(keyPem),
    contact: ["ops@shop.example"],
    fetch: pebble.fetch,
    clock,
    timings: { ...fastTimings, ...timings },
  });
}

describe("createAcmeClient against Pebble", () => {
  before(async () => {
    responders = await startAcmeResponders();
    pebble = await startPebble(responders);
    accountKey = keyToPem(await generateKey());
    client = clientWith(accountKey);
  });
  after(async () => {
    await pebble?.stop();
    await responders?.stop();
  });

  for (const type of ["http-01", "tls-alpn-01"] as const) {
    it(`obtains a certificate for a name proven by ${type}, signed by the CA's root`, async () => {
      const hostname = `${type}.shop.example`;
      const { chainPem, key } = await issue(client, responders, hostname, type);
      const chain = parseChain(chainPem);
      assert.equal(chainMismatch(chain, { hostname, key, now: new Date() }), null);
      assert.deepEqual(chain.leaf.hostnames, [hostname]);
      const root = new X509Certificate(await pebble.root());
      const last = new X509Certificate(chain.certificates.at(-1) ?? "");
      assert.ok(last.verify(root.publicKey));
    });
  }

  it("finds the account of its key again and creates no second one", async () => {
    const url = await client.account();
    assert.equal(await clientWith(accountKey).account(), url);
    assert.notEqual(await clientWith(keyToPem(await generateKey())).account(), url);
  });

  it("resumes a stored order in another process at every step", async () => {
    const made = await client.newOrder("resumed.example");
    const stored = JSON.parse(JSON.stringify(made));

    const second = clientWith(accountKey);
    const found = await second.resumeOrder(stored);
    assert.equal(found?.status, "pending");
    assert.equal(found.finalize, made.finalize);
    await prove(second, responders, found, "http-01");

    const third = clientWith(accountKey);
    const { order } = await collect(third, stored);

    const fourth = clientWith(accountKey);
    const done = await fourth.resumeOrder(stored);
    assert.deepEqual(done, order);
    const chainPem = await fourth.download(order);
    assert.deepEqual(parseChain(chainPem).leaf.hostnames, ["resumed.example"]);
  });

  it("reports why validation failed, with the code of the connection", async () => {
    const order = await client.newOrder("unanswered.example");
    const [url = ""] = order.authorizations;
    const challenge = client.challengeFor(await client.authorization(url), "http-01");
    assert.ok(challenge !== null);
    await client.respond(challenge);
    await assert.rejects(client.waitValid(url), (error) => {
      assert.ok(error instanceof AcmeError);
      assert.equal(error.kind, "problem");
      assert.equal(error.type, "urn:ietf:params:acme:error:unauthorized");
      assert.match(error.detail ?? "", /unanswered\.example.*404/);
      assert.equal(toErrorCode(error), "certificate_failed");
      return true;
    });
    assert.equal((await client.resumeOrder(order))?.status, "invalid");
    await assert.rejects(collect(client, order), { name: "AcmeError", kind: "problem" });
  });

  it("resumes one order after a slow validation", async () => {
    const impatient = clientWith(accountKey, { pollTimeoutMs: 100 });
    const release = responders.hold();
    try {
      const order = await impatient.newOrder("slow.example");
      await assert.rejects(prove(impatient, responders, order, "http-01"), { kind: "pending" });
      await assert.rejects(prove(impatient, responders, order, "http-01"), { kind: "pending" });
      release();
      const [url = ""] = order.authorizations;
      await client.waitValid(url);
      const { chainPem } = await collect(client, order);
      assert.deepEqual(parseChain(chainPem).leaf.hostnames, ["slow.example"]);
    } finally {
      release();
    }
  });

  it("stops waiting when the caller's signal aborts", async () => {
    const release = responders.hold();
    try {
      const order = await client.newOrder("aborted.example");
      const [url = ""] = order.authorizations;
      const stop = new AbortController();
      const waiting = client.waitValid(url, stop.signal);
      stop.abort(new Error("shutting down"));
      await assert.rejects(waiting, { message: "shutting down" });
    } finally {
      release();
    }
  });

  it("has no ARI and no profiles to offer here, and orders without them", async () => {
    const { chainPem } = await issue(client, responders, "plain.example", "http-01");
    assert.equal(await client.renewalInfo(chainPem), null);
    const replaces = parseChain(chainPem).leaf.ariId ?? "";
    const order = await client.newOrder("plain.example", {
      profile: { name: "tlsserver", isRequired: false },
      replaces,
    });
    assert.equal(order.profile, null);
    assert.equal(order.replaces, null);
  });
});
