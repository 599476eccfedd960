import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
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
