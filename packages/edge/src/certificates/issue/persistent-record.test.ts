import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ScriptedAcme, startScriptedAcme } from "@mooring/testing/acme/scripted-acme";
import { type AcmeClient, createAcmeClient } from "../../acme/client.ts";
import { generateKey } from "../../x509/keys.ts";
import { persistentRecord } from "./persistent-record.ts";

type Fields = Readonly<Record<string, unknown>>;

describe("the record of dns-persist-01", () => {
  let acme: ScriptedAcme;
  let client: AcmeClient;
  let account: string;
  let offer = (right: Fields): object => right;
  before(async () => {
    acme = await startScriptedAcme({
      challengeTypes: ["dns-persist-01", "dns-01"],
      persistFields: (right) => offer(right),
    });
    const clock = { now: () => new Date() };
    const accountKey = await generateKey();
    const { directoryUrl, fetch } = acme;
    client = createAcmeClient({ directoryUrl, fetch, accountKey, clock });
    account = await client.account();
  });
  after(() => acme.stop());

  /** What is published for a challenge that has these fields; the CA offers DNS-01 beside it. */
  async function recordFor(hostname: string, fields: (right: Fields) => object) {
    offer = fields;
    const order = await client.newOrder(hostname);
    const authorization = await client.authorization(order.authorizations[0] ?? "");
    assert.notEqual(client.challengeFor(authorization, "dns-01"), null, "another way is left");
    const challenge = client.challengeFor(authorization, "dns-persist-01");
    return challenge && persistentRecord(challenge, { hostname }, account);
  }

  it("names the CA, the account, and a wildcard", async () => {
    const right = (fields: Fields): object => fields;
    const one = `ca.scripted.example; accounturi=${account}`;
    assert.equal(await recordFor("shop.acme.example", right), one);
    assert.equal(await recordFor("*.shop.acme.example", right), `${one}; policy=wildcard`);
    const turned = (fields: Fields): object => ({
      ...fields,
      "issuer-domain-names": ["other.scripted.example", "ca.scripted.example"],
    });
    assert.equal(await recordFor("shop.acme.example", turned), one, "whatever the order");
    const older = ({ accounturi: _, ...rest }: Fields): object => rest;
    assert.equal(
      await recordFor("shop.acme.example", older),
      one,
      "the draft before has no account",
    );
  });

  const labels = (length: number, count: number): string =>
    Array.from({ length: count }, () => "a".repeat(length)).join(".");
  const issuers = (...names: readonly unknown[]) => ({ "issuer-domain-names": names });
  const unusable: readonly (readonly [string, object])[] = [
    ["no issuer", issuers()],
    ["more than ten issuers", issuers(...Array.from({ length: 11 }, (_, at) => `ca${at}.example`))],
    ["no list of issuers", { "issuer-domain-names": "ca.example" }],
    ["the field of a later draft", { issuerDomainNames: ["ca.example"] }],
    [
      "an issuer with a parameter of its own",
      issuers("ca.example; accounturi=https://evil.example"),
    ],
    ["an issuer in capitals", issuers("CA.example")],
    ["an issuer with a final dot", issuers("ca.example.")],
    ["an issuer that is too long", issuers(`${labels(63, 4)}.example`)],
    ["an issuer that is no text", issuers(7)],
    ["a record that no string can hold", issuers(`${labels(60, 3)}.example`)],
    ["another account", { ...issuers("ca.example"), accounturi: "https://ca.example/acct/7" }],
  ];
  for (const [title, fields] of unusable) {
    it(`is not published for a challenge with ${title}`, async () => {
      assert.equal(await recordFor("shop.acme.example", () => fields), null);
    });
  }
});
