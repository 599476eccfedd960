import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  keys,
  makePlan,
  rec,
  remove,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startGodaddy } from "../../../conformance/simulators/godaddy.ts";
import { startGodaddyClassic } from "../../../conformance/simulators/godaddy-classic.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import type { Fetch } from "../adapter/http.ts";
import { godaddy } from "./provider.ts";

describe("with a personal access token", () => {
  runConformance(godaddy, { simulator: startGodaddy });
});

describe("with a classic key", () => {
  runConformance(godaddy, {
    simulator: startGodaddyClassic,
    skippedSince: "2026-11-15",
    skip: [
      {
        test: "creates and deletes a service, and nothing twice",
        reason: "version 1 keys SRV sets by service and protocol; writing them is refused",
      },
      {
        test: "creates and deletes a certificate authority authorisation, and nothing twice",
        reason: "CAA is not documented for version 1; writing it is refused",
      },
    ],
  });
});

/** godaddy/cli at 2cff614e, rust/domains-client/openapi/swagger_domains.v3.yaml: DNSRecord.data. */
it("closes the target of an ALIAS with a dot", () =>
  withZone(godaddy, startGodaddy, suiteZone, async ({ backend, provider, zone, signal }) => {
    const alias = rec("@", "ALIAS", "edge.example.net");
    await provider.apply(zone, makePlan(suiteZone, [create(alias)]), signal);
    assert.deepEqual(keys(await backend.records(suiteZone)), keys([alias]));
    assert.deepEqual(keys((await provider.listRecords(zone, signal)).records), keys([alias]));
  }));

/** The same: `recordId` is not among the fields that a record must have. */
it("does not delete the collection for a record that has no recordId", () =>
  withZone(godaddy, startGodaddy, suiteZone, async ({ backend, zone, signal }) => {
    const old = rec("app", "A", "192.0.2.1");
    await backend.seed(suiteZone, [old]);
    const sent: string[] = [];
    const item = { name: "app", type: "A", data: "192.0.2.1", ttl: 3_600 };
    const fetch: Fetch = async (url, { method = "GET" }) => {
      sent.push(`${method} ${new URL(url).pathname}`);
      return Response.json({ items: [item], links: [] });
    };
    const provider = godaddy.open(backend.credentials, { fetch });
    const plan = makePlan(suiteZone, [remove(old)]);
    await assert.rejects(provider.apply(zone, plan, signal), /shows no key/);
    assert.deepEqual(sent, [`GET /v3/domains/zones/${suiteZone}/dns-records`]);
  }));

it("says what is missing when neither kind of credential is complete", () => {
  const open = () => godaddy.open({ api_key: "only-half" }, { fetch });
  assert.throws(open, (error) => error instanceof ProviderError && error.kind === "auth");
});

it("does not give the domain's present delegation for the servers of its zone", async () => {
  for (const start of [startGodaddy, startGodaddyClassic]) {
    const backend = await start();
    try {
      await backend.seed("moved.example", []);
      const provider = godaddy.open(backend.credentials, { fetch: backend.fetch });
      const [zone] = await provider.listZones(new AbortController().signal);
      assert.deepEqual(zone?.nameservers, []);
    } finally {
      await backend.close();
    }
  }
});

it("finds a zone by its name whose domain is registered elsewhere", async () => {
  const { signal } = new AbortController();
  for (const start of [startGodaddy, startGodaddyClassic]) {
    const backend = await start();
    const open = (zone: string) =>
      godaddy.open({ ...backend.credentials, zone }, { fetch: backend.fetch });
    const names = async (zone: string) =>
      (await open(zone).listZones(signal)).map(({ name }) => name);
    try {
      await backend.seed("registered.example", []);
      await backend.seed("hosted.example", [
        { name: "hosted.example", type: "A", value: "192.0.2.1", ttl: 3_600, priority: null },
      ]);
      const found = ["registered.example", "hosted.example"];
      assert.deepEqual(await names("Hosted.example."), found);
      assert.deepEqual(await names("registered.example"), ["registered.example"]);
      const [, zone] = await open("hosted.example").listZones(signal);
      assert.ok(zone !== undefined);
      const { records } = await open("hosted.example").listRecords(zone, signal);
      assert.deepEqual(
        records.map(({ value }) => value),
        ["192.0.2.1"],
      );
      await assert.rejects(
        names("absent.example"),
        (error) => error instanceof ProviderError && error.kind === "not_found",
      );
    } finally {
      await backend.close();
    }
  }
});
