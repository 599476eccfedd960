import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { after, it } from "node:test";
import { call, textOf } from "../control/http.ts";
import { until } from "../processes/until.ts";
import { customer, type Example, type ExampleWorld, type RunningExample } from "./example-world.ts";

/** What an integration must do, whatever it is written in. */
export function testJourney(name: string, example: Example, world: () => ExampleWorld): void {
  let running: RunningExample | null = null;
  let token = "";
  let hostname = "";
  const started = (): RunningExample => {
    assert.ok(running, `${name} is not running`);
    return running;
  };
  after(() => running?.stop());

  it(`(${name}) mints a token for its customer, with which a name gets live and is served`, async () => {
    running = await world().run(example);
    const { url, caller, output } = started();
    const page = await fetch(`${url}/settings`);
    assert.deepEqual([page.status, (await page.text()).includes("Connect")], [200, true], output());

    const minted = await call(url, "/svc-token");
    assert.equal(minted.status, 200, minted.text + output());
    assert.match(minted.headers.get("cache-control") ?? "", /no-store/);
    assert.deepEqual(
      [minted.json()["baseUrl"], minted.json()["applicationId"]],
      [caller.base, caller.applicationId],
    );
    token = textOf(minted, "token");
    assert.doesNotMatch(minted.text, /sk_(test|live)_/);

    hostname = await world().connect(started(), token);
    // The origin knows the customer once the webhook has arrived.
    const expected = `${hostname} is the shop of ${customer}`;
    let last = "";
    await until(async () => {
      const { status, body } = await world().page(hostname);
      last = `${status} ${body}`;
      return status === 200 && body.includes(expected);
    }, `the page of ${hostname}`).catch((error: unknown) => {
      throw new Error(`${last}\n${output()}`, { cause: error });
    });
  });

  it(`(${name}) accepts a signed webhook and refuses a forged, altered or old one`, async () => {
    const { url, webhookSecret, output } = started();
    const body = JSON.stringify({ id: "1", type: "endpoint.test", sequence: 0, data: {} });
    const now = Math.floor(Date.now() / 1_000);
    const send = async (secret: string, at: number, sent = body) => {
      const hex = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
      const headers = {
        "content-type": "application/json",
        "x-svc-timestamp": String(at),
        "x-svc-signature": `sha256=${hex}`,
      };
      return (await fetch(`${url}/webhooks`, { method: "POST", headers, body: sent })).status;
    };
    assert.equal(await send(webhookSecret, now), 204, output());
    assert.equal(await send("whsec_another", now), 400);
    assert.equal(await send(webhookSecret, now, body.replace("test", "tent")), 400);
    assert.equal(await send(webhookSecret, now - 400), 400);
    assert.equal((await fetch(`${url}/webhooks`, { method: "POST", body })).status, 400);
  });

  it(`(${name}) accepts deliveries with the old secret after a rotation`, async () => {
    const { caller, endpointId, output } = started();
    const endpoint = `/v1/webhook-endpoints/${endpointId}`;
    const post = { key: caller.key, method: "POST" };
    const rotated = await call(caller.base, `${endpoint}/rotate-secret`, post);
    assert.equal(rotated.status, 200, rotated.text);
    assert.notEqual(textOf(rotated, "signing_secret"), started().webhookSecret);
    const tested = await call(caller.base, `${endpoint}/test`, post);
    assert.ok(tested.status < 300, tested.text);
    const attempts = async () => {
      const log = await call(caller.base, `${endpoint}/deliveries`, { key: caller.key });
      const rows = log.json()["data"] as {
        readonly event_type: string;
        readonly attempts: readonly { readonly status_code: number | null }[];
      }[];
      return rows.find((one) => one.event_type === "endpoint.test")?.attempts ?? [];
    };
    await until(async () => (await attempts()).length > 0, "the delivery");
    assert.equal((await attempts())[0]?.status_code, 204, output());
  });

  it(`(${name}) refuses an assertion that the edge did not sign for it`, async () => {
    const { url, caller, output } = started();
    const published = await call(caller.base, "/.well-known/jwks.json");
    const [first] = published.json()["keys"] as { readonly kid: string }[];
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: caller.base,
      aud: caller.applicationId,
      host: hostname,
      app: caller.applicationId,
      cus: "customer-42",
      env: "test",
      iat: nowSeconds,
      exp: nowSeconds + 90,
    };
    const typ = "svc-assertion+jwt";
    const foreign = generateKeyPairSync("ed25519").privateKey;
    const forged = (head: object): string => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const signed = `${encode(head)}.${encode(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), foreign).toString("base64url")}`;
    };
    const assertions = {
      "signed by another key": forged({ alg: "EdDSA", typ, kid: first?.kid }),
      "of an unknown key": forged({ alg: "EdDSA", typ, kid: "unknown" }),
      "without an algorithm": forged({ alg: "none", typ, kid: first?.kid }),
      "a token of the widget": token,
      "not a token": "customer-42",
    };
    for (const [what, assertion] of Object.entries(assertions)) {
      const headers = { "x-svc-assertion": assertion };
      const answer = await fetch(`${url}/`, { headers });
      assert.equal(answer.status, 403, `${what}: ${await answer.text()}${output()}`);
    }
  });
}
