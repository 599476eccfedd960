import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { type EdgeDatabase, openEdgeDatabase } from "../../test/support/edge-database.ts";
import { type HostLine, readHostLine } from "../hosts/host-line.ts";
import { allHosts, hostsNamed } from "./hosts.ts";

describe("the hosts in the database", () => {
  let database: EdgeDatabase;
  before(async () => {
    database = await openEdgeDatabase();
  });
  afterEach(() => database.admin.query("delete from claims; delete from connections"));
  after(() => database.close());

  async function pages(): Promise<readonly (readonly HostLine[])[]> {
    const all: (readonly HostLine[])[] = [];
    for await (const page of allHosts(database.pool)) all.push(page);
    return all;
  }

  const names = Array.from({ length: 9_001 }, (_, index) => `n${index}.bulk.example`);

  it("are read once each, in two ranges at the same time", async () => {
    assert.deepEqual(await pages(), []);
    const last = await database.hold(...names);
    const read = await pages();
    const found = read.flat();
    assert.deepEqual(found.map(({ hostname }) => hostname).sort(), [...names].sort());
    const line = found.find(({ hostname }) => hostname === last.hostname);
    assert.deepEqual(line && readHostLine(line), last);
    // The first names of all, and those after the middle, before the rest.
    const firsts = read.map((page) => page[0]?.hostname ?? "");
    assert.equal(firsts.toSorted()[0], [...names].sort()[0]);
    const [low = "", high = ""] = firsts.slice(0, 2).sort();
    const between = names.filter((name) => name >= low && name < high).length;
    assert.ok(between > 3_000 && between < 6_000, `${between} names before the second range`);
  });

  it("are read by their names, among many others", async () => {
    const last = await database.hold(...names);
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

  it("have what their connections set, and a redirect only to a name that is served", async () => {
    await database.hold("shop.example", "www.shop.example", "own.example");
    const set = (hostname: string, column: string, value: string) =>
      database.admin.query(`update connections set ${column} = $1 where hostname = $2`, [
        ...[value, hostname],
      ]);
    const ownOf = async (hostname: string) => {
      const [line] = await hostsNamed(database.pool, [hostname]);
      return line && readHostLine(line).own;
    };
    await set("www.shop.example", "redirect_to", "shop.example");
    assert.equal(await ownOf("www.shop.example"), null);
    await set("shop.example", "state", "live");
    assert.deepEqual(await ownOf("www.shop.example"), {
      ...{ redirectTo: "shop.example", originUrl: null, originHostHeader: null },
    });
    await set("own.example", "origin_url", 'http://127.0.0.1:3000/\t"\n\\ü');
    await set("own.example", "origin_host_header", "origin");
    assert.deepEqual(await ownOf("own.example"), {
      ...{ redirectTo: null, originUrl: 'http://127.0.0.1:3000/\t"\n\\ü' },
      originHostHeader: "origin",
    });
  });
});
