import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import { rfc9773Example } from "@mooring/testing/acme/rfc-9773-example";
import { type ScriptedAcme, startScriptedAcme } from "@mooring/testing/acme/scripted-acme";
import { generateKey } from "../x509/keys.ts";
import { type AcmeClient, createAcmeClient } from "./client.ts";

const window = { start: "2026-11-20T00:00:00Z", end: "2026-11-22T00:00:00Z" };

describe("renewalInfo", () => {
  let server: ScriptedAcme;
  let client: AcmeClient;
  before(async () => {
    server = await startScriptedAcme();
    client = createAcmeClient({
      directoryUrl: server.directoryUrl,
      accountKey: await generateKey(),
      fetch: server.fetch,
      clock: { now: () => new Date("2026-11-15T00:00:00Z") },
      timings: fastTimings,
    });
  });
  beforeEach(() => {
    server.seen.length = 0;
  });
  after(() => server?.stop());

  const answer = (body: object | string, headers: Readonly<Record<string, string>> = {}) => {
    server.intervene = ({ resource }) =>
      resource === "ari" ? { status: 200, headers, body } : null;
  };

  it("asks for the certificate by its identifier, without an account", async () => {
    answer({ suggestedWindow: window, explanationURL: "https://ca.example/why" });
    const info = await client.renewalInfo(rfc9773Example);
    assert.deepEqual(info, {
      start: new Date(window.start),
      end: new Date(window.end),
      explanationUrl: "https://ca.example/why",
      retryAfterSeconds: 21_600,
    });
    assert.deepEqual(
      server.seen.filter(({ resource }) => resource !== "directory").map(({ path }) => path),
      ["/ari/aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE"],
    );
  });

  it("holds the CA's Retry-After between a minute and a day", async () => {
    const asked = {
      "0": 60,
      "59": 60,
      "61": 61,
      "86400": 86_400,
      "999999999": 86_400,
      soon: 21_600,
    };
    for (const [header, expected] of Object.entries(asked)) {
      answer({ suggestedWindow: window }, { "retry-after": header });
      const info = await client.renewalInfo(rfc9773Example);
      assert.equal(info?.retryAfterSeconds, expected, header);
    }
    answer({ suggestedWindow: window }, { "retry-after": "Sun, 15 Nov 2026 01:00:00 GMT" });
    assert.equal((await client.renewalInfo(rfc9773Example))?.retryAfterSeconds, 3_600);
  });

  it("calls nonsense malformed instead of renewing by it", async () => {
    const nonsense = [
      "",
      "soon",
      "[]",
      "null",
      {},
      { suggestedWindow: [] },
      { suggestedWindow: { start: window.start } },
      { suggestedWindow: { start: "tomorrow", end: "later" } },
      { suggestedWindow: { start: "1", end: "2" } },
      { suggestedWindow: { start: window.end, end: window.start } },
      { suggestedWindow: { start: window.start, end: window.start } },
    ];
    for (const body of nonsense) {
      answer(body);
      await assert.rejects(client.renewalInfo(rfc9773Example), { kind: "malformed" });
    }
  });

  it("passes on that the CA does not know the certificate", async () => {
    server.intervene = () => null;
    await assert.rejects(client.renewalInfo(rfc9773Example), { kind: "problem" });
  });
});
