import assert from "node:assert/strict";
import { it } from "node:test";
import { isKind } from "../../../conformance/cases/reading-cases.ts";
import { startGandi } from "../../../conformance/simulators/gandi.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { gandi } from "./provider.ts";

runConformance(gandi, { simulator: startGandi });

/** octodns/octodns-gandi at 716be2f7, octodns_gandi/__init__.py: the header `total-count`. */
it("refuses a list that ends before the count that it states", async () => {
  const { signal } = new AbortController();
  const open = (total: string | null) =>
    gandi.open(
      { personal_access_token: "token" },
      {
        fetch: async (url) => {
          const isFirst = new URL(url).searchParams.get("page") === "1";
          const sets = [
            { rrset_name: "app", rrset_type: "A", rrset_ttl: 300, rrset_values: ["192.0.2.1"] },
          ];
          const items = url.includes("/records") ? sets : [{ fqdn: "shop.example" }];
          const headers = total === null ? {} : { headers: { "total-count": total } };
          return Response.json(isFirst ? items : [], headers);
        },
      },
    );
  const zone = { id: "shop.example", name: "shop.example", nameservers: [] };
  await assert.rejects(open("2").listRecords(zone, signal), isKind("unavailable"));
  await assert.rejects(open("2").listZones(signal), isKind("unavailable"));
  for (const total of ["1", null]) {
    assert.equal((await open(total).listRecords(zone, signal)).records.length, 1);
    assert.equal((await open(total).listZones(signal)).length, 1);
  }
});
