import assert from "node:assert/strict";
import { it } from "node:test";
import { adapters } from "../src/providers/registry.ts";
import { readChecks } from "./checked-against.ts";
import { readRecordings } from "./recordings/recording.ts";

const slugs = adapters.map(({ manifest }) => manifest.slug);

it("every adapter is checked against two clients that nobody here wrote", () => {
  const checks = readChecks(slugs);
  assert.deepEqual(
    slugs.filter((slug) => (checks.get(slug)?.clients.length ?? 0) < 2),
    [],
  );
});

it("every recording is of an adapter, and counts for it", () => {
  const checks = readChecks(slugs);
  for (const slug of readRecordings().keys()) {
    const { recordings = [], fixtures = [] } = checks.get(slug) ?? {};
    assert.ok(recordings.length + fixtures.length > 0, slug);
  }
});

it("adapters that sign are compared with the provider's SDK, and real servers are known", () => {
  const checks = [...readChecks(slugs)];
  const having = (key: "officialSdk" | "realServer") =>
    checks.filter(([, one]) => one[key]).map(([slug]) => slug);
  const signing = ["akamai", "alidns", "oracle", "ovh", "route53", "tencentcloud"];
  assert.deepEqual(
    signing.filter((slug) => !having("officialSdk").includes(slug)),
    [],
  );
  for (const slug of ["powerdns", "rfc2136"]) assert.ok(having("realServer").includes(slug), slug);
});
