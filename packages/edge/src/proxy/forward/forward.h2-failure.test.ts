import assert from "node:assert/strict";
import { constants, createSecureServer } from "node:http2";
import { after, before, describe, it } from "node:test";
import { parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { askH2, openH2, readResetCode } from "@mooring/testing/edge/http/h2-client";
import {
  frames,
  type RawRequest,
  startRawH2Origin,
} from "@mooring/testing/edge/http/raw-h2-origin";
import { startRawOrigin } from "@mooring/testing/edge/origin";
import { shiftClock } from "@mooring/testing/edge/shifted-clock";
import { leafFor, startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const ok = [[":status", "200"]] as const;

function answer({ socket, stream }: RawRequest, text = "fine"): void {
  socket.write(Buffer.concat([frames.headers(stream, ok), frames.data(stream, text, true)]));
}

describe("an HTTP/2 origin that fails", () => {
  let edge: TestEdge;
  const outcomes: string[] = [];
  before(async () => {
    edge = await startTestEdge({
      outcomes: { succeeded: () => outcomes.push("ok"), failed: () => outcomes.push("failed") },
    });
  });
  after(() => edge.close());

  it("gets a request again that it refused, with its body", async () => {
    let refusals = 0;
    const origin = await startRawH2Origin((received) => {
      refusals += 1;
      if (refusals > 2) answer(received);
      else received.socket.write(frames.reset(received.stream, constants.NGHTTP2_REFUSED_STREAM));
    });
    edge.hosts.set("refusing.example", { originUrl: origin.url });
    const session = await openH2(edge, "refusing.example");
    const { status, body } = await askH2(session, { ":method": "POST" }, "hello");
    assert.deepEqual([status, body, refusals], [200, "fine", 3]);
    assert.deepEqual([...origin.bodies.values()], ["hello", "hello", "hello"]);
    session.destroy();
    await origin.close();
  });

  it("gets no request for ever: after three refusals the client gets 502", async () => {
    const origin = await startRawH2Origin(({ socket, stream }) =>
      socket.write(frames.reset(stream, constants.NGHTTP2_REFUSED_STREAM)),
    );
    edge.hosts.set("never.example", { originUrl: origin.url });
    const refused = await roundTrip(edge, "never.example", request("never.example"));
    assert.equal(parseStatus(refused), 502);
    assert.equal(origin.received.filter((one) => one.startsWith("HEADERS")).length, 4);
    await origin.close();
  });

  for (const [name, code] of [
    ["NO_ERROR", constants.NGHTTP2_NO_ERROR],
    ["ENHANCE_YOUR_CALM", constants.NGHTTP2_ENHANCE_YOUR_CALM],
  ] as const) {
    it(`gets on a new connection what its GOAWAY with ${name} left out`, async () => {
      const origin = await startRawH2Origin((received) => {
        if (received.connection > 0) answer(received);
        else received.socket.write(frames.goaway(0, code));
      });
      edge.hosts.set("leaving.example", { originUrl: origin.url });
      const session = await openH2(edge, "leaving.example");
      const { status } = await askH2(session, { ":method": "POST" }, "hello");
      assert.equal(status, 200);
      assert.equal(origin.connections(), 2);
      session.destroy();
      await origin.close();
    });
  }

  it("does not get a request again that it may have processed", async () => {
    const origin = await startRawH2Origin(({ socket, stream }) =>
      socket.end(frames.goaway(stream, constants.NGHTTP2_NO_ERROR)),
    );
    edge.hosts.set("processed.example", { originUrl: origin.url });
    const lines = ["Content-Length: 5"];
    const text = `${request("processed.example", "POST / HTTP/1.1", lines)}hello`;
    assert.equal(parseStatus(await roundTrip(edge, "processed.example", text)), 502);
    assert.equal(origin.connections(), 1);
    await origin.close();
  });

  it("cuts its answer at the client by a reset with its code; without a code it is cut too", async () => {
    const origin = await startRawH2Origin(({ socket, stream }) => {
      const code = stream === 1 ? constants.NGHTTP2_ENHANCE_YOUR_CALM : constants.NGHTTP2_NO_ERROR;
      socket.write(frames.headers(stream, ok));
      socket.write(Buffer.concat([frames.data(stream, "half"), frames.reset(stream, code)]));
    });
    edge.hosts.set("cutting.example", { originUrl: origin.url });
    const session = await openH2(edge, "cutting.example");
    const codes: (number | undefined)[] = [];
    for (let round = 0; round < 2; round += 1) {
      codes.push(await readResetCode(session));
    }
    const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR } = constants;
    assert.deepEqual(codes, [NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR]);
    session.destroy();
    await origin.close();
  });

  it("is 502 when it speaks another protocol, and 504 when it says nothing", async () => {
    const old = await startRawOrigin((socket) => {
      socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    edge.hosts.set("http1.example", { originUrl: `h2c://127.0.0.1:${old.port}` });
    const wrong = await roundTrip(edge, "http1.example", request("http1.example"));
    assert.equal(parseStatus(wrong), 502);
    assert.match(JSON.stringify(edge.warnings.at(-1)), /does not speak HTTP\/2/);
    const quick = await startTestEdge({ limits: { originConnectMs: 200 } });
    const silent = await startRawOrigin(() => undefined);
    quick.hosts.set("silent.example", { originUrl: `h2c://127.0.0.1:${silent.port}` });
    const late = await roundTrip(quick, "silent.example", request("silent.example"));
    assert.equal(parseStatus(late), 504);
    await quick.close();
    await silent.close();
    await old.close();
  });

  it("is timed out before its answer and within it, and reported as failed", async () => {
    outcomes.length = 0;
    const quick = await startTestEdge({
      limits: { originFirstByteMs: 1_500, stallMs: 1_500 },
      outcomes: { succeeded: () => outcomes.push("ok"), failed: () => outcomes.push("failed") },
    });
    const origin = await startRawH2Origin(({ socket, stream }) => {
      if (stream > 1) socket.write(frames.headers(stream, ok));
    });
    quick.hosts.set("slow.example", { originUrl: origin.url });
    const session = await openH2(quick, "slow.example");
    assert.equal((await askH2(session, {})).status, 504);
    assert.equal(await readResetCode(session), constants.NGHTTP2_INTERNAL_ERROR);
    assert.equal(origin.connections(), 1);
    await until(() => origin.received.filter((one) => one.startsWith("RST_STREAM")).length === 2);
    assert.deepEqual(outcomes, ["failed", "ok"]);
    session.destroy();
    await quick.close();
    await origin.close();
  });

  it("gets a PING when it is used after silence, and another connection when it leaves it unanswered", async (context) => {
    const quick = await startTestEdge({ limits: { originPingMs: 200 } });
    let isGone = false;
    const origin = await startRawH2Origin(
      (received) => {
        if (!isGone || received.connection > 0) answer(received, `from ${received.connection}`);
      },
      () => undefined,
    );
    quick.hosts.set("gone.example", { originUrl: origin.url });
    const session = await openH2(quick, "gone.example");
    assert.equal((await askH2(session, {})).body, "from 0");
    const { advance } = shiftClock(context, quick);
    await advance(1);
    await advance(11_000);
    isGone = true;
    assert.equal((await askH2(session, {})).body, "from 1");
    assert.ok(origin.received.includes("PING of 0"));
    assert.equal(quick.stats.originRetries, 1);
    session.destroy();
    await quick.close();
    await origin.close();
  });

  it("is asked by HTTP/1.1 once it requires that", async () => {
    const tls = await leafFor(edge.authority, { addresses: ["127.0.0.1"] });
    const versions: string[] = [];
    const server = createSecureServer({ ...tls, allowHTTP1: true });
    server.on("stream", (stream) => {
      versions.push("2");
      stream.on("error", () => undefined);
      stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED);
    });
    server.on("request", (received, response) => {
      if (received.httpVersion === "2.0") return;
      versions.push(received.httpVersion);
      response.end("by HTTP/1.1");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    edge.hosts.set("older.example", { originUrl: `https://127.0.0.1:${address.port}` });
    for (const expected of [1, 2]) {
      const answered = await roundTrip(edge, "older.example", request("older.example"));
      assert.match(answered, /by HTTP\/1\.1$/);
      assert.equal(versions.filter((version) => version === "1.1").length, expected);
    }
    assert.deepEqual(versions, ["2", "1.1", "1.1"]);
    server.close();
  });
});
