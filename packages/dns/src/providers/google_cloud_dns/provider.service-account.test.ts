import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, it } from "node:test";
import { ProviderError } from "../adapter/errors.ts";
import { assertion, readServiceAccount } from "./provider.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const whole = {
  type: "service_account",
  project_id: "example-project",
  private_key_id: "key-1",
  private_key: pem,
  client_email: "a@example-project.iam.gserviceaccount.com",
  token_uri: "https://oauth2.googleapis.com/token",
};

describe("readServiceAccount", () => {
  it("refuses what is no key file, without repeating any of it", () => {
    const bad = [
      "not json",
      "{}",
      JSON.stringify({ ...whole, type: "authorized_user" }),
      JSON.stringify({ ...whole, token_uri: "https://oauth2.googleapis.com.evil.example/token" }),
      JSON.stringify({ ...whole, token_uri: "http://oauth2.googleapis.com/token" }),
      JSON.stringify({ ...whole, private_key: "-----BEGIN PRIVATE KEY-----\nx" }),
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
});

describe("assertion", () => {
  it("is a signed statement for an hour", () => {
    const [header = "", claims = "", signature = ""] = assertion(
      readServiceAccount(JSON.stringify(whole)),
      new Date("2026-01-02T03:04:05Z"),
    ).split(".");
    const read = (part: string): unknown =>
      JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    assert.deepEqual(read(header), { alg: "RS256", typ: "JWT", kid: "key-1" });
    assert.deepEqual(read(claims), {
      iss: whole.client_email,
      scope: "https://www.googleapis.com/auth/ndev.clouddns.readwrite",
      aud: whole.token_uri,
      iat: 1_767_323_045,
      exp: 1_767_326_645,
    });
    const content = Buffer.from(`${header}.${claims}`);
    assert.ok(
      verify("RSA-SHA256", content, createPublicKey(pem), Buffer.from(signature, "base64url")),
    );
  });
});
