import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import {
  allowedOrigin,
  type DomainConnectApp,
  freshHostname,
  startDomainConnectApp,
} from "@mooring/testing/control/domain-connect-app";
import { call } from "@mooring/testing/control/http";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import type pg from "pg";
import { newState } from "../../domain/domain-connect/domain-connect.ts";

const returnPath = "https://connect.mooring.example/v1/connect/domain-connect/return";

interface Row {
  readonly state: string;
  readonly due_at: Date | null;
  readonly returned_at: Date | null;
  readonly outcome: string | null;
}

describe("the return from a DNS provider", () => {
  let one: DomainConnectApp;
  let session: pg.Client;
  before(async () => {
    one = await startDomainConnectApp();
    session = await openSession(one.app.databaseUrl);
    await one.makeKey();
    await one.deploy();
  });
  after(async () => {
    await session.end();
    await one.close();
  });

  /**
   * A customer at the provider: the connection, and the URL that the provider sends them back to.
   */
  const underWay = async (body?: unknown) => {
    const id = await one.connect(freshHostname());
    const link = new URL(await one.link(id, body));
    const state = link.searchParams.get("state") ?? "";
    // Due much later, so that a request for a check is visible.
    await session.query(
      "update connection_checks set due_at = now() + interval '9 days' where connection_id = $1",
      [id],
    );
    return { id, state, back: link.searchParams.get("redirect_uri") ?? "" };
  };
  const readRow = async (id: string): Promise<Row> => {
    const { rows } = await session.query<Row>(
      `select c.state, k.due_at, a.returned_at, a.outcome from connections c
       left join connection_checks k on k.connection_id = c.id join domain_connect_attempts a on a.connection_id = c.id where c.id = $1`,
      [id],
    );
    assert.ok(rows[0]);
    return rows[0];
  };
  const isDue = ({ due_at }: Row) => due_at !== null && due_at <= one.app.clock.now();

  it("makes the connection due at once, notes it, and changes no state", async () => {
    const { id, state, back } = await underWay();
    const page = await one.visit(`${back}?state=${state}`);
    assert.equal(page.status, 200, page.text);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    const row = await readRow(id);
    assert.equal(row.state, "pending_ownership");
    assert.equal(row.outcome, "returned");
    assert.ok(isDue(row));
    assert.deepEqual(await one.timeline(id), [
      { via: "domain_connect", provider: "DNS Example", zone: "acme.example", outcome: "returned" },
    ]);
  });

  it("accepts a state in the path or in the query only", async () => {
    const pathOnly = await underWay();
    assert.equal((await one.visit(pathOnly.back)).status, 200);
    const queryOnly = await underWay();
    assert.equal((await one.visit(`${returnPath}?state=${queryOnly.state}`)).status, 200);
  });

  it("works once: a replayed state gets a page that says so, and changes nothing", async () => {
    const { id, back } = await underWay();
    const together = await Promise.all(
      Array.from({ length: 5 }, () => one.visit(`${back}?error=access_denied`)),
    );
    assert.deepEqual(together.map(({ status }) => status).sort(), [200, ...Array(4).fill(409)]);
    await session.query(
      "update connection_checks set due_at = now() + interval '9 days' where connection_id = $1",
      [id],
    );
    const again = await one.visit(back);
    assert.equal(again.status, 409);
    assert.match(again.text, /used already/);
    const row = await readRow(id);
    assert.equal(row.outcome, "cancelled");
    assert.ok(!isDue(row));
    assert.equal((await one.timeline(id)).length, 1);
  });

  it("refuses expired, unknown, forged and mismatched states, and changes nothing", async () => {
    const { id, state, back } = await underWay();
    const other = await underWay();
    const forged = `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}`;
    const unknown = newState(Buffer.alloc(32, 7));
    const refused: readonly (readonly [string, number])[] = [
      [`${returnPath}/${forged}`, 400],
      [`${returnPath}?state=${forged}`, 400],
      [`${returnPath}/${unknown}`, 400],
      [`${returnPath}/${state}=`, 400],
      [`${returnPath}?state=${state}&state=${state}`, 400],
      [`${returnPath}`, 400],
      [`${returnPath}?state=`, 400],
      [`${returnPath}?state[x]=${state}`, 400],
      [`${back}?state=${other.state}`, 400],
      [`${back}?state=<script>alert(1)</script>`, 400],
    ];
    for (const [url, status] of refused) {
      const page = await one.visit(url);
      assert.equal(page.status, status, url);
      assert.match(page.text, /<h1>/);
      assert.doesNotMatch(page.text, /<script/);
    }
    one.app.clock.advance(3_600_001);
    const late = await one.visit(back);
    assert.equal(late.status, 410);
    for (const connection of [id, other.id]) {
      const row = await readRow(connection);
      assert.equal(row.returned_at, null);
      assert.ok(!isDue(row));
      assert.deepEqual(await one.timeline(connection), []);
    }
  });

  it("answers arbitrary input with a 4xx page that contains none of it", async () => {
    const { id } = await underWay();
    const part = fc.string({ unit: "binary", maxLength: 200 });
    const query = fc.dictionary(
      fc.constantFrom("state", "code", "error", "error_description", "x[]", "__proto__"),
      part,
    );
    await fc.assert(
      fc.asyncProperty(fc.option(part), query, async (path, values) => {
        const at = path === null ? returnPath : `${returnPath}/${encodeURIComponent(path)}`;
        const page = await one.visit(`${at}?${new URLSearchParams(values)}<script>x</script>`);
        assert.ok(page.status >= 400 && page.status < 500, `${page.status} ${page.text}`);
        assert.doesNotMatch(page.text, /<script/);
      }),
      { numRuns: propertyRuns(5_000) / 5 },
    );
    assert.equal((await readRow(id)).returned_at, null);
  });

  it("refuses a state whose connection is archived", async () => {
    const { id, back } = await underWay();
    const path = `/v1/connections/${id}`;
    await call(one.app.api.url, path, { key: one.key, method: "DELETE" });
    assert.equal((await one.visit(back)).status, 409);
    assert.equal((await readRow(id)).returned_at, null);
  });

  it("leaves the provider's text out of the page, and sanitises it in the timeline", async () => {
    const { id, back } = await underWay();
    const hostile = encodeURIComponent(`<img src=x onerror=alert(1)>\u202e\n${"x".repeat(900)}`);
    const page = await one.visit(
      `${back}?error=server_error"><script>&error_description=${hostile}`,
    );
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /onerror|alert\(1\)/);
    const [entry] = await one.timeline(id);
    assert.equal(entry?.["outcome"], "refused");
    assert.equal(entry?.["error"], "unknown_error");
    assert.equal(String(entry?.["description"]).length, 200);
    assert.doesNotMatch(String(entry?.["description"]), /[\u202e\n]/);
  });

  it("redirects to the given URI with the outcome", async () => {
    const asked = `${allowedOrigin}/domains?tab=1#here`;
    const { id, back } = await underWay({ redirect_uri: asked });
    const answer = await one.visit(`${back}?error=access_denied&error_description=user_cancel`);
    assert.equal(answer.status, 303);
    assert.equal(
      answer.headers.get("location"),
      `${allowedOrigin}/domains?tab=1&connection_id=${id}&domain_connect=cancelled#here`,
    );
    assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
    assert.deepEqual(await one.timeline(id), [
      {
        via: "domain_connect",
        provider: "DNS Example",
        zone: "acme.example",
        outcome: "cancelled",
        error: "access_denied",
        description: "user_cancel",
      },
    ]);
  });

  it("ends in a page whose script posts to the allowed origins only", async () => {
    const { id, back } = await underWay();
    const page = await one.visit(back);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(page.headers.get("cache-control"), "no-store");
    const scripts = [...page.text.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
    assert.deepEqual(
      scripts.map(([, attributes, content]) => [attributes, content]),
      [[' src="/v1/connect/domain-connect/return.js"', ""]],
    );
    const data = (name: string): unknown => {
      const text = new RegExp(`data-${name}="([^"]*)"`).exec(page.text)?.[1] ?? "";
      return JSON.parse(text.replaceAll("&quot;", '"'));
    };
    assert.deepEqual(data("origins"), [allowedOrigin, "https://connect.mooring.example"]);
    const message = { type: "svc:domain-connect", connection_id: id, status: "returned" };
    assert.deepEqual(data("message"), message);
    const script = await one.visit("https://x/v1/connect/domain-connect/return.js");
    assert.equal(script.status, 200);
    assert.match(script.headers.get("content-type") ?? "", /javascript/);
    assert.doesNotMatch(script.text, /["']\*["']/);
  });
});
