import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { diagnoseWith } from "@mooring/testing/control/diagnosis/scripted-world";
import { domainChecks, joinMessages } from "@mooring/testing/control/domain-check";
import {
  type SignedWorld,
  type SignedZone,
  startSignedWorld,
} from "@mooring/testing/dns/signed-world";
import type { Finding } from "../../../domain/diagnosis/finding.ts";

const dayMs = 86_400_000;
const records = "shop A 192.0.2.7\nlost CNAME www.broken-edge.example.";
const otherDigest = (own: readonly string[]) =>
  own.map((data) => data.replace(/.{8}$/, "00000000"));
const zones: Readonly<Record<string, SignedZone>> = {
  "good.example": { records },
  "plain.example": { records, algorithm: null },
  "expired.example": { records, signedAt: new Date(Date.now() - 30 * dayMs) },
  "wrong-ds.example": { records, ds: otherDigest },
  "left-over.example": { records, algorithm: null, ds: () => [`1 13 2 ${"ab".repeat(32)}`] },
  "broken-edge.example": { records: "www A 192.0.2.1", ds: otherDigest },
};

/** The operator's resolver here answers without validating anything. */
describe("DNSSEC as our own validation sees it", () => {
  let world: SignedWorld;
  before(async () => {
    world = await startSignedWorld("127.34.0", zones);
  });
  after(() => world.stop());

  const gatherDnssec = async (hostname: string) => {
    const check = await domainChecks(world.resolver()).check(hostname);
    return { status: check.dnssec, warnings: joinMessages(check.warnings) };
  };

  it("is in domains:check, with what to do", async () => {
    assert.equal((await gatherDnssec("shop.good.example")).status, "signed");
    assert.equal((await gatherDnssec("shop.plain.example")).status, "unsigned");
    const expired = await gatherDnssec("shop.expired.example");
    assert.equal(expired.status, "bogus");
    assert.match(
      expired.warnings,
      /Ask the DNS provider of expired\.example to sign the zone again/,
    );
    const wrong = await gatherDnssec("shop.wrong-ds.example");
    assert.equal(wrong.status, "bogus");
    assert.match(wrong.warnings, /At the registrar of wrong-ds\.example, replace the DS record/);
  });

  const requireFinding = async (hostname: string, code: string): Promise<Finding> => {
    const zone = hostname.slice(hostname.indexOf(".") + 1);
    const connection = { hostname, registrableDomain: zone };
    const { findings } = await diagnoseWith(world.resolver(), { connection });
    const found = findings.find((finding) => finding.code === code);
    assert.ok(found !== undefined, findings.map((finding) => finding.code).join(" "));
    return found;
  };

  it("is a finding that names the zone, the reason and whose move it is", async () => {
    const expired = await requireFinding("shop.expired.example", "dnssec_broken");
    assert.equal(expired.title, "DNSSEC of expired.example is broken");
    assert.match(expired.evidence[0] ?? "", /expired on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);
    assert.equal(expired.actor, "end_customer");
    const wrong = await requireFinding("shop.wrong-ds.example", "dnssec_broken");
    assert.match(wrong.evidence[0] ?? "", /fits none of its keys/);
    assert.match(wrong.evidence[1] ?? "", /^Registry: DS \d+ 13 2 /);
    assert.match(wrong.fix, /^At the registrar of wrong-ds\.example/);
    const stale = await requireFinding("shop.left-over.example", "dnssec_ds_stale");
    assert.match(stale.fix, /remove the DS record/);
    const edge = await requireFinding("lost.good.example", "dnssec_broken");
    assert.deepEqual(
      [edge.title, edge.actor],
      ["DNSSEC of broken-edge.example is broken", "operator"],
    );
  });

  it("is no finding where a zone is signed well, or not at all", async () => {
    for (const hostname of ["shop.good.example", "shop.plain.example"]) {
      const connection = { hostname, registrableDomain: hostname.slice(5) };
      const { findings } = await diagnoseWith(world.resolver(), { connection });
      assert.ok(findings.every(({ code }) => !code.startsWith("dnssec")));
    }
  });
});
