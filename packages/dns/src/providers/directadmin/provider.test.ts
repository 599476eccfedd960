import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { suiteZone, withZone } from "../../../conformance/cases/case-context.ts";
import { startDirectadmin } from "../../../conformance/simulators/directadmin.ts";
import { runConformance } from "../../../conformance/suite.ts";
import type { ZoneListing } from "../../zone.ts";
import { directadmin } from "./provider.ts";

runConformance(directadmin, {
  simulator: startDirectadmin,
  skippedSince: "2026-11-18",
  skip: [
    {
      test: "creates and deletes a text of 300 characters, and nothing twice",
      reason: "what DirectAdmin does with a text of more than 255 bytes is not documented",
    },
  ],
});

describe("DirectAdmin's answers", () => {
  const listed = async (...records: readonly object[]): Promise<ZoneListing> => {
    let listing: ZoneListing | null = null;
    await withZone(directadmin, startDirectadmin, suiteZone, async ({ backend, zone, signal }) => {
      const fetch = async () => Response.json({ records });
      listing = await directadmin.open(backend.credentials, { fetch }).listRecords(zone, signal);
    });
    assert.ok(listing !== null);
    return listing;
  };
  const wire = (type: string, name: string, value: string) => ({
    type,
    name,
    value,
    combined: `name=${name}&value=${value}`,
  });

  it("have short and full names, no TTL for some, and targets in the zone without a dot", async () => {
    const { records } = await listed(
      wire("A", "ftp", "192.0.2.1"),
      { ...wire("CNAME", `docs.${suiteZone}.`, "ftp"), ttl: "3600" },
      wire("NS", `${suiteZone}.`, "ns1.example.net."),
    );
    assert.deepEqual(
      records.map(({ name, value, ttl }) => [name, value, ttl]),
      [
        [`ftp.${suiteZone}`, "192.0.2.1", 14_400],
        [`docs.${suiteZone}`, `ftp.${suiteZone}`, 3_600],
        [suiteZone, "ns1.example.net", 14_400],
      ],
    );
  });

  it("leave what cannot be named or read alone", async () => {
    const { records, opaque } = await listed(
      wire("MX", "mail", "10"),
      wire("TXT", "spf", "v=spf1 +a ~all"),
      wire("TXT", "a", "b&value=c"),
      { type: "A", name: "www", value: "192.0.2.1" },
    );
    assert.deepEqual(records, []);
    assert.equal(opaque.length, 4);
  });

  it("of an older server list the domains as a form", async () => {
    const provider = directadmin.open(
      { server: "da.example.net", username: "shop", login_key: "key" },
      { fetch: async () => new Response("list[]=example.com&list[]=another.example") },
    );
    const zones = await provider.listZones(new AbortController().signal);
    assert.deepEqual(
      zones.map(({ name }) => name),
      ["example.com", "another.example"],
    );
  });
});
