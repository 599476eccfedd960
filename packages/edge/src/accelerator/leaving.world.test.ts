import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { connectTo, readUntil } from "@mooring/testing/edge/client";
import { openH2 } from "@mooring/testing/edge/http/h2-client";
import { startRawOrigin } from "@mooring/testing/edge/origin";
import { until } from "@mooring/testing/processes/until";

const hostname = "left.example";
const begun = "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nbegun";

describe("a visitor of a promoted name who leaves", () => {
  let edge: AcceleratedEdge;
  let origin: Awaited<ReturnType<typeof startRawOrigin>>;
  /** Connections that wait for an answer, or for the rest of it, by the path of the request. */
  const open = new Map<string, Socket>();
  let made = 0;
  before(async () => {
    origin = await startRawOrigin((socket) => {
      socket.once("data", (head: Buffer) => {
        const [, path = ""] = head.toString("latin1").split(" ");
        open.set(path, socket);
        socket.once("close", () => open.delete(path));
        if (path.startsWith("/answered")) socket.write(begun);
      });
    });
    edge = await startAcceleratedEdge();
    edge.hosts.set(hostname, {
      originUrl: origin.url,
      connectionId: "0198c0de-0000-7000-8000-000000000001",
    });
    await edge.promote(hostname);
  });
  after(async () => {
    await edge?.close();
    await origin.close();
  });

  const nextPath = (start: string): string => {
    made += 1;
    return `${start}-${made}`;
  };

  async function endsAtOrigin(path: string, leave: () => void): Promise<void> {
    assert.ok(open.has(path));
    leave();
    await until(() => !open.has(path), `the end of ${path}`, 2_000);
  }

  /** HAProxy sends a GET to the origin itself, and a body of unknown length to the Node edge. */
  for (const method of ["GET", "POST"]) {
    for (const start of ["/waiting", "/answered"]) {
      it(`ends the ${method} at the origin over HTTP/1.1: ${start}`, async () => {
        const path = nextPath(start);
        const socket = await connectTo(edge, hostname);
        const answer = readUntil(socket, (text) => text.endsWith("begun")).catch(() => "");
        const body = method === "GET" ? "\r\n" : "transfer-encoding: chunked\r\n\r\n0\r\n\r\n";
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${body}`);
        if (start === "/answered") await answer;
        await until(() => open.has(path), `${path} at the origin`, 2_000);
        await endsAtOrigin(path, () => socket.destroy());
      });

      it(`ends the ${method} at the origin over HTTP/2: ${start}`, async () => {
        for (const leaves of ["stream", "session"] as const) {
          const path = nextPath(start);
          const session = await openH2(edge, hostname);
          const stream = session.request({ ":method": method, ":path": path });
          stream.on("error", () => undefined);
          const answer = once(stream, "data").catch(() => null);
          stream.end();
          if (start === "/answered") await answer;
          await until(() => open.has(path), `${path} at the origin`, 2_000);
          await endsAtOrigin(path, () =>
            leaves === "stream" ? stream.close(8) : session.destroy(),
          );
          session.destroy();
        }
      });
    }
  }

  it("is counted as one who left before the answer, or within it", async () => {
    assert.equal(await edge.served(), 6);
    await until(() => edge.accessLines.length === made, "the lines of all requests");
    for (const { path, method, status, isComplete } of edge.accessLines) {
      const [start] = path.split("-");
      assert.equal(status, start === "/waiting" ? null : 200, `${method} ${path}`);
      assert.equal(isComplete, false, `${method} ${path}`);
    }
    assert.deepEqual(edge.failures, []);
  });
});
