import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import vectors from "../domain/transparency/fixtures/vectors.json" with { type: "json" };
import { examineConfig } from "./config.ts";
import { loadDomainConnectClients } from "./files.ts";

const client = {
  provider_id: "dns.example",
  url_api: "https://api.dns.example/v1//",
  client_id: "us",
  client_secret: "a-secret-text",
};

describe("DOMAIN_CONNECT_CLIENTS_FILE", () => {
  let directory = "";
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-clients-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const load = async (content: unknown) => {
    const file = path.join(directory, "clients.json");
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return loadDomainConnectClients({ domainConnectClientsFile: file });
  };

  it("is a list of clients, and none where it is not set", async () => {
    assert.deepEqual(loadDomainConnectClients({ domainConnectClientsFile: null }), []);
    assert.deepEqual(await load([client]), [
      {
        providerId: "dns.example",
        urlAPI: "https://api.dns.example/v1",
        clientId: "us",
        clientSecret: "a-secret-text",
      },
    ]);
  });

  it("stops the start with what is wrong and where, and without the secret", async () => {
    const bad: readonly (readonly [unknown, RegExp])[] = [
      ["{", /JSON/],
      [[{ ...client, url_api: "http://api.dns.example" }], /0\.url_api expected an https URL/],
      [[{ ...client, client_secret: undefined }], /0\.client_secret/],
      [[{ ...client, more: 1 }], /more/],
      [[client, client], /occurs twice/],
    ];
    for (const [content, problem] of bad) {
      await assert.rejects(load(content), (error: Error) => {
        assert.match(error.message, problem);
        assert.doesNotMatch(error.message, /a-secret-text/);
        return true;
      });
    }
    const missing = { domainConnectClientsFile: path.join(directory, "none.json") };
    assert.throws(() => loadDomainConnectClients(missing), /cannot be read/);
  });
});

describe("CT_LOGS", () => {
  let directory = "";
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-logs-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const [made] = vectors.logs;
  const log = { key: made?.key, log_id: made?.log_id, url: "https://ct.example.org/" };
  const examine = async (logs: readonly object[], env = {}) => {
    const file = path.join(directory, "logs.json");
    await writeFile(file, JSON.stringify({ operators: [{ name: "Op", logs }] }));
    const { config, problems } = examineConfig({ CT_LOGS: file, ...env });
    return { logs: config.ctLogs, problems: problems.map((each) => each.replace(file, "FILE")) };
  };

  it("is a list of logs, and none where it is not set", async () => {
    assert.deepEqual(examineConfig({}).config.ctLogs, []);
    const { logs, problems } = await examine([log]);
    assert.deepEqual([logs.length, problems], [1, []]);
  });

  it("stops the start with every fault, and beside another proxy", async () => {
    const { problems } = await examine([
      { ...log, url: "" },
      { ...log, log_id: "" },
    ]);
    assert.deepEqual(problems, [
      "CT_LOGS: FILE: operators[0].logs[0].url: expected an https URL",
      "CT_LOGS: FILE: operators[0].logs[1].log_id: expected the SHA-256 of the key, in base64",
    ]);
    const beside = await examine([log], { EDGE_KIND: "external" });
    assert.match(beside.problems[0] ?? "", /^CT_LOGS: needs EDGE_KIND=own/);
    const { problems: absent } = examineConfig({ CT_LOGS: path.join(directory, "absent") });
    assert.match(absent[0] ?? "", /cannot be read$/);
  });
});
