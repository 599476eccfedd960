import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startPorkbun } from "../../../conformance/simulators/porkbun.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { porkbun } from "./provider.ts";

runConformance(porkbun, { simulator: startPorkbun });

const keys = { api_key: "pk1_0123456789", secret_api_key: "sk1_0123456789" };
const signal = new AbortController().signal;

/** What comes of listing the zones when the API answers with these, in order. */
async function listWith(...answers: readonly Response[]) {
  const pauses: number[] = [];
  const left = [...answers];
  const fetch = async () => left.shift() ?? Response.json({ status: "SUCCESS", domains: [] });
  const wait = async (ms: number) => void pauses.push(ms);
  const outcome = await porkbun
    .open(keys, { fetch, wait })
    .listZones(signal)
    .catch((error: unknown) => error);
  return { pauses, kind: outcome instanceof ProviderError ? outcome.kind : null };
}

describe("porkbun's errors", () => {
  it("have a text as code, also with status 200", async () => {
    const kinds = {
      INVALID_API_KEYS_001: "auth",
      IP_NOT_ALLOWED: "auth",
      DOMAIN_NOT_ALLOWED: "auth",
      INVALID_DOMAIN: "not_found",
      DUPLICATE_RECORD: "conflict",
      SOMETHING_NEW: "unsupported",
    };
    for (const [code, kind] of Object.entries(kinds)) {
      for (const status of [200, 400]) {
        const body = { status: "ERROR", code, message: "No." };
        const { kind: given } = await listWith(Response.json(body, { status }));
        assert.equal(given, kind, `${code} with status ${status}`);
      }
    }
  });

  it("may be a page with status 503, which is throttling; the retry waits over a second", async () => {
    const page = () =>
      new Response("<html><h1>503 Service Temporarily Unavailable</h1></html>", { status: 503 });
    const once = await listWith(page());
    assert.equal(once.kind, null);
    assert.ok((once.pauses[0] ?? 0) > 1_000, String(once.pauses));
    assert.equal((await listWith(page(), page(), page())).kind, "rate_limited");
  });
});
