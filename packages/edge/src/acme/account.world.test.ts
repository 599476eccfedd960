import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { fastTimings, issue } from "@mooring/testing/acme/issue";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import { type AcmeResponders, startAcmeResponders } from "@mooring/testing/acme/responders";
import { parseChain } from "../x509/chain.ts";
import { generateKey } from "../x509/keys.ts";
import { createAcmeClient } from "./client.ts";
import type { ExternalAccount } from "./jws.ts";

describe("external account binding against Pebble", () => {
  const hmacKey = randomBytes(32).toString("base64url");
  let responders: AcmeResponders;
  let pebble: Pebble;
  before(async () => {
    responders = await startAcmeResponders();
    pebble = await startPebble({ ...responders, externalAccounts: { "customer-1": hmacKey } });
  });
  after(async () => {
    await pebble?.stop();
    await responders?.stop();
  });

  const clientWith = async (eab?: ExternalAccount) =>
    createAcmeClient({
      directoryUrl: pebble.directoryUrl,
      accountKey: await generateKey(),
      fetch: pebble.fetch,
      clock: { now: () => new Date() },
      timings: fastTimings,
      ...(eab === undefined ? {} : { eab }),
    });

  it("opens an account that is bound to the CA's customer, and issues", async () => {
    const client = await clientWith({ kid: "customer-1", hmacKey });
    const { chainPem } = await issue(client, responders, "bound.example", "http-01");
    assert.deepEqual(parseChain(chainPem).leaf.hostnames, ["bound.example"]);
  });

  it("is refused without a binding and with another key's", async () => {
    await assert.rejects((await clientWith()).account(), {
      kind: "problem",
      type: "urn:ietf:params:acme:error:externalAccountRequired",
    });
    const wrong = { kid: "customer-1", hmacKey: randomBytes(32).toString("base64url") };
    await assert.rejects((await clientWith(wrong)).account(), { kind: "problem" });
  });
});
