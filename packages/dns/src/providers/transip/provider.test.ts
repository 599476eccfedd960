import assert from "node:assert/strict";
import { it } from "node:test";
import { suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startTransip } from "../../../conformance/simulators/transip.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { transip } from "./provider.ts";

const moment = "a throttled answer names a moment, not a pause; tested below";

runConformance(transip, {
  simulator: startTransip,
  skippedSince: "2026-11-16",
  skip: [
    { test: "waits as long as the provider asks, then retries", reason: moment },
    { test: "hands a long wait to the caller instead of waiting", reason: moment },
  ],
});

it("hands over the time until the moment at which requests are accepted again", async () => {
  const headers = { "x-rate-limit-reset": "1800000090" };
  const fetch = async () =>
    Response.json({ error: "Rate limit exceeded" }, { status: 429, headers });
  const now = () => new Date(1_800_000_000_500);
  const provider = transip.open({ access_token: "token0123456789" }, { fetch, now });
  await assert.rejects(
    provider.listZones(new AbortController().signal),
    (error) => error instanceof ProviderError && error.retryAfterSeconds === 90,
  );
});

it("fetches one token with the key, in whatever form the key was pasted", () =>
  withZone(transip, startTransip, suiteZone, async ({ backend, signal }) => {
    const { account_name = "", private_key: flat = "" } = backend.credentials;
    const body = /-----BEGIN PRIVATE KEY-----(.+)-----END/.exec(flat)?.[1] ?? "";
    const wrap = (lineBreak: string) =>
      `-----BEGIN PRIVATE KEY-----${lineBreak}${body}${lineBreak}-----END PRIVATE KEY-----`;
    for (const private_key of [flat, wrap("\n"), wrap("\r\n"), wrap("\\n"), wrap(" ")]) {
      const paths: string[] = [];
      const fetch: typeof backend.fetch = (url, init) => {
        paths.push(new URL(url).pathname);
        return backend.fetch(url, init);
      };
      const provider = transip.open({ account_name, private_key }, { fetch });
      await provider.listZones(signal);
      await provider.listZones(signal);
      assert.deepEqual(paths, ["/v6/auth", "/v6/domains", "/v6/domains"]);
    }
  }));

it("needs a token, or a name with a key", () => {
  const environment = { fetch: () => Promise.reject(new Error("nothing is sent")) };
  for (const given of [{}, { account_name: "a" }, { private_key: "-----BEGIN X-----" }]) {
    assert.throws(() => transip.open(given, environment), /are needed/);
  }
  const broken = { account_name: "a", private_key: "-----BEGIN PRIVATE KEY-----secret" };
  assert.throws(() => transip.open(broken, environment), /not a whole private key/);
});
