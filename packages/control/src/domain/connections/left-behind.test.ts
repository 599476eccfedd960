import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { firstLookupAt, followSight, leftRecords, type Sight, type Watch } from "./left-behind.ts";

const hour = 3_600_000;
const start = new Date("2026-11-15T00:00:00.000Z");
const at = (hours: number): Date => new Date(start.getTime() + hours * hour);
const unseen: Watch = { seen: null, agreeing: 0, danglingSince: null, reportedAt: null };

function run(sights: readonly Sight[]) {
  const steps = [];
  let watch = unseen;
  for (const [index, sight] of sights.entries()) {
    const step = followSight(watch, sight, at(index));
    watch = step.watch;
    steps.push(step);
  }
  return { watch, steps, news: steps.filter(({ isNews }) => isNews).length };
}

describe("the watch over a name that was left behind", () => {
  it("believes two answers that agree, in both directions", () => {
    assert.equal(run(["here"]).watch.danglingSince, null);
    assert.deepEqual(run(["here", "here"]).watch.danglingSince, at(1));
    assert.deepEqual(run(["here", "unknown", "here"]).watch.danglingSince, at(2));
    assert.equal(run(["here", "gone", "here"]).watch.danglingSince, null);
    assert.deepEqual(run(["here", "here", "gone", "here"]).watch.danglingSince, at(1));
    assert.equal(run(["here", "here", "gone", "gone"]).watch.danglingSince, null);
  });

  it("forgets at once what it knew of a name that is connected again", () => {
    const { watch } = run(["here", "here", "in_use"]);
    assert.deepEqual([watch.danglingSince, watch.seen], [null, null]);
    assert.equal(run(["here", "in_use", "here"]).watch.danglingSince, null);
  });

  it("asks again soon only to confirm something new", () => {
    const waits = run(["gone", "here", "here", "here", "unknown", "gone", "gone"]).steps;
    assert.deepEqual(
      waits.map(({ nextMs }) => nextMs / hour),
      [24, 1, 24, 24, 24, 1, 24],
    );
  });

  it("reports at most once, and only after two answers in a row", () => {
    const sight = fc.constantFrom<Sight>("here", "gone", "unknown", "in_use");
    fc.assert(
      fc.property(fc.array(sight, { maxLength: 40 }), (sights) => {
        const { news, watch } = run(sights);
        const said = sights.filter((one) => one !== "unknown");
        const isTwice = said.some((one, index) => one === "here" && said[index + 1] === "here");
        assert.equal(news, isTwice ? 1 : 0);
        if (said.at(-1) === "in_use") assert.equal(watch.danglingSince, null);
      }),
    );
  });

  it("spreads the first lookups of names that are archived together over a day", () => {
    const hours = new Map<number, number>();
    for (let index = 0; index < 10_000; index += 1) {
      const due = firstLookupAt(start, index / 10_000).getTime() - start.getTime();
      hours.set(Math.floor(due / hour), (hours.get(Math.floor(due / hour)) ?? 0) + 1);
    }
    assert.equal(hours.get(0), undefined);
    assert.ok(Math.max(...hours.values()) <= 420);
    assert.equal(Math.max(...hours.keys()), 24);
  });
});

describe("the records that were left behind", () => {
  const edge = { cname: "edge.example.net", addresses: new Set(["192.0.2.1", "2001:db8::1"]) };
  const own = "a".repeat(26);
  const name = { hostname: "shop.acme.example", targetLabel: own };
  const cname = (value: string) => [{ host: name.hostname, type: "CNAME", value }];
  const none = { chain: [], records: [] };

  it("are a CNAME to the edge or to the own target, directly or through another name", () => {
    for (const value of ["edge.example.net", `${own}.edge.example.net`]) {
      assert.deepEqual(leftRecords(name, { ...none, chain: [value] }, edge), cname(value));
      const chain = ["www.acme.example", value];
      assert.deepEqual(leftRecords(name, { ...none, chain }, edge), cname("www.acme.example"));
    }
  });

  it("are never those of another connection's target", () => {
    const chain = [`${"b".repeat(26)}.edge.example.net`];
    const records = [{ type: "A", value: "192.0.2.1" }];
    assert.deepEqual(leftRecords(name, { chain, records }, edge), []);
    assert.deepEqual(leftRecords({ ...name, targetLabel: null }, { chain, records }, edge), []);
  });

  it("are the addresses of the edge, and no others beside them", () => {
    const records = [
      { type: "A", value: "192.0.2.1" },
      { type: "A", value: "198.51.100.7" },
      { type: "AAAA", value: "2001:db8::1" },
    ];
    assert.deepEqual(leftRecords(name, { ...none, records }, edge), [
      { host: name.hostname, type: "A", value: "192.0.2.1" },
      { host: name.hostname, type: "AAAA", value: "2001:db8::1" },
    ]);
    assert.deepEqual(leftRecords(name, none, edge), []);
  });
});
