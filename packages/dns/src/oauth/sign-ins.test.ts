import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findProvider } from "../providers/registry.ts";
import { authorizationUrl, oauthSignIns } from "./sign-ins.ts";

const request = { redirectUri: "https://app.example/return", state: "s", codeChallenge: "c" };

describe("the sign-ins at DNS providers", () => {
  for (const row of oauthSignIns) {
    it(`of ${row.slug} give a token that its adapter takes`, () => {
      const manifest = findProvider(row.slug);
      const fields = manifest?.credentialFields.map(({ key }) => key) ?? [];
      assert.ok([...fields, manifest?.signInField].includes(row.field), row.field);
    });
  }

  it("ask for what outlives the visit only where it is retained", () => {
    const startQuery = (slug: string, isOffline: boolean) => {
      const row = oauthSignIns.find((one) => one.slug === slug);
      assert.ok(row !== undefined);
      const client = { ...row, clientId: "id", clientSecret: "secret" };
      return new URL(authorizationUrl(client, { ...request, isOffline })).searchParams;
    };
    assert.equal(startQuery("google_cloud_dns", true).get("access_type"), "offline");
    assert.equal(startQuery("google_cloud_dns", false).get("access_type"), null);
    assert.match(
      startQuery("google_cloud_dns", false).get("scope") ?? "",
      /ndev\.clouddns\.readwrite/,
    );
    assert.match(startQuery("cloudflare", true).get("scope") ?? "", /offline_access/);
    assert.doesNotMatch(startQuery("cloudflare", false).get("scope") ?? "", /offline_access/);
    assert.equal(startQuery("netlify", false).get("code_challenge_method"), "S256");
  });
});
