import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { collect, fastTimings, issue, prove } from "@mooring/testing/acme/issue";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import { type AcmeResponders, startAcmeResponders } from "@mooring/testing/acme/responders";
import { parseChain } from "../x509/chain.ts";
import { generateKey } from "../x509/keys.ts";
import { type AcmeClient, createAcmeClient } from "./client.ts";
import { AcmeError } from "./error.ts";

let responders: AcmeResponders;
let pebble: Pebble;

/** A client with a new account, and how many of its POSTs were refused. */
async function newClient(timings = {}) {
  const counts = { refused: 0 };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await pebble.fetch(input, init);
    if (response.status === 400) counts.refused += 1;
    return response;
  };
  const client = createAcmeClient({
    directoryUrl: pebble.directoryUrl,
    accountKey: await generateKey(),
    fetch,
    clock: { now: () => new Date() },
    timings: { ...fastTimings, ...timings },
  });
  return { client, counts };
}

/** Repeats until it succeeds; every failure on the way must be about nonces. */
async function untilDone<T>(step: () => Promise<T>, failures: AcmeError[]): Promise<T> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      assert.ok(error instanceof AcmeError, String(error));
      assert.equal(error.type, "urn:ietf:params:acme:error:badNonce");
      failures.push(error);
    }
  }
  throw new Error("nothing went through in 300 attempts");
}

/** One order from start to certificate, resumed after each failure. */
async function issueStubbornly(
  client: AcmeClient,
  hostname: string,
  failures: AcmeError[],
): Promise<void> {
  const order = await untilDone(() => client.newOrder(hostname), failures);
  await untilDone(() => prove(client, responders, order, "http-01"), failures);
  const chainPem = await untilDone(async () => {
    const now = await client.resumeOrder(order);
    assert.equal(now?.url, order.url);
    return now.status === "valid" ? client.download(now) : (await collect(client, now)).chainPem;
  }, failures);
  assert.deepEqual(parseChain(chainPem).leaf.hostnames, [hostname]);
}

describe("rejected nonces", () => {
  before(async () => {
    responders = await startAcmeResponders();
    pebble = await startPebble({ ...responders, nonceReject: 50 });
  });
  after(async () => {
    await pebble?.stop();
    await responders?.stop();
  });

  it("issues while half of all nonces are rejected", async () => {
    const { client, counts } = await newClient();
    const failures: AcmeError[] = [];
    for (const name of ["one.example", "two.example", "three.example"]) {
      await issueStubbornly(client, name, failures);
    }
    assert.ok(counts.refused > 5, `${counts.refused} refusals`);
    // One request in a thousand meets ten rejections in a row; three of some forty do not.
    assert.ok(failures.length < 3, `${failures.length} requests gave up`);
  });

  it("stops cleanly when nearly all are rejected, and later continues with the same order", async () => {
    await pebble.restart({ nonceReject: 90 });
    const { client } = await newClient({ nonceTries: 3 });
    const failures: AcmeError[] = [];
    await issueStubbornly(client, "stubborn.example", failures);
    assert.ok(failures.length > 0, "three tries were always enough");
  });

  it("creates a lost account again once, and reports a lost order as unknown", async () => {
    await pebble.restart({ nonceReject: 0 });
    const { client } = await newClient();
    const account = await client.account();
    const { order } = await issue(client, responders, "before.example", "http-01");
    await pebble.restart({ nonceReject: 0 });

    assert.equal(await client.resumeOrder(order), null);
    const recreated = await client.account();
    assert.notEqual(recreated, account);
    const { chainPem } = await issue(client, responders, "after.example", "tls-alpn-01");
    assert.deepEqual(parseChain(chainPem).leaf.hostnames, ["after.example"]);
    assert.equal(await client.account(), recreated);
  });
});
