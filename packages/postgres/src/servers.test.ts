import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createServers, parseServers } from "./servers.ts";

describe("the servers of a database URL", () => {
  it("are one, or several with the same user, database and settings", () => {
    const one = "postgres://me:p%40ss@db.example:5433/mooring?sslmode=require";
    assert.deepEqual(parseServers(one), [one]);
    assert.deepEqual(
      parseServers(
        "postgresql://me:p%40ss@one,two:5433,[2001:db8::1]:5434/mooring?sslmode=require",
      ),
      [
        "postgresql://me:p%40ss@one/mooring?sslmode=require",
        "postgresql://me:p%40ss@two:5433/mooring?sslmode=require",
        "postgresql://me:p%40ss@[2001:db8::1]:5434/mooring?sslmode=require",
      ],
    );
    assert.deepEqual(parseServers("postgres:///mooring?host=/run/postgresql"), [
      "postgres:///mooring?host=/run/postgresql",
    ]);
  });

  it("are refused when one of them is no address", () => {
    for (const url of ["one:5432", "http://one/mooring", "postgres://one:many,two/mooring"]) {
      assert.throws(() => parseServers(url), TypeError, url);
    }
  });

  it("are tried one after another, and a failure of one that was left already changes nothing", () => {
    const servers = createServers("postgres://one,two/mooring");
    const [one, two] = ["postgres://one/mooring", "postgres://two/mooring"];
    assert.equal(servers.current(), one);
    servers.fail(one);
    servers.fail(one);
    assert.equal(servers.current(), two);
    servers.fail(two);
    assert.equal(servers.current(), one);
  });
});
