import assert from "node:assert/strict";
import { it } from "node:test";
import { startPowerdns } from "../../../conformance/simulators/powerdns.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { powerdns } from "./provider.ts";

runConformance(powerdns, { simulator: startPowerdns });

it("refuses an address that is none, one without TLS, and one with a password in it", () => {
  for (const api_url of [
    "",
    "http://pdns.example.net:8081",
    "ftp://pdns.example.net",
    "https://a:b@pdns.example.net",
  ]) {
    const open = () => powerdns.open({ api_url, api_key: "key" }, { fetch });
    assert.throws(open, (error) => error instanceof ProviderError && error.kind === "auth");
  }
});

it("finds the interface below whatever part of its path was pasted", async () => {
  const backend = await startPowerdns();
  try {
    for (const end of ["", "/", "//", "/api", "/api/v1", "/api/v1/servers/localhost/zones"]) {
      const api_url = `https://pdns.example.net:8081${end}`;
      const provider = powerdns.open({ ...backend.credentials, api_url }, { fetch: backend.fetch });
      assert.deepEqual(await provider.listZones(new AbortController().signal), []);
    }
  } finally {
    await backend.close();
  }
});
