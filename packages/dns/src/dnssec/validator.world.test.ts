import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type SignedWorld,
  type SignedZone,
  startSignedWorld,
} from "@mooring/testing/dns/signed-world";
import { createNetworkResolver } from "../resolve/network-resolver.ts";
import type { Resolver } from "../resolve/resolver.ts";
import type { QueryType } from "../wire/rdata.ts";
import type { DnssecVerdict } from "./verdict.ts";

const dayMs = 86_400_000;
const nsec3 = ["nsec3: on", "nsec3-iterations: 0", "nsec3-salt-length: 0"];
const records = [
  "@ A 192.0.2.1",
  '@ CAA 0 issue "ca.example"',
  "www A 192.0.2.1",
  "alias CNAME www.nsec3.example.",
  "local CNAME www",
  "misdirected CNAME www.expired.example.",
  "outside CNAME www.unsigned.example.",
  "*.wild A 192.0.2.2",
  "deep.below TXT text",
  "moved DNAME nsec3.example.",
].join("\n");
const withoutKeys = (file: string) => without(file, /\sDNSKEY\s/, /\sRRSIG\s+DNSKEY\s/);
const without = (file: string, ...lines: readonly RegExp[]) =>
  file
    .split("\n")
    .filter((line) => !lines.some((pattern) => pattern.test(line)))
    .join("\n");
const otherDigest = (own: readonly string[]) =>
  own.map((data) => data.replace(/.{8}$/, "00000000"));

const zones: Readonly<Record<string, SignedZone>> = {
  "nsec.example": { records },
  "nsec3.example": { records, policy: nsec3 },
  "salted.example": { records, policy: ["nsec3: on", "nsec3-iterations: 20"] },
  "rsa256.example": { records, algorithm: "rsasha256" },
  "rsa512.example": { records, algorithm: "rsasha512" },
  "p384.example": { records, algorithm: "ecdsap384sha384" },
  "ed25519.example": { records, algorithm: "ed25519" },
  "ed448.example": { records, algorithm: "ed448" },
  "single.example": { records, policy: ["single-type-signing: on"] },
  "unsigned.example": { records, algorithm: null },
  "island.example": { records, ds: () => [] },
  "unknown.example": { records, ds: (own) => own.map((data) => data.replace(/ 13 2 /, " 250 2 ")) },
  "expired.example": { records, signedAt: new Date(Date.now() - 30 * dayMs) },
  "early.example": { records, signedAt: new Date(Date.now() + 30 * dayMs) },
  "wrong-ds.example": { records, ds: otherDigest },
  "two-ds.example": { records, ds: (own) => [...own, ...otherDigest(own)] },
  "no-keys.example": { records, edit: withoutKeys },
  "left-over.example": { records, algorithm: null, ds: () => [`1 13 2 ${"ab".repeat(32)}`] },
  "no-signature.example": { records, edit: (file) => without(file, /^www\S*\s.*\sRRSIG\s+A\s/) },
  "changed.example": {
    records,
    edit: (file) => file.replace(/(^www\S*\s.*A\s+192\.0\.2\.)1/m, "$19"),
  },
  "no-denial.example": { records, edit: (file) => without(file, /\sNSEC\s/) },
};

describe("a chain of trust that Knot signs", () => {
  let world: SignedWorld;
  let resolver: Resolver;
  const { signal } = new AbortController();

  before(async () => {
    world = await startSignedWorld("127.31.0", zones);
    resolver = world.resolver();
  });
  after(() => world.stop());

  const validate = async (name: string, ...types: readonly QueryType[]): Promise<DnssecVerdict> =>
    (await resolver.validate?.(name, types, signal)) ?? { outcome: "indeterminate" };
  /** Our outcome, which delv must share. */
  const agreed = async (name: string, type: QueryType): Promise<string> => {
    const { outcome } = await validate(name, type);
    assert.equal(outcome, await world.delv(name, type), `${name} ${type}: ours, and delv's`);
    return outcome;
  };

  const signed = Object.keys(zones).slice(0, 9);
  for (const zone of signed) {
    test(`is secure for every kind of answer in ${zone}`, async () => {
      const questions: readonly (readonly [string, QueryType])[] = [
        [zone, "A"],
        [`www.${zone}`, "A"],
        [`www.${zone}`, "CAA"],
        [zone, "CAA"],
        [`absent.${zone}`, "A"],
        [`far.absent.${zone}`, "TXT"],
        [`below.${zone}`, "A"],
        [`any.wild.${zone}`, "A"],
        [`any.wild.${zone}`, "TXT"],
        [`far.any.wild.${zone}`, "A"],
        [`local.${zone}`, "A"],
        [`alias.${zone}`, "A"],
      ];
      for (const [name, type] of questions) assert.equal(await agreed(name, type), "secure");
    });
  }

  test("follows a DNAME, whose CNAME nobody signs", async () => {
    assert.deepEqual(await validate("www.moved.nsec.example", "A"), { outcome: "secure" });
  });

  test("is insecure where the parent proves that there are no keys, or none that we know", async () => {
    for (const zone of ["unsigned.example", "island.example", "unknown.example"]) {
      assert.equal(await agreed(`www.${zone}`, "A"), "insecure");
      assert.deepEqual(await validate(`www.${zone}`, "A"), { outcome: "insecure", zone });
    }
  });

  test("validates what an alias leads to as well", async () => {
    assert.equal((await validate("outside.nsec.example", "A")).outcome, "insecure");
    const verdict = await validate("misdirected.nsec.example", "A");
    assert.ok(verdict.outcome === "bogus");
    assert.equal(verdict.fault.zone, "expired.example");
  });

  const faults: readonly (readonly [string, string, string, QueryType])[] = [
    ["expired.example", "www.expired.example", "signature_expired", "DNSKEY"],
    ["early.example", "www.early.example", "signature_early", "DNSKEY"],
    ["wrong-ds.example", "www.wrong-ds.example", "ds_mismatch", "DNSKEY"],
    ["no-keys.example", "www.no-keys.example", "dnskey_missing", "DNSKEY"],
    ["left-over.example", "www.left-over.example", "dnskey_missing", "DNSKEY"],
    ["no-signature.example", "www.no-signature.example", "signature_missing", "A"],
    ["changed.example", "www.changed.example", "signature_invalid", "A"],
    ["no-denial.example", "absent.no-denial.example", "denial_missing", "DS"],
  ];
  for (const [zone, name, reason, type] of faults) {
    test(`is bogus at ${name}, and says that ${zone} has ${reason}`, async () => {
      const verdict = await validate(name, "A");
      assert.ok(verdict.outcome === "bogus", verdict.outcome);
      const { fault } = verdict;
      assert.deepEqual([fault.zone, fault.reason, fault.type], [zone, reason, type]);
      assert.equal(await world.delv(name, "A"), "bogus");
    });
  }

  test("says since when signatures have expired", async () => {
    const verdict = await validate("www.expired.example", "A");
    assert.ok(verdict.outcome === "bogus");
    const days = (Date.now() - (verdict.fault.at?.getTime() ?? 0)) / dayMs;
    assert.ok(Math.abs(days - 16) < 0.1, `${days} days ago`);
  });

  test("takes one fitting DS among others, and calls only the broken name bogus", async () => {
    assert.equal(await agreed("www.two-ds.example", "A"), "secure");
    assert.equal(await agreed("local.changed.example", "TXT"), "secure");
    assert.equal(await agreed("any.wild.changed.example", "A"), "secure");
  });

  test("is indeterminate, never bogus, with an anchor that is not the root's", async () => {
    const { port, everything } = world;
    const stranger = createNetworkResolver({
      resolvers: [`${everything}:${port}`],
      authoritativePort: port,
    });
    const verdict = await stranger.validate?.("www.expired.example", ["A"], signal);
    assert.deepEqual(verdict, { outcome: "indeterminate" });
  });

  test("expires by the injected clock", async () => {
    const later = world.resolver({ now: () => new Date(Date.now() + 40 * dayMs) });
    // The root itself has expired by then, which says nothing about the zone.
    const verdict = await later.validate?.("www.nsec.example", ["A"], signal);
    assert.deepEqual(verdict, { outcome: "indeterminate" });
  });
});

describe("a parent with opt-out, as most top-level domains are", () => {
  let world: SignedWorld;
  const { signal } = new AbortController();
  before(async () => {
    const optOut = [...nsec3, "nsec3-opt-out: on"];
    world = await startSignedWorld(
      "127.32.0",
      {
        "nsec3.example": { records },
        "unsigned.example": { records, algorithm: null },
        "costly.example": { records, policy: ["nsec3: on", "nsec3-iterations: 2000"] },
      },
      optOut,
    );
  });
  after(() => world.stop());

  test("proves a signed child, an unsigned one and one that does not exist", async () => {
    const resolver = world.resolver();
    const validateName = async (name: string) =>
      (await resolver.validate?.(name, ["A"], signal))?.outcome ?? null;
    assert.equal(await validateName("www.nsec3.example"), "secure");
    assert.equal(await validateName("www.unsigned.example"), "insecure");
    assert.equal(await validateName("www.nobody.example"), "insecure");
    // delv calls the third secure; RFC 5155 §9.2 does not, because an unsigned zone may have it.
    for (const name of ["www.nsec3.example", "www.unsigned.example"]) {
      assert.equal(await world.delv(name, "A"), await validateName(name), name);
    }
  });

  test("treats a zone with too many NSEC3 iterations as unsigned", async () => {
    const verdict = await world.resolver().validate?.("absent.costly.example", ["A"], signal);
    assert.deepEqual(verdict, { outcome: "insecure", zone: "absent.costly.example" });
  });
});
