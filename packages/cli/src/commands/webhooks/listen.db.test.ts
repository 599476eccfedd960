import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { callCli, spawnCli } from "@mooring/testing/cli/run-cli";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import {
  answer,
  eventIn,
  isGenuine,
  isStandard,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { until } from "@mooring/testing/processes/until";

describe("mooring listen", () => {
  let shop: WebhookApp;
  before(async () => {
    shop = await startWebhookApp(false);
  });
  after(() => shop.close());

  const env = () => ({ MOORING_URL: shop.app.api.url, MOORING_API_KEY: shop.key });

  function listen(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const child = spawnCli(["listen", ...args], { ...env(), ...more });
    const said = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.err += text;
    });
    return {
      said,
      async end() {
        const ended = once(child, "close");
        child.kill("SIGINT");
        return (await ended)[0];
      },
    };
  }

  it("prints events as they happen and forwards them so that a receiver verifies them", async () => {
    const receiver = await startReceiver();
    receiver.behave(answer(204));
    const before = await shop.emitEvent();
    const session = listen(["--forward-to", receiver.url, "--types", "domain.added"]);
    await until(() => session.said.out.includes("whsec_"), "the secret");
    const secret = /whsec_\S+/.exec(session.said.out)?.[0] ?? "";
    // Events are printed only after the first read of the list, which is not announced.
    const ids: string[] = [];
    await until(async () => {
      ids.push(await shop.emitEvent());
      return receiver.received.length > 0;
    }, "an event");
    await until(() => session.said.out.includes(ids.at(-1) ?? "-"), "the last event");
    assert.equal(await session.end(), 0, session.said.err);
    assert.doesNotMatch(session.said.out, new RegExp(before));
    assert.match(session.said.out, /domain\.added {2}www\.zone-\w+\.test .*-> 204 in \d+ ms/);
    for (const one of receiver.received) {
      assert.equal(isGenuine(one, secret, Date.now()), true);
      assert.equal(isStandard(one, secret), true);
      assert.equal(eventIn(one).type, "domain.added");
    }
    await receiver.close();
  });

  it("writes a line of JSON for each event, and nothing else, with --json", async () => {
    const session = listen(["--json", "--application", shop.applicationId]);
    await until(() => session.said.err.includes("listening"), "listening");
    await until(async () => {
      await shop.emitEvent();
      return session.said.out.includes("\n");
    }, "an event");
    assert.equal(await session.end(), 0);
    for (const line of session.said.out.trim().split("\n")) {
      assert.equal(JSON.parse(line).type, "domain.added");
    }
  });

  it("says what is missing or refused, and never the key", async () => {
    const keyless = await callCli(["listen"]);
    assert.equal(keyless.code, 2);
    assert.match(keyless.stderr, /no API key: set MOORING_API_KEY, or give --api-key/);
    const wrong = await callCli(["listen"], { ...env(), MOORING_API_KEY: "sk_test_nonsense" });
    assert.equal(wrong.code, 1);
    assert.doesNotMatch(wrong.stderr + wrong.stdout, /nonsense/);
  });
});
