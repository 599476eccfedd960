import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import {
  type RotatedDelivery,
  recordRotatedDelivery,
} from "@mooring/testing/control/webhooks/rotated-delivery";

const root = path.resolve(import.meta.dirname, "../../..");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = JSON.stringify({
  id: "0199a3c2-5d70-7c11-8b6e-2f9a41d7e035",
  type: "domain.drift",
  created_at: "2026-11-15T09:30:12.480Z",
  application_id: "0198f0aa-1b20-7e44-9c55-70d1f3b8a612",
  environment: "live",
  sequence: 5,
  data: {},
});

type Answer = (request: Request) => Promise<Response>;

/** How a request is sent to each documented receiver, after its code has run. */
const receivers: Readonly<Record<string, { ending: string; open: (made: unknown) => unknown }>> = {
  Express: { ending: "export const made = app;", open: (made) => serve(made as RequestListener) },
  Fastify: {
    ending: "export const made = app;",
    open: (made) => (made as { listen: (at: object) => Promise<string> }).listen({ port: 0 }),
  },
  Hono: { ending: "export const made = app;", open: (made) => (made as { fetch: Answer }).fetch },
  "Next.js": { ending: "export const made = POST;", open: (made) => made },
};

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The code block under a heading of the documentation, word for word. */
function documented(heading: string): string {
  const text = readFileSync(path.join(root, "packages/sdk/README.md"), "utf8");
  const section = text.slice(text.indexOf(`### ${heading}\n`));
  const block = /```ts\n([\s\S]*?)```/.exec(section)?.[1];
  assert.ok(block, `no code under ${heading}`);
  return block;
}

/** The signature of section 6 of the interface, computed without the SDK. */
function signed(text: string, key: string, at = Math.floor(Date.now() / 1_000)) {
  const hex = createHmac("sha256", key).update(`${at}.${text}`).digest("hex");
  return {
    "content-type": "application/json",
    "x-svc-timestamp": String(at),
    "x-svc-signature": `sha256=${hex}`,
  };
}

describe("the receivers in the documentation", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-receivers-"));
  symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"));
  let files = 0;
  let rotated: RotatedDelivery;
  before(async () => {
    rotated = await recordRotatedDelivery();
  });
  after(() => rmSync(directory, { recursive: true }));

  async function run(
    t: TestContext,
    name: string,
    secret: string,
  ): Promise<(init: RequestInit) => Promise<number>> {
    const receiver = receivers[name];
    assert.ok(receiver);
    files += 1;
    const file = path.join(directory, `${name}-${files}.ts`);
    const lines = [documented(name), `const secret = ${JSON.stringify(secret)};`, receiver.ending];
    writeFileSync(file, lines.join("\n"));
    t.mock.method(console, "log", () => undefined);
    const { made }: { made: unknown } = await import(pathToFileURL(file).href);
    const open = await receiver.open(made);
    if (typeof open === "function") {
      const answer = open as Answer;
      return async (init) =>
        (await answer(new Request("http://app.example/webhooks", init))).status;
    }
    if (name === "Fastify") t.after(() => (made as { close: () => Promise<void> }).close());
    return async (init) => (await fetch(`${String(open)}/webhooks`, init)).status;
  }

  for (const name of Object.keys(receivers)) {
    it(`(${name}) accepts a signed event and refuses an altered, foreign or old one`, async (t) => {
      const post = await run(t, name, secret);
      const send = (headers: Record<string, string>, text = body) =>
        post({ method: "POST", headers, body: text });
      assert.equal(await send(signed(body, secret)), 204);
      assert.equal(await send(signed(body, secret), body.replace("drift", "draft")), 400);
      assert.equal(await send(signed(body, "whsec_other")), 400);
      const old = Math.floor(Date.now() / 1_000) - 301;
      assert.equal(await send(signed(body, secret, old)), 400);
      assert.equal(await send({ "content-type": "application/json" }), 400);
    });

    it(`(${name}) accepts the old and the new secret after a rotation, and no other`, async (t) => {
      const { headers, body, oldSecret, newSecret } = rotated;
      const statuses: number[] = [];
      for (const known of [oldSecret, newSecret, secret]) {
        const post = await run(t, name, known);
        statuses.push(await post({ method: "POST", headers, body }));
      }
      assert.deepEqual(statuses, [204, 204, 400]);
    });
  }
});
