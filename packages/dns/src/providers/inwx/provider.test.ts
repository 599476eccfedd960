import assert from "node:assert/strict";
import { it } from "node:test";
import {
  makePlan,
  rec,
  suiteZone,
  update,
  withZone,
} from "../../../conformance/cases/case-context.ts";
import { startInwx } from "../../../conformance/simulators/inwx.ts";
import { runConformance } from "../../../conformance/suite.ts";
import { inwx } from "./provider.ts";

runConformance(inwx, { simulator: startInwx });

it("says that the two-factor login needs its secret", () =>
  withZone(inwx, startInwx, suiteZone, async ({ backend, signal }) => {
    const { username = "", password = "" } = backend.credentials;
    const provider = inwx.open({ username, password }, { fetch: backend.fetch });
    await assert.rejects(provider.listZones(signal), /two-factor login is on/);
  }));

it("takes the next one-time password when another session has used this one", () =>
  withZone(inwx, startInwx, suiteZone, async ({ backend, signal }) => {
    const refused = { code: 2200, msg: "Authentication error", resData: {} };
    const tans: string[] = [];
    const fetch: typeof backend.fetch = async (url, init) => {
      const tan = /"tan":"(\d+)"/.exec(String(init.body))?.[1];
      if (tan === undefined) return backend.fetch(url, init);
      tans.push(tan);
      return tans.length === 1 ? Response.json(refused) : Response.json({ ...refused, code: 1000 });
    };
    let at = 1_800_000_010_000;
    const pauses: number[] = [];
    const wait = async (ms: number) => {
      pauses.push(ms);
      at += ms;
    };
    const provider = inwx.open(backend.credentials, { fetch, wait, now: () => new Date(at) });
    await provider.listZones(signal);
    assert.deepEqual(pauses, [20_000]);
    assert.equal(new Set(tans).size, 2);
  }));

it("changes a priority to 0, which the API's own change ignores", () =>
  withZone(inwx, startInwx, suiteZone, async ({ backend, provider, zone, signal }) => {
    const [before, after] = [
      rec("lists", "MX", "mx.example.net", { priority: 10 }),
      rec("lists", "MX", "mx.example.net", { priority: 0 }),
    ];
    await backend.seed(suiteZone, [before]);
    await provider.apply(zone, makePlan(suiteZone, [update(after, before)]), signal);
    assert.deepEqual(await backend.records(suiteZone), [after]);
  }));

it("takes the servers of a zone from its own NS records", () =>
  withZone(inwx, startInwx, suiteZone, async ({ backend, provider, zone, signal }) => {
    await backend.seed(suiteZone, [
      rec("@", "NS", "ns.inwx.de"),
      rec("team", "NS", "ns1.x.example"),
    ]);
    assert.deepEqual(await provider.readNameservers?.(zone, signal), ["ns.inwx.de"]);
  }));
