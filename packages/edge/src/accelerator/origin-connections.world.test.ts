import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { startRawOrigin } from "@mooring/testing/edge/origin";

describe("HAProxy's connection to the origin of a promoted name", () => {
  let edge: AcceleratedEdge;
  before(async () => {
    edge = await startAcceleratedEdge({ names: 1 });
  });
  after(() => edge?.close());

  it("is used again, for other visitors, too", async (t) => {
    let closing = false;
    const idle = await startRawOrigin((socket) => {
      socket.on("data", () => {
        if (closing) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nidle");
        closing = false;
      });
    });
    t.after(() => idle.close());
    edge.hosts.set("idle.example", { originUrl: idle.url });
    await edge.promote("idle.example");
    const [served, connections] = [await edge.served(), idle.connections()];
    const ask = () => visit(edge.httpsPort, "idle.example", edge.authority.certificatePem);
    for (let visits = 0; visits < 5; visits += 1) {
      assert.deepEqual(await ask(), { status: 200, body: "idle" });
    }
    assert.equal(idle.connections(), connections + 1);
    closing = true;
    // The origin has closed it as the request came: it is sent again.
    assert.deepEqual(await ask(), { status: 200, body: "idle" });
    assert.equal(idle.connections(), connections + 2);
    assert.equal(await edge.served(), served + 6);
  });
});
