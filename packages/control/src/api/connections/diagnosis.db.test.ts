import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { mintToken } from "@mooring/testing/control/world";

interface WireFinding {
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly evidence: readonly string[];
  readonly actor: string;
  readonly fix: string;
  readonly params: Readonly<Record<string, string>>;
  readonly add_records: readonly { readonly host: string }[];
  readonly remove_records: readonly object[];
  readonly texts: Readonly<Record<string, { title: string; fix: string } | null>> & {
    readonly end_customer: { title: string; fix: string };
  };
}

const none: WireFinding = {
  code: "none",
  severity: "",
  title: "",
  evidence: [],
  actor: "",
  fix: "",
  params: {},
  add_records: [],
  remove_records: [],
  texts: { end_customer: { title: "", fix: "" } },
};
interface WireAnswers {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly servers: readonly {
    readonly server: string;
    readonly outcome: string;
    readonly values: readonly string[];
    readonly reason: string | null;
  }[];
}

describe("GET /v1/connections/{id}/diagnosis", () => {
  let app: TestApp;
  let key: string;
  let applicationId: string;

  before(async () => {
    app = await startTestApp({ EDGE_CNAME: "edge.mooring.example" });
    key = (await app.tenant("Acme")).keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    applicationId = textOf(made, "id");
  });
  after(() => app.close());

  const put = async (zone: string, records: readonly object[]) => {
    const path = `/v1/sandbox/zones/${zone}/records`;
    const answer = await call(app.api.url, path, { key, method: "PUT", body: { records } });
    assert.equal(answer.status, 200, answer.text);
  };
  const connect = async (hostname: string) => {
    const body = { application_id: applicationId, hostname };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    assert.equal(made.status, 201, made.text);
    const challenge = made.json()["ownership_challenge"] as { name: string; value: string };
    return { id: textOf(made, "id"), challenge };
  };
  const diagnose = (id: string, caller: string = key) =>
    call(app.api.url, `/v1/connections/${id}/diagnosis`, { key: caller });
  const findingsOf = (answer: Answer) => answer.json()["findings"] as readonly WireFinding[];
  const codesOf = (answer: Answer) => findingsOf(answer).map(({ code }) => code);

  it("reports a misplaced ownership record, the servers' answers and the form to fill in", async () => {
    const { id, challenge } = await connect("shop.wrong-name.test");
    await put("wrong-name.test", [{ host: "shop", type: "TXT", value: challenge.value }]);
    const answer = await diagnose(id);
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.json()), [
      "connection_id",
      "checked_at",
      "summary",
      "findings",
      "records",
      "early",
      "headline",
    ]);
    assert.equal(textOf(answer, "connection_id"), id);
    assert.match(textOf(answer, "checked_at"), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(
      textOf(answer, "summary"),
      "The ownership record is at shop.wrong-name.test; the person who manages the DNS of wrong-name.test acts next.",
    );
    const [first] = findingsOf(answer);
    const { params, texts, add_records: add, remove_records: remove, ...plain } = first ?? none;
    assert.deepEqual(
      { ...plain, evidence: plain.evidence[0] },
      {
        code: "ownership_wrong_name",
        severity: "error",
        title: "The ownership record is at shop.wrong-name.test",
        evidence: "shop.wrong-name.test: has the TXT value",
        actor: "end_customer",
        fix: `The value is right, the name is not. At Sandbox, move the record to ${challenge.name}: Type: TXT, Host: _service-challenge.shop, Value: ${challenge.value}, TTL: 300.`,
      },
    );
    assert.deepEqual(params, {
      domain: "shop.wrong-name.test",
      zone: "wrong-name.test",
      provider: "Sandbox",
      name: challenge.name,
      observed: "shop.wrong-name.test",
    });
    assert.deepEqual([add[0]?.host, remove], [challenge.name, []]);
    assert.equal(texts.end_customer.title, "The proof is at the wrong name");
    assert.equal(texts["operator"]?.fix, plain.fix);
  });

  it("shows what each name server answers for each wanted record", async () => {
    const { id, challenge } = await connect("shop.each-server.test");
    await put("each-server.test", [
      { host: challenge.name, type: "TXT", value: challenge.value },
      { host: "shop", type: "CNAME", value: "elsewhere.example" },
    ]);
    const [proof, record] = (await diagnose(id)).json()["records"] as readonly WireAnswers[];
    const { servers, ...wanted } = proof ?? assert.fail("no proof");
    assert.deepEqual(wanted, { host: challenge.name, type: "TXT", value: challenge.value });
    assert.deepEqual(
      servers.map(({ outcome, values, reason }) => ({ outcome, values, reason })),
      servers.map(() => ({ outcome: "match", values: [challenge.value], reason: null })),
    );
    assert.ok(servers.length >= 2);
    assert.equal(record?.type, "CNAME");
    assert.deepEqual(
      record.servers.map(({ outcome, values }) => ({ outcome, values })),
      servers.map(() => ({ outcome: "mismatch", values: ["elsewhere.example"] })),
    );
  });

  it("follows the customer from mistake to mistake, and changes nothing itself", async () => {
    const zone = "step-by-step.test";
    const { id, challenge } = await connect(`shop.${zone}`);
    const before = await call(app.api.url, `/v1/connections/${id}`, { key });
    const stages: readonly (readonly [readonly object[], string])[] = [
      [[], "ownership_missing"],
      [
        [{ host: `${challenge.name}.${zone}`, type: "TXT", value: challenge.value }],
        "ownership_doubled_name",
      ],
      [
        [{ host: challenge.name, type: "TXT", value: challenge.value.toLowerCase() }],
        "ownership_altered",
      ],
      [[{ host: challenge.name, type: "CNAME", value: "other.example" }], "ownership_cname"],
      [[{ host: challenge.name, type: "TXT", value: challenge.value }], "ownership_seen"],
    ];
    for (const [records, code] of stages) {
      await put(zone, records);
      const answer = await diagnose(id);
      const ownership = codesOf(answer).filter((one) => one.startsWith("ownership"));
      assert.deepEqual(ownership, [code], answer.text);
    }
    const now = await call(app.api.url, `/v1/connections/${id}`, { key });
    assert.deepEqual(now.json(), before.json());
  });

  it("shows each sandbox name that misbehaves on purpose", async () => {
    const zone = "magic.test";
    const path = `/v1/applications/${applicationId}`;
    await call(app.api.url, path, { key, method: "PATCH", body: { proxied: "refuse" } });
    const names: readonly (readonly [string, string])[] = [
      ["proxied", "record_proxied"],
      ["caa", "caa_forbidden"],
      ["dnssec", "dnssec_broken"],
      ["stall", "record_missing"],
    ];
    const made = await Promise.all(
      names.map(async ([label, code]) => ({ label, code, ...(await connect(`${label}.${zone}`)) })),
    );
    await put(
      zone,
      made.flatMap(({ label }) => [{ host: label, type: "CNAME", value: "edge.mooring.example" }]),
    );
    for (const { id, code } of made) {
      const answer = await diagnose(id);
      assert.ok(codesOf(answer).includes(code), answer.text);
    }
  });

  it("answers a widget token of the application, and no other tenant", async () => {
    const { id } = await connect("shop.widget-diagnosis.test");
    const token = await mintToken(app, key, applicationId);
    const read = await diagnose(id, token);
    assert.equal(read.status, 200);
    for (const { title, fix, texts } of findingsOf(read)) {
      assert.deepEqual({ title, fix }, texts.end_customer);
      assert.deepEqual([texts["tenant"], texts["operator"]], [null, null]);
    }
    assert.ok(findingsOf(read).length > 0);
    const bound = await mintToken(app, key, applicationId, "other.widget-diagnosis.test");
    assert.deepEqual(codeOf(await diagnose(id, bound)), "not_found");
    const other = await call(app.api.url, "/v1/applications", { key, body: { name: "Other" } });
    const foreign = await mintToken(app, key, textOf(other, "id"));
    assert.equal((await diagnose(id, foreign)).status, 404);
    const otherKey = (await app.tenant("Other")).keys.test;
    assert.equal((await diagnose(id, otherKey)).status, 404);
  });

  it("still answers for an archived connection", async () => {
    const { id } = await connect("shop.archived-diagnosis.test");
    await call(app.api.url, `/v1/connections/${id}`, { key, method: "DELETE" });
    const archived = await diagnose(id);
    assert.deepEqual([archived.status, findingsOf(archived)], [200, []]);
    assert.equal(
      textOf(archived, "summary"),
      "shop.archived-diagnosis.test is archived and no longer served.",
    );
    const record = { host: "shop", type: "CNAME", value: "edge.mooring.example" };
    await put("archived-diagnosis.test", [record]);
    assert.deepEqual(codesOf(await diagnose(id)), ["archived_still_points_here"]);
  });
});
