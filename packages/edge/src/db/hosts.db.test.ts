import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type EdgeDatabase, openEdgeDatabase } from "@mooring/testing/edge/edge-database";
import type pg from "pg";
import { type HostLine, readHostLine } from "../hosts/host-line.ts";
import { allHosts, hostChanges, hostsNamed, lastHostChange } from "./hosts.ts";
import type { Queries } from "./queries.ts";

describe("the hosts in the database", () => {
  let database: EdgeDatabase;
  before(async () => {
    database = await openEdgeDatabase();
  });
  after(() => database.close());

  async function pages(pool: Queries = database.pool): Promise<readonly (readonly HostLine[])[]> {
    const all: (readonly HostLine[])[] = [];
    for await (const page of allHosts(pool)) all.push(page);
    return all;
  }

  const names = Array.from({ length: 9_001 }, (_, index) => `n${index}.bulk.example`);

  it("are no page where there are none", async () => {
    assert.deepEqual(await pages(), []);
  });

  describe("that are many", () => {
    let last: Awaited<ReturnType<EdgeDatabase["hold"]>>;
    before(async () => {
      last = await database.hold(...names);
    });

    it("are read once each", async () => {
      const found = (await pages()).flat();
      assert.deepEqual(found.map(({ hostname }) => hostname).sort(), [...names].sort());
      const line = found.find(({ hostname }) => hostname === last.hostname);
      assert.deepEqual(line && readHostLine(line), last);
    });

    it("are asked for in two ranges of about the same size, at the same time", async () => {
      const asked: (readonly unknown[])[] = [];
      // Answers no page before both ranges are asked for: one after the other would never end.
      const both = Promise.withResolvers<void>();
      const query = async (statement: pg.QueryConfig): Promise<unknown> => {
        if (statement.name === "edge_claims_page") {
          asked.push(statement.values ?? []);
          if (asked.length === 2) both.resolve();
          await both.promise;
        }
        return await database.pool.query(statement);
      };
      await pages({ query: query as unknown as pg.Pool["query"] });
      const [first, second] = asked;
      const middle = second?.[0];
      assert.ok(typeof middle === "string");
      assert.deepEqual(
        [first, second],
        [
          ["", middle],
          [middle, null],
        ],
      );
      const before = names.filter((name) => name <= middle).length;
      assert.ok(before > 3_000 && before < 6_000, `${before} names in the first range`);
    });

    it("are read by their names, among many others", async () => {
      const some = ["n7.bulk.example", "unknown.example", last.hostname];
      const found = (await hostsNamed(database.pool, some)).map(readHostLine);
      assert.deepEqual(found.map(({ hostname }) => hostname).sort(), [some[0], some[2]]);
      assert.deepEqual(
        found.find(({ hostname }) => hostname === last.hostname),
        last,
      );
      assert.deepEqual(await hostsNamed(database.pool, ["unknown.example"]), []);
      assert.deepEqual(await hostsNamed(database.pool, []), []);
    });
  });

  it("have what their connections set, and a redirect only to a name that is served", async () => {
    await database.hold("shop.example", "www.shop.example", "own.example");
    const set = (hostname: string, column: string, value: string) =>
      database.admin.query(`update connections set ${column} = $1 where hostname = $2`, [
        value,
        hostname,
      ]);
    const ownOf = async (hostname: string) => {
      const [line] = await hostsNamed(database.pool, [hostname]);
      return line && readHostLine(line).own;
    };
    await set("www.shop.example", "redirect_to", "shop.example");
    assert.equal(await ownOf("www.shop.example"), null);
    await set("shop.example", "state", "live");
    assert.deepEqual(await ownOf("www.shop.example"), {
      redirectTo: "shop.example",
      originUrl: null,
      originHostHeader: null,
    });
    await set("own.example", "origin_url", 'http://127.0.0.1:3000/\t"\n\\ü');
    await set("own.example", "origin_host_header", "origin");
    assert.deepEqual(await ownOf("own.example"), {
      redirectTo: null,
      originUrl: 'http://127.0.0.1:3000/\t"\n\\ü',
      originHostHeader: "origin",
    });
  });

  it("name their customer, and are a change when another customer has them", async () => {
    const customerRef = 'Müller\t& "Söhne"\n';
    await database.hold("customer.example", "nobody.example");
    const before = (await lastHostChange(database.pool)).id;
    const update = "update connections set customer_ref = $1 where hostname = 'customer.example'";
    await database.admin.query(update, [customerRef]);
    const read = async (hostname: string) => {
      const [line] = await hostsNamed(database.pool, [hostname]);
      return line && readHostLine(line);
    };
    assert.equal((await read("customer.example"))?.customerRef, customerRef);
    assert.ok(!("customerRef" in ((await read("nobody.example")) ?? {})));
    const changes = await hostChanges(database.pool, before + 1);
    assert.deepEqual(
      changes.map(({ hostname }) => hostname),
      ["customer.example"],
    );
    await database.admin.query(update, [customerRef]);
    assert.equal((await hostChanges(database.pool, before + 1)).length, 1, "nothing has changed");
  });
});
