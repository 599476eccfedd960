import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Holding, memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { dnssecStatus } from "./dnssec.ts";

describe("dnssecStatus", () => {
  const status = (recursive: Holding) =>
    dnssecStatus(
      memoryResolver({ zone: "acme.example", servers: {}, recursive }),
      "acme.example",
      new AbortController().signal,
    );

  test("follows the parent's DS and the resolver's judgement", async () => {
    const soa = "acme.example 60 SOA ns1.acme.example hostmaster.acme.example 1 2 3 4 5";
    assert.equal(await status(records(soa)), "unsigned");
    assert.equal(await status(records(soa, "acme.example 60 DS 1 13 2 00")), "signed");
    assert.equal(await status("bogus"), "bogus");
    assert.equal(await status("timeout"), "unknown");
  });
});
