import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { visit } from "@mooring/testing/clients/visit";
import { startAcceleratedEdge } from "@mooring/testing/edge/accelerator/accelerated-edge";
import { startOrigin } from "@mooring/testing/edge/origin";

describe("an address that opens more connections than it may", () => {
  it("has as many as it may, and others are served", async (t) => {
    const limits = { handshakesPerAddressPerSecond: 3 };
    const edge = await startAcceleratedEdge({ names: 1, limits });
    const origin = await startOrigin();
    t.after(async () => {
      await edge.close();
      await origin.close();
    });
    edge.hosts.set("shop.example", { originUrl: origin.url });
    await edge.promote("shop.example");
    const open = async (from: string): Promise<boolean> => {
      const page = visit(edge.httpsPort, "shop.example", edge.authority.certificatePem, from);
      return (await page.catch(() => null))?.status === 200;
    };
    const tryMany = (): Promise<readonly boolean[]> =>
      Promise.all(Array.from({ length: 10 }, () => open("127.0.0.61")));
    while (!(await tryMany()).includes(false));
    assert.equal(await open("127.0.0.62"), true);
    // It never pauses: what is refused must not count, or it would be refused for good.
    while (!(await tryMany()).includes(true));
  });
});
