import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import { type Receiver, startReceiver } from "@mooring/testing/control/webhooks/webhook-receiver";
import { until } from "@mooring/testing/processes/until";
import { sealPlainUrls } from "./endpoints.ts";

describe("a webhook URL that carries a secret", () => {
  let shop: WebhookApp;
  let receiver: Receiver;
  const secret = `s3${randomBytes(20).toString("hex")}`;
  before(async () => {
    [shop, receiver] = [await startWebhookApp(), await startReceiver()];
  });
  after(async () => {
    await shop.close();
    await receiver.close();
  });

  const path = `/hook/${secret}?key=${secret}`;
  const full = () => `${receiver.url}/${secret}?key=${secret}`;
  const masked = () => `${receiver.url}/***${secret.slice(-4)}?key=***`;

  async function stored(): Promise<string> {
    const { rows } = await shop.session.query(
      `select jsonb_agg(to_jsonb(e)) || coalesce((select jsonb_agg(to_jsonb(v)) from events v), '[]')
         || coalesce((select jsonb_agg(to_jsonb(a)) from audit_log a), '[]') as text
       from webhook_endpoints e`,
    );
    return JSON.stringify(rows);
  }

  it("is delivered to, and shown with its secrets on create only", async () => {
    const body = { application_id: shop.applicationId, url: full() };
    const made = await shop.call("/v1/webhook-endpoints", { body });
    assert.equal(made.json()["url"], body.url);
    const at = `/v1/webhook-endpoints/${made.json()["id"]}`;
    const [read, listed] = [await shop.call(at), await shop.call("/v1/webhook-endpoints")];
    assert.equal(read.json()["url"], masked());
    assert.ok(!listed.text.includes(secret), listed.text);
    await shop.emitEvent();
    await until(() => receiver.received.some((one) => one.path === path), "a delivery");
    assert.ok(!(await stored()).includes(secret), "neither stored nor in an event");
    const log = await shop.call(`${at}/deliveries`);
    assert.ok(!log.text.includes(secret), log.text);
    // What was read is sent back: nothing changes.
    const same = { url: masked(), active: true };
    assert.equal((await shop.call(at, { method: "PATCH", body: same })).json()["url"], masked());
    const before = receiver.received.length;
    await shop.emitEvent();
    await until(() => receiver.received.length > before, "another");
    assert.equal(receiver.received.at(-1)?.path, path);
    const other = await shop.call(at, { method: "PATCH", body: { url: `${receiver.url}/plain` } });
    assert.equal(other.json()["url"], `${receiver.url}/plain`);
    const { rows } = await shop.session.query("select sealed_url, url from webhook_endpoints");
    assert.deepEqual(rows, [{ sealed_url: null, url: `${receiver.url}/plain` }]);
    await shop.call(at, { method: "DELETE" });
  });

  it("of the release before is sealed by the next worker, and others stay as they are", async () => {
    const first = await shop.endpoint(`${receiver.url}/a`, ["domain.added"]);
    const second = await shop.endpoint(`${receiver.url}/b`, ["domain.added"]);
    await shop.session.query("update webhook_endpoints set url = $2 where id = $1", [
      first.id,
      full(),
    ]);
    await sealPlainUrls(shop.app.operator);
    assert.ok(!(await stored()).includes(secret));
    const readUrl = async (id: string) =>
      (await shop.call(`/v1/webhook-endpoints/${id}`)).json()["url"];
    assert.deepEqual(
      [await readUrl(first.id), await readUrl(second.id)],
      [masked(), `${receiver.url}/b`],
    );
    const before = receiver.received.length;
    await shop.emitEvent();
    await until(() => receiver.received.length >= before + 2, "both deliveries");
    const paths = receiver.received.slice(before).map((one) => one.path);
    assert.deepEqual(paths.sort(), ["/hook/b", path]);
  });
});
