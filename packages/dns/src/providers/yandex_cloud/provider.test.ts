import assert from "node:assert/strict";
import { constants, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startYandexCloud } from "../../../conformance/simulators/yandex-cloud.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { yandexCloud } from "./provider.ts";
import { accountStatement, readServiceAccount } from "./service-account.ts";

runConformance(yandexCloud, { simulator: startYandexCloud });

const signal = new AbortController().signal;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const whole = { id: "aje-key", service_account_id: "aje-account", private_key: pem };

describe("yandex_cloud", () => {
  it("takes public zones only, of all pages", () =>
    withZone(yandexCloud, startYandexCloud, suiteZone, async ({ provider }) => {
      const zones = await provider.listZones(signal);
      assert.deepEqual(
        zones.map(({ name }) => name),
        [suiteZone],
      );
    }));

  it("tells why a change failed that was accepted first", () =>
    withZone(yandexCloud, startYandexCloud, suiteZone, async ({ backend, zone }) => {
      const kinds = { 7: "auth", 8: "rate_limited", 9: "conflict", 13: "unavailable" };
      for (const [code, kind] of Object.entries(kinds)) {
        const fetch: Fetch = async (url, init) => {
          if (!url.endsWith(":updateRecordSets")) return backend.fetch(url, init);
          const error = { code: Number(code), message: "no" };
          return new Response(JSON.stringify({ id: "dnsop", done: true, error }));
        };
        const provider = yandexCloud.open(backend.credentials, { fetch, wait: async () => {} });
        const plan = makePlan(suiteZone, [create(rec("app", "A", "192.0.2.1"))]);
        await assert.rejects(provider.apply(zone, plan, signal), (error) => {
          assert.ok(error instanceof ProviderError);
          assert.equal(error.kind, kind, code);
          return true;
        });
      }
    }));
});

describe("readServiceAccount", () => {
  it("refuses what is no key file, without repeating any of it", () => {
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const bad = [
      "not json",
      "{}",
      JSON.stringify({ ...whole, private_key: "-----BEGIN PRIVATE KEY-----\nx" }),
      JSON.stringify({ ...whole, private_key: curve.export({ type: "pkcs8", format: "pem" }) }),
    ];
    for (const pasted of bad) {
      assert.throws(
        () => readServiceAccount(pasted),
        (error) =>
          error instanceof ProviderError &&
          error.kind === "auth" &&
          !error.message.includes("PRIVATE"),
      );
    }
  });

  it("reads past the line before the key", () => {
    const line = "PLEASE DO NOT REMOVE THIS LINE! Yandex.Cloud SA Key ID <aje-key>";
    const read = readServiceAccount(
      JSON.stringify({ ...whole, private_key: `${line}\n${whole.private_key}` }),
    );
    assert.ok(read.key.equals(privateKey));
  });
});

describe("accountStatement", () => {
  it("is a statement for an hour, signed by PS256", () => {
    const account = readServiceAccount(JSON.stringify(whole));
    const at = new Date("2026-01-02T03:04:05Z");
    const [header = "", claims = "", signature = ""] = accountStatement(account, at).split(".");
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
    assert.deepEqual(read(header), { typ: "JWT", alg: "PS256", kid: "aje-key" });
    assert.deepEqual(read(claims), {
      iss: "aje-account",
      aud: "https://iam.api.cloud.yandex.net/iam/v1/tokens",
      iat: 1_767_323_045,
      exp: 1_767_326_645,
    });
    const key = { key: createPublicKey(pem), padding: constants.RSA_PKCS1_PSS_PADDING };
    const content = Buffer.from(`${header}.${claims}`);
    const made = Buffer.from(signature, "base64url");
    assert.ok(verify("sha256", content, { ...key, saltLength: 32 }, made));
  });
});
