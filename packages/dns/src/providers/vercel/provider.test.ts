import assert from "node:assert/strict";
import { it } from "node:test";
import { suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startVercel } from "../../../conformance/simulators/vercel.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { vercel } from "./provider.ts";

runConformance(vercel, { simulator: startVercel });

it("gives the servers that Vercel assigned, not those of the present delegation", () =>
  withZone(vercel, startVercel, suiteZone, async ({ zone }) => {
    assert.deepEqual(zone.nameservers, ["ns1.vercel-dns.com", "ns2.vercel-dns.com"]);
  }));
