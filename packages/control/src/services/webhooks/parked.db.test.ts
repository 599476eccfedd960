import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import { type Receiver, startReceiver } from "@mooring/testing/control/webhooks/webhook-receiver";
import { until } from "@mooring/testing/processes/until";

describe("a delivery that cannot be sent", () => {
  let shop: WebhookApp;
  let receiver: Receiver;
  before(async () => {
    shop = await startWebhookApp();
    receiver = await startReceiver();
  });
  after(async () => {
    await shop.close();
    await receiver.close();
  });

  it("is parked after five tries, with a line in its log, and a replay tries it again", async () => {
    const { id } = await shop.endpoint(receiver.url);
    const { rows } = await shop.session.query<{ sealed: string }>(
      "select sealed_secret as sealed from webhook_endpoints where id = $1",
      [id],
    );
    // As when the row was damaged: its signing secret does not open.
    const seal = (sealed: string | undefined) =>
      shop.session.query("update webhook_endpoints set sealed_secret = $2 where id = $1", [
        id,
        sealed,
      ]);
    await seal("damaged");
    await shop.emitEvent();
    const failures = async (): Promise<number> => {
      const found = await shop.session.query<{ failures: number }>(
        "select failures from deliveries where endpoint_id = $1",
        [id],
      );
      return found.rows[0]?.failures ?? 0;
    };
    for (let count = 1; count <= 5; count += 1) {
      await until(async () => (await failures()) >= count, `failure ${count}`);
      await shop.pass(30 * 60_000);
    }
    const [parked] = await shop.deliveries(id);
    assert.ok(parked);
    assert.deepEqual([parked.status, parked.next_attempt_at], ["failed", null]);
    assert.match(parked.attempts.at(-1)?.error ?? "", /has stopped trying/);

    await seal(rows[0]?.sealed);
    await shop.call(`/v1/webhook-endpoints/${id}/deliveries/${parked.id}/replay`, {
      method: "POST",
    });
    await until(async () => {
      const [sent] = await shop.deliveries(id);
      return sent?.status === "delivered";
    }, "the delivery");
    assert.equal(await failures(), 0);
  });
});
