import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { isRecordType } from "../record.ts";
import type { FailureReason, Resolver } from "../resolve/resolver.ts";
import { checkRecords } from "./records.ts";
import { proveTxt } from "./txt-proof.ts";

const hostname = "_service-challenge.acme.example";
const zoneRecords = records(
  "acme.example 60 A 192.0.2.1",
  "acme.example 60 AAAA 2001:db8::1",
  "www.acme.example 60 CNAME edge.service.example",
  "acme.example 60 MX 10 mail.example",
  `${hostname} 60 TXT token`,
);
const wantedRecords = zoneRecords.flatMap((record) =>
  isRecordType(record.type) ? [{ ...record, type: record.type }] : [],
);

/** Three good servers of which any question may fail, as the list of draws says. */
function unreliable(draws: readonly (FailureReason | null)[]): Resolver {
  const servers = { ns1: zoneRecords, ns2: zoneRecords, ns3: zoneRecords };
  const sound = memoryResolver({ zone: "acme.example", servers });
  let next = 0;
  return {
    ...sound,
    askServer: async (server, name, type, options) => {
      const reason = draws[next++ % draws.length] ?? null;
      if (reason !== null) return { outcome: "failed", reason };
      return sound.askServer(server, name, type, options);
    },
  };
}

const draws = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<FailureReason>(
        "timeout",
        "servfail",
        "refused",
        "lame",
        "malformed",
      ),
    },
  ),
  { minLength: 1, maxLength: 40 },
);

describe("with a fifth of all questions failing", () => {
  test("right records are a match or unknown, never changed", async () => {
    const { signal } = new AbortController();
    const options = { edgeAddresses: [], now: new Date(0), signal };
    await fc.assert(
      fc.asyncProperty(draws, async (drawn) => {
        const { records: checks } = await checkRecords(unreliable(drawn), wantedRecords, options);
        for (const { outcome } of checks) assert.ok(outcome === "match" || outcome === "unknown");
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });

  test("a proof is a match or unknown, and never a match from fewer than two servers", async () => {
    const { signal } = new AbortController();
    const expected = { name: hostname, value: "token", randomLabel: "x1", signal };
    await fc.assert(
      fc.asyncProperty(draws, async (drawn) => {
        const proof = await proveTxt(unreliable(drawn), expected);
        const matching = proof.servers.filter(({ outcome }) => outcome === "match").length;
        assert.equal(proof.outcome, matching >= 2 ? "match" : "unknown");
      }),
      { numRuns: propertyRuns(10_000) },
    );
  });
});
