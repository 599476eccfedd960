import assert from "node:assert/strict";
import { connect as netConnect, Socket } from "node:net";
import { describe, test } from "node:test";
import { listenTcp } from "@mooring/testing/egress/loopback";
import type { Connect } from "./dial.ts";
import { EgressError } from "./egress-error.ts";
import { createGuard } from "./guard.ts";

const attempts = 1_000;

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "answered";
  } catch (error) {
    assert.ok(error instanceof EgressError);
    return error.kind;
  }
}

/** Stands for the network: loopback is really dialled, a public address fails without a packet. */
function network(dialled: string[]): Connect {
  return ({ port, addresses }) => {
    const address = addresses[0]?.address ?? "";
    dialled.push(address);
    if (address.startsWith("127.")) return netConnect({ host: address, port });
    return new Socket().destroy(new Error("not reachable from a test"));
  };
}

describe("a name that changes its addresses", () => {
  test(`reaches no private address in ${attempts} attempts, with one lookup per attempt`, async () => {
    await using listener = await listenTcp();
    let lookups = 0;
    const dialled: string[] = [];
    const guard = createGuard({
      connect: network(dialled),
      lookup: async () => {
        lookups += 1;
        return lookups % 2 === 0 ? ["127.0.0.1"] : ["8.8.8.8"];
      },
    });
    const kinds: string[] = [];
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      kinds.push(await kindOf(guard.request(`http://rebind.example:${listener.port}/`)));
    }
    assert.equal(lookups, attempts);
    assert.deepEqual(new Set(dialled), new Set(["8.8.8.8"]));
    assert.equal(dialled.length, attempts / 2);
    assert.equal(kinds.filter((kind) => kind === "refused_address").length, attempts / 2);
    assert.equal(kinds.filter((kind) => kind === "connect").length, attempts / 2);
    assert.equal(listener.connects(), 0);
  });

  test("reaches nothing when the open connection leads elsewhere than to what was checked", async () => {
    let received = 0;
    let open = 2;
    const { promise: allClosed, resolve: onAllClosed } = Promise.withResolvers<void>();
    await using listener = await listenTcp((socket) => {
      socket.on("data", (bytes) => {
        received += bytes.length;
      });
      socket.on("close", () => {
        open -= 1;
        if (open === 0) onAllClosed();
      });
    });
    const guard = createGuard({
      lookup: async () => ["8.8.8.8"],
      connect: ({ port }) => netConnect({ host: "127.0.0.1", port }),
    });
    for (const scheme of ["http", "https"]) {
      const sent = guard.request(`${scheme}://rebind.example:${listener.port}/`);
      assert.equal(await kindOf(sent), "refused_address");
    }
    await allClosed;
    assert.equal(listener.connects(), 2);
    assert.equal(received, 0);
  });
});

describe("lookup", () => {
  test("answers in the forms that sockets ask for, checked addresses only", async () => {
    const guard = createGuard({ lookup: async () => ["8.8.8.8", "2606:4700::1111"] });
    const ask = (options: { all?: boolean; family?: number }) =>
      new Promise((resolve, reject) => {
        guard.lookup("name.example", options, (error, address, family) => {
          if (error === null) resolve([address, family]);
          else reject(error);
        });
      });
    const both = [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ];
    assert.deepEqual(await ask({ all: true }), [both, undefined]);
    assert.deepEqual(await ask({}), ["8.8.8.8", 4]);
    assert.deepEqual(await ask({ family: 6 }), ["2606:4700::1111", 6]);
    assert.deepEqual(await ask({ all: true, family: 4 }), [[both[0]], undefined]);
  });

  test("stops a socket that uses it before anything is dialled", async () => {
    await using listener = await listenTcp();
    const guard = createGuard({ lookup: async () => ["8.8.8.8", "127.0.0.1"] });
    const socket = netConnect({ host: "name.example", port: listener.port, lookup: guard.lookup });
    const failed = new Promise((_, reject) => socket.on("error", reject));
    assert.equal(await kindOf(failed), "refused_address");
    assert.equal(listener.connects(), 0);
  });

  test("reports a failing or empty answer as a DNS failure, never as permission", async () => {
    const failing = createGuard({
      lookup: async () => {
        throw Object.assign(new Error("queryA"), { code: "ESERVFAIL" });
      },
    });
    await assert.rejects(failing.resolve("name.example"), {
      kind: "dns",
      message: "the host could not be resolved (ESERVFAIL)",
    });
    const empty = createGuard({ lookup: async () => [] });
    await assert.rejects(empty.resolve("name.example"), { kind: "dns" });
    const odd = createGuard({ lookup: async () => ["not an address"] });
    await assert.rejects(odd.resolve("name.example"), { kind: "refused_address" });
  });
});
