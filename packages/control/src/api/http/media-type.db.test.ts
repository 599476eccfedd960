import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { allSampledRoutes, sampleRequest } from "@mooring/testing/control/routes/route-samples";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";

const refused = [
  "text/plain",
  "text/plain;charset=UTF-8",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "text/json",
  "application/jsonp",
  "application/json5",
  "application/json-patch+json",
  "application/problem+json",
  "application",
  "*/*",
];
const taken = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  "Application/JSON",
];

describe("the media type of a body", () => {
  let app: TestApp;
  let world: World;
  before(async () => {
    app = await startTestApp(withoutLimits);
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
  });
  after(() => app.close());

  interface Sent {
    readonly method?: string;
    readonly type?: string | undefined;
    readonly text?: string;
    readonly key?: string;
  }

  /** As it is: `fetch` adds a type to some bodies. */
  async function send(path: string, { method = "POST", type, text, key = world.key }: Sent) {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(type === undefined ? {} : { "content-type": type }),
      ...(text === undefined ? {} : { "content-length": Buffer.byteLength(text) }),
    };
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = request(new URL(path, app.api.url), { method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        );
      });
      sent.on("error", reject);
      sent.end(text);
    });
  }

  const application = JSON.stringify({ name: "By media type" });

  for (const type of [...refused, undefined]) {
    it(`is not ${type ?? "missing"}: 415, and nothing is written`, async () => {
      const answer = await send("/v1/applications", { type, text: application });
      assert.equal(answer.status, 415, answer.text);
      assert.deepEqual(JSON.parse(answer.text), {
        error: {
          code: "unsupported_media_type",
          message: "send application/json",
          details: null,
        },
      });
    });
  }

  for (const type of taken) {
    it(`may be ${type}`, async () => {
      const answer = await send("/v1/applications", { type, text: application });
      assert.equal(answer.status, 201, answer.text);
    });
  }

  it("is needed by no request without a body", async () => {
    const path = `/v1/connections/${world.connectionId}/records:check`;
    assert.equal((await send(path, {})).status, 200);
    assert.equal((await send(path, { text: "" })).status, 200);
    assert.equal((await send(path, { type: "application/json" })).status, 200);
    assert.equal((await send(path, { type: "application/json", text: "" })).status, 200);
    assert.equal((await send(path, { type: "text/plain", text: "" })).status, 415);
  });

  it("is the same for every route that takes a body, after who asks is known", async () => {
    const routes = allSampledRoutes().filter(
      ({ route, sample }) => route.method !== "GET" && !sample.session,
    );
    for (const { name, route, sample } of routes) {
      const { url, method } = sampleRequest(route, sample.request(world));
      for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
        const answer = await send(url, { method, type, text: "a=b" });
        assert.equal(answer.status, 415, `${name} ${type}: ${answer.text}`);
        const unknown = await send(url, { method, type, text: "a=b", key: "none" });
        assert.equal(unknown.status, 401, `${name} ${type}: ${unknown.text}`);
      }
    }
  });
});
