import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import { type ScriptedAcme, startScriptedAcme } from "@mooring/testing/acme/scripted-acme";
import type { Reply } from "@mooring/testing/acme/scripted-acme-ca";
import { createCsr } from "../x509/acme-x509.ts";
import { generateKey } from "../x509/keys.ts";
import { type AcmeClient, createAcmeClient } from "./client.ts";

let server: ScriptedAcme;

before(async () => {
  server = await startScriptedAcme();
});
beforeEach(() => {
  server.intervene = () => null;
  server.seen.length = 0;
});
after(() => server?.stop());

async function newClient(fetch = server.fetch): Promise<AcmeClient> {
  return createAcmeClient({
    directoryUrl: server.directoryUrl,
    accountKey: await generateKey(),
    fetch,
    clock: { now: () => new Date() },
    timings: fastTimings,
  });
}

function onNewOrder(reply: Reply): void {
  server.intervene = ({ resource, isNew }) => (resource === "order" && isNew ? reply : null);
}

describe("an answer that RFC 8555 does not allow", () => {
  const order = {
    status: "pending",
    authorizations: ["/authz/0"],
    finalize: "/order/0/finalize",
  };
  const location = { location: "/order/0" };
  const answers: Readonly<Record<string, Reply>> = {
    "no JSON": { status: 201, headers: location, body: "certainly" },
    "no object": { status: 201, headers: location, body: [] },
    "no Location": { status: 201, body: order },
    "an unknown status": { status: 201, headers: location, body: { ...order, status: "fine" } },
    "no finalize": { status: 201, headers: location, body: { ...order, finalize: undefined } },
    "no authorizations": { status: 201, headers: location, body: { ...order, authorizations: 1 } },
    "a plain URL": {
      status: 201,
      headers: location,
      body: { ...order, finalize: "http://127.0.0.1/finalize" },
    },
    "a body without end": { status: 201, headers: location, body: "x".repeat(600_000) },
  };
  for (const [what, reply] of Object.entries(answers)) {
    it(`is malformed: ${what}`, async () => {
      const client = await newClient();
      onNewOrder(reply);
      await assert.rejects(client.newOrder("odd.example"), { kind: "malformed" });
      assert.equal(server.count("order", true), 1);
    });
  }

  it("is refused: a redirect, which no fetch is allowed to follow", async () => {
    const modes = new Set<string | undefined>();
    const client = await newClient((input, init) => {
      modes.add(init?.redirect);
      return server.fetch(input, init);
    });
    onNewOrder({ status: 307, headers: { location: "https://127.0.0.1:1/elsewhere" }, body: "" });
    await assert.rejects(client.newOrder("redirected.example"), {
      kind: "problem",
      detail: "HTTP status 307",
    });
    assert.equal(server.count("order", true), 1);
    assert.deepEqual([...modes], ["manual"]);
  });

  it("is malformed: a token that would leave its path", async () => {
    const client = await newClient();
    const made = await client.newOrder("token.example");
    const challenge = {
      type: "http-01",
      url: "/challenge/0/http-01",
      status: "pending",
      token: "../../admin",
    };
    const identifier = { type: "dns", value: "token.example" };
    server.intervene = ({ resource }) =>
      resource === "authz"
        ? { status: 200, body: { status: "pending", identifier, challenges: [challenge] } }
        : null;
    const [url = ""] = made.authorizations;
    await assert.rejects(client.authorization(url), { kind: "malformed" });
  });

  it("is unusable: a certificate that is none, or a chain that does not hold", async () => {
    const client = await newClient();
    const made = await client.newOrder("chain.example");
    const [url = ""] = made.authorizations;
    const challenge = client.challengeFor(await client.authorization(url), "http-01");
    assert.ok(challenge !== null);
    await client.respond(challenge);
    const csr = await createCsr("chain.example", await generateKey());
    const valid = await client.finalize(made, csr);
    const chainPem = await client.download(valid);
    const [leaf = ""] = chainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
    for (const body of ["", "no certificate", leaf + leaf]) {
      server.intervene = ({ resource }) =>
        resource === "certificate" ? { status: 200, body } : null;
      await assert.rejects(client.download(valid), { kind: "unusable" });
    }
  });
});
