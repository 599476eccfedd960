import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  create,
  makePlan,
  rec,
  suiteZone,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startCpanel } from "../../../conformance/simulators/cpanel.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { ProviderError } from "../adapter/errors.ts";
import { cpanel } from "./provider.ts";

runConformance(cpanel, { simulator: startCpanel });

describe("a cPanel account", () => {
  const login = { server: "panel.example.net", username: "shop" };

  it("needs a token or a password, and an address over https", () => {
    for (const fields of [
      login,
      { ...login, password: "secret", server: "http://panel.example.net:2082" },
      { ...login, password: "secret", server: "https://a:b@panel.example.net" },
    ]) {
      const open = () => cpanel.open(fields, { fetch });
      assert.throws(open, (error) => error instanceof ProviderError && error.kind === "auth");
    }
  });

  it("is asked at its own port, by a token or else by the password", async () => {
    const asked: (readonly [string, string | null])[] = [];
    const fetchOnce: typeof fetch = async (url, init) => {
      asked.push([String(url), new Headers(init?.headers).get("authorization")]);
      return Response.json({ status: 1, data: { main_domain: "shop.example" }, errors: null });
    };
    const signal = new AbortController().signal;
    for (const fields of [
      { ...login, password: "pass word" },
      { ...login, password: "pass word", api_token: "TOKEN" },
      { ...login, server: "https://cpanel.shop.example/cpsess1/frontend?x=1", api_token: "TOKEN" },
    ]) {
      const zones = await cpanel.open(fields, { fetch: fetchOnce }).listZones(signal);
      assert.deepEqual(
        zones.map(({ name }) => name),
        ["shop.example"],
      );
    }
    const basic = `Basic ${Buffer.from("shop:pass word").toString("base64")}`;
    assert.deepEqual(asked, [
      ["https://panel.example.net:2083/execute/DomainInfo/list_domains", basic],
      ["https://panel.example.net:2083/execute/DomainInfo/list_domains", "cpanel shop:TOKEN"],
      ["https://cpanel.shop.example/execute/DomainInfo/list_domains", "cpanel shop:TOKEN"],
    ]);
  });
});

describe("a zone file at cPanel", () => {
  const added = rec("shop", "A", "192.0.2.20");

  it("is not written after another change, which would be at other lines", () =>
    withZone(cpanel, startCpanel, suiteZone, async ({ backend, zone, signal }) => {
      const interrupted = cpanel.open(backend.credentials, {
        fetch: async (url, init) => {
          const other = cpanel.open(backend.credentials, { fetch: backend.fetch });
          if (init.method === "POST") {
            await other.apply(
              zone,
              makePlan(suiteZone, [create(rec("x", "A", "192.0.2.9"))]),
              signal,
            );
          }
          return backend.fetch(url, init);
        },
        wait: async () => undefined,
      });
      await assert.rejects(interrupted.apply(zone, makePlan(suiteZone, [create(added)]), signal), {
        kind: "unavailable",
        message: "The zone was changed by someone else meanwhile.",
      });
      const names = (await backend.records(suiteZone)).map(({ name }) => name);
      assert.ok(!names.includes(added.name) && names.includes(`x.${suiteZone}`));
    }));

  it("is refused when its names are not relative to the zone", () =>
    withZone(cpanel, startCpanel, suiteZone, async ({ backend, zone, signal }) => {
      const text_b64 = Buffer.from("$ORIGIN other.example.").toString("base64");
      const provider = cpanel.open(backend.credentials, {
        fetch: async () =>
          Response.json({
            status: 1,
            errors: null,
            data: [{ line_index: 4, type: "control", text_b64 }],
          }),
      });
      await assert.rejects(provider.listRecords(zone, signal), { kind: "unsupported" });
    }));

  it("leaves an entry alone that has no line", () =>
    withZone(cpanel, startCpanel, suiteZone, async ({ backend, zone, signal }) => {
      const encoded = (value: string) => Buffer.from(value).toString("base64");
      const wire = { type: "record", record_type: "A", ttl: 300, dname_b64: encoded("www") };
      const provider = cpanel.open(backend.credentials, {
        fetch: async () =>
          Response.json({ status: 1, data: [{ ...wire, data_b64: [encoded("192.0.2.1")] }] }),
      });
      const { records, opaque } = await provider.listRecords(zone, signal);
      assert.deepEqual(records, []);
      assert.deepEqual(
        opaque.map(({ name }) => name),
        [`www.${suiteZone}`],
      );
    }));
});
