import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApplicationSlots, type Waiting } from "./slots.ts";

/** Requests of one application by host and client, and what became of them. */
function world(count: number, queueLength = 1_000) {
  const slots = new ApplicationSlots(count, queueLength);
  const started: string[] = [];
  const refused: string[] = [];
  const requesterOf = (name: string) => {
    const [hostname = "", client = ""] = name.split("/");
    return { tenantId: "t", applicationId: "a", hostname, client };
  };
  const enter = (name: string, times = 1, onStart = (): void => undefined): void => {
    for (let index = 0; index < times; index += 1) {
      const request: Waiting = {
        requester: requesterOf(name),
        deadline: 1_000,
        isEnded: false,
        start() {
          started.push(name);
          onStart();
        },
        refuse: () => void refused.push(name),
      };
      slots.enter(request);
    }
  };
  const leave = (name: string): void => slots.leave(requesterOf(name));
  return { slots, started, refused, enter, leave };
}

describe("the slots of an application", () => {
  it("leave room for another host when one holds all that it can, for ever", () => {
    const { slots, started, enter } = world(64);
    enter("noisy/v", 1_000);
    assert.equal(started.length, 56);
    enter("quiet/w", 3);
    assert.deepEqual(started.slice(56), ["quiet/w", "quiet/w", "quiet/w"]);
    assert.equal(slots.waiting, 1_000 - 56);
  });

  it("leave room for another client of the same host", () => {
    const { started, enter } = world(64);
    enter("shop/v", 1_000);
    enter("shop/w", 2);
    assert.deepEqual(started.slice(56), ["shop/w", "shop/w"]);
  });

  it("leave room for another host when one has very many clients", () => {
    const { started, enter } = world(64);
    for (let client = 0; client < 1_000; client += 1) enter(`noisy/${client}`);
    assert.equal(started.length, 60);
    enter("quiet/w");
    assert.equal(started.at(-1), "quiet/w");
  });

  it("are shared evenly by hosts that all want more", () => {
    const { started, enter, leave } = world(64);
    const hosts = ["a/v", "b/v", "c/v", "d/v"];
    for (const host of hosts) enter(host, 500);
    // Every request that ends makes room for one.
    for (let index = 0; index < 400; index += 1) leave(started[index] ?? "");
    const inFlight = started.slice(400);
    for (const host of hosts) {
      const own = inFlight.filter((one) => one === host).length;
      assert.ok(own >= 10 && own <= 20, `${host} has ${own}`);
    }
  });

  it("refuse one of the host that waits most when too many wait, and what has waited too long", () => {
    const { slots, refused, enter, started } = world(8, 10);
    enter("noisy/v", 7 + 10);
    assert.deepEqual([started.length, slots.waiting], [7, 10]);
    enter("quiet/w", 3);
    // One had the last slot, two wait in place of two of the other host.
    assert.deepEqual([started.at(-1), refused], ["quiet/w", ["noisy/v", "noisy/v"]]);
    slots.expire(999);
    assert.equal(refused.length, 2);
    slots.expire(1_000);
    assert.deepEqual([refused.length, slots.waiting], [12, 0]);
  });

  it("serve requests that end at once without a deep stack", () => {
    const { slots, started, enter, leave } = world(8, 100_000);
    enter("shop/v", 7);
    enter("shop/v", 50_000, () => leave("shop/v"));
    assert.equal(slots.waiting, 50_000);
    leave("shop/v");
    assert.deepEqual([started.length, slots.waiting], [50_007, 0]);
  });
});
