import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { withoutLimits } from "@mooring/testing/control/world";
import pg from "pg";

type Row = Readonly<Record<string, unknown>>;

function rowsOf(answer: Answer): readonly Row[] {
  assert.equal(answer.status, 200, answer.text);
  return answer.json()["data"] as readonly Row[];
}

describe("a connection in a list", () => {
  let app: TestApp;
  let key: string;
  let foreignKey: string;
  let applicationId: string;

  const get = (path: string, as = key) => call(app.api.url, path, { key: as });
  const hostnames = async (query: string, as = key) =>
    rowsOf(await get(`/v1/connections?${query}`, as)).map((row) => row["hostname"]);

  before(async () => {
    app = await startTestApp(withoutLimits);
    key = (await app.tenant("own")).keys.test;
    foreignKey = (await app.tenant("foreign")).keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    applicationId = textOf(made, "id");
  });
  after(() => app.close());

  describe("with a customer's name beyond ASCII", () => {
    const customers = {
      "mueller.folds.test": "Müller & Söhne GmbH",
      "shout.folds.test": "ÅNGSTRÖM AB",
      "parts.folds.test": "Cafe\u0301 Zoe\u0308",
      "strasse.folds.test": "STRASSE 7",
      "greek.folds.test": "ΟΔΟΣ Αθηνών",
      "kanji.folds.test": "山田 商店",
      "plain.folds.test": "Acme  Inc. / a b",
    };
    before(async () => {
      for (const [hostname, customer_ref] of Object.entries(customers)) {
        const body = { application_id: applicationId, hostname, customer_ref };
        const made = await call(app.api.url, "/v1/connections", { key, body });
        assert.equal(made.status, 201, made.text);
      }
    });

    const searches: readonly (readonly [string, keyof typeof customers])[] = [
      ["müller & söhne", "mueller.folds.test"],
      ["MÜLLER & SÖHNE GMBH", "mueller.folds.test"],
      ["mu\u0308ller", "mueller.folds.test"],
      ["ångström", "shout.folds.test"],
      ["ström ab", "shout.folds.test"],
      ["öM", "shout.folds.test"],
      ["café zoë", "parts.folds.test"],
      ["É Z", "parts.folds.test"],
      ["straße 7", "strasse.folds.test"],
      ["οδος αθην", "greek.folds.test"],
      ["οδοσ", "greek.folds.test"],
      ["山田 商店", "kanji.folds.test"],
      ["田 商", "kanji.folds.test"],
      ["商店", "kanji.folds.test"],
      ["acme  inc. /", "plain.folds.test"],
      ["a b", "plain.folds.test"],
      ["/ ", "plain.folds.test"],
    ];
    for (const [text, hostname] of searches) {
      it(`is found by "${text}", alone and beside another filter`, async () => {
        const q = `q=${encodeURIComponent(text)}`;
        assert.deepEqual(await hostnames(q), [hostname]);
        assert.deepEqual(await hostnames(`${q}&application_id=${applicationId}`), [hostname]);
        assert.deepEqual(await hostnames(`${q}&limit=1`), [hostname]);
        assert.deepEqual(await hostnames(q, foreignKey), []);
      });
    }

    it("is not found by what is not there, nor by one character that was typed as two", async () => {
      for (const text of ["acme inc", "muller", "a  b", "山商"]) {
        assert.deepEqual(await hostnames(`q=${encodeURIComponent(text)}`), [], text);
      }
      assert.equal((await get(`/v1/connections?q=${encodeURIComponent("e\u0301")}`)).status, 400);
    });

    it("is found as it was stored by an earlier release, once that is folded", async () => {
      const admin = new pg.Client({ connectionString: app.databaseUrl });
      await admin.connect();
      try {
        const q = `q=${encodeURIComponent("ångström")}`;
        await admin.query(
          `update connection_search s set text = lower(concat_ws(E'\\n', c.hostname, c.customer_ref))
           from connections c where c.id = s.connection_id`,
        );
        assert.deepEqual(await hostnames(q), []);
        await admin.query("call fill_folded_search()");
        assert.deepEqual(await hostnames(q), ["shout.folds.test"]);
        const { rows } = await admin.query(
          "select from connection_search where text <> fold_text(text)",
        );
        assert.equal(rows.length, 0);
      } finally {
        await admin.end();
      }
    });

    it("is found by a new name of the customer", async () => {
      const [row] = rowsOf(await get("/v1/connections?hostname=shout.folds.test"));
      const body = { customer_ref: "ÉCLAIR" };
      await call(app.api.url, `/v1/connections/${row?.["id"]}`, { key, method: "PATCH", body });
      assert.deepEqual(await hostnames(`q=${encodeURIComponent("éclair")}`), ["shout.folds.test"]);
      assert.deepEqual(await hostnames(`q=${encodeURIComponent("ångström")}`), []);
    });
  });

  it("is filtered by the batch that it was made with", async () => {
    const batch = async (names: readonly string[], more: object = {}) => {
      const body = { application_id: applicationId, hostnames: names, ...more };
      const made = await call(app.api.url, "/v1/connections:batch", { key, body });
      return textOf(made, "batch_id");
    };
    const first = await batch(["a.batch.test", "b.batch.test", "c.batch.test"]);
    const second = await batch(["d.batch.test"], { customer_ref: "batched" });
    assert.deepEqual((await hostnames(`batch_id=${first}`)).toSorted(), [
      "a.batch.test",
      "b.batch.test",
      "c.batch.test",
    ]);
    assert.deepEqual(await hostnames(`batch_id=${second}`), ["d.batch.test"]);
    assert.deepEqual(await hostnames(`batch_id=${first}&q=b.b`), ["b.batch.test"]);
    assert.deepEqual(await hostnames(`batch_id=${first}&state=live`), []);
    assert.deepEqual(await hostnames(`batch_id=${second}&customer_ref=batched`), ["d.batch.test"]);
    assert.deepEqual(await hostnames(`batch_id=${first}`, foreignKey), []);
    const page = await get(`/v1/connections?batch_id=${first}&limit=2`);
    const rest = `batch_id=${first}&limit=2&cursor=${page.json()["next_cursor"]}`;
    assert.equal((await hostnames(rest)).length, 1);
    assert.equal((await get("/v1/connections?batch_id=none")).status, 400);
  });
});
