import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp } from "@mooring/testing/control/app";
import {
  type DomainConnectApp,
  startDomainConnectApp,
} from "@mooring/testing/control/domain-connect-app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { createDomainConnectKey } from "./keys.ts";

interface Answered {
  readonly templates: readonly {
    readonly kind: string;
    readonly file_name: string;
    readonly template: Readonly<Record<string, unknown>>;
    readonly lint: readonly { readonly severity: string }[];
  }[];
  readonly impossible: readonly { readonly kind: string; readonly problems: readonly string[] }[];
  readonly keys: readonly { readonly name: string; readonly signing: boolean }[];
  readonly instructions: readonly string[];
}

describe("the templates of an application", () => {
  let one: DomainConnectApp;
  before(async () => {
    one = await startDomainConnectApp({ DOMAIN_CONNECT_NAME: "Mooring" });
  });
  after(() => one.close());

  const applicationWith = async (record_template: readonly object[]): Promise<string> => {
    const body = { name: "Own", record_template };
    const made = await call(one.app.api.url, "/v1/applications", { key: one.key, body });
    return textOf(made, "id");
  };
  const read = (id: string) =>
    call(one.app.api.url, `/v1/applications/${id}/domain-connect-template`, { key: one.key });
  const readTemplates = async (id: string): Promise<Answered> => {
    const answer = await read(id);
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as unknown as Answered;
  };

  it("are one for an apex, one for subdomains and one for both, free of errors", async () => {
    const { templates, impossible } = await readTemplates(one.applicationId);
    assert.deepEqual(impossible, []);
    assert.deepEqual(
      templates.map(({ kind, file_name }) => [kind, file_name]),
      [
        ["apex", "mooring.example.apex.json"],
        ["subdomain", "mooring.example.sub.json"],
        ["pair", "mooring.example.pair.json"],
      ],
    );
    for (const { lint } of templates) {
      assert.deepEqual(
        lint.filter(({ severity }) => severity === "error"),
        [],
      );
    }
    const { records, ...head } = templates[1]?.template ?? {};
    assert.equal(head["providerName"], "Mooring");
    assert.equal(head["syncPubKeyDomain"], "mooring.example");
    assert.equal(head["syncRedirectDomain"], "connect.mooring.example");
    assert.equal(head["hostRequired"], true);
    assert.deepEqual(
      (records as readonly Record<string, unknown>[]).map(({ type, host, pointsTo, data }) => [
        type,
        host,
        pointsTo ?? data,
      ]),
      [
        ["CNAME", "@", "edge.mooring.example"],
        ["TXT", "_service-challenge", "service-verify=%token%"],
      ],
    );
  });

  it("belong to the application when it has its own records", async () => {
    const id = await applicationWith([
      { host: "@", type: "A", value: "{{edge_ipv4}}" },
      { host: "_site", type: "TXT", value: "site={{connection_id}}" },
    ]);
    const { templates } = await readTemplates(id);
    assert.deepEqual(
      templates.map(({ file_name }) => file_name),
      [`mooring.example.apex-${id}.json`, `mooring.example.sub-${id}.json`],
    );
  });

  it("list the kinds of names they cannot serve, and fail when there is none they can", async () => {
    const some = await applicationWith([{ host: "@", type: "CNAME", value: "shop.other.example" }]);
    const { templates, impossible } = await readTemplates(some);
    assert.deepEqual(
      [templates.map(({ kind }) => kind), impossible.map(({ kind }) => kind)],
      [["subdomain"], ["apex"]],
    );
    const none = await applicationWith([{ host: "@", type: "TXT", value: "100% ours" }]);
    const refused = await read(none);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /percent sign/);
  });

  it("come with instructions", async () => {
    const before = await readTemplates(one.applicationId);
    assert.ok(before.instructions.some((line) => line.includes("domain-connect keys create")));
    await one.makeKey();
    await one.deploy();
    await one.link(await one.connect("todo.acme.example"));
    const then = await readTemplates(one.applicationId);
    assert.deepEqual(then.keys, [{ name: "_dck1.mooring.example", signing: true }]);
    assert.ok(!then.instructions.some((line) => line.includes("domain-connect keys create")));
  });

  it("are not visible to another tenant", async () => {
    const other = await one.app.tenant("Other");
    const path = `/v1/applications/${one.applicationId}/domain-connect-template`;
    const answer = await call(one.app.api.url, path, { key: other.keys.live });
    assert.equal(answer.status, 404);
  });
});

it("a service without a public name has no templates and no keys, and says what to set", async () => {
  const app = await startTestApp({ BASE_URL: "http://localhost:8080" });
  try {
    const { keys } = await app.tenant("Local");
    const made = await call(app.api.url, "/v1/applications", {
      key: keys.test,
      body: { name: "x" },
    });
    const path = `/v1/applications/${textOf(made, "id")}/domain-connect-template`;
    const answer = await call(app.api.url, path, { key: keys.test });
    assert.equal(answer.status, 409);
    assert.equal(codeOf(answer), "conflict");
    const whatToSet = /BASE_URL or DOMAIN_CONNECT_DOMAIN/;
    assert.match(answer.text, whatToSet);
    const making = createDomainConnectKey(
      app.operator,
      { activate: false },
      AbortSignal.timeout(5_000),
    );
    await assert.rejects(making, whatToSet);
  } finally {
    await app.close();
  }
});
