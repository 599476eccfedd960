import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page, WebhookEvent } from "@mooring/sdk";
import { followEvents } from "./listen.ts";

const start = Date.parse("2026-11-15T00:00:00.000Z");

function event(id: string, seconds: number): WebhookEvent {
  return {
    id,
    type: "endpoint.test",
    created_at: new Date(start + seconds * 1_000).toISOString(),
    application_id: "a",
    environment: "test",
    sequence: 0,
    data: { connection: null },
  };
}

/** Follows a list of events that grows: before each further read, some are added. */
async function followed(
  before: readonly WebhookEvent[],
  additions: readonly (readonly WebhookEvent[])[],
  pageSize = 2,
) {
  let all = [...before];
  const waiting = [...additions];
  let pagesRead = 0;
  async function* pages(): AsyncGenerator<Page<WebhookEvent>> {
    const sorted = all.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
    for (let at = 0; at === 0 || at < sorted.length; at += pageSize) {
      pagesRead += 1;
      yield { data: sorted.slice(at, at + pageSize), next_cursor: null };
    }
  }
  const over = new Error("over");
  const got: string[] = [];
  const follow = followEvents(pages, {
    pause: async () => {
      const more = waiting.shift();
      if (more === undefined) throw over;
      all = [...all, ...more];
    },
    persist: (read) => read(),
  });
  try {
    for await (const { id } of follow) got.push(id);
  } catch (error) {
    if (error !== over) throw error;
  }
  return { got, pagesRead };
}

describe("following events", () => {
  it("yields events from now on, oldest first, over several pages", async () => {
    const { got } = await followed(
      [event("old", -5), event("older", -90)],
      [[], [event("c", 3), event("a", 1), event("b", 2)], [], [event("d", 4)]],
    );
    assert.deepEqual(got, ["a", "b", "c", "d"]);
  });

  it("yields each event once, also one that appears late with an earlier time", async () => {
    const { got } = await followed([], [[event("b", 20)], [event("a", 0)], [event("c", 20)]]);
    assert.deepEqual(got, ["b", "a", "c"]);
  });

  it("starts with an empty list as well as with a long one", async () => {
    assert.deepEqual((await followed([], [[event("a", 1)]])).got, ["a"]);
    const crowd = Array.from({ length: 50 }, (_, index) => event(`old${index}`, -index / 10));
    assert.deepEqual((await followed(crowd, [[event("a", 1)]])).got, ["a"]);
  });

  it("reads no further back than events can be late", async () => {
    const history = Array.from({ length: 1_000 }, (_, index) => event(`old${index}`, -60 * index));
    const { got, pagesRead } = await followed(history, [[], [], [event("a", 1)]]);
    assert.deepEqual(got, ["a"]);
    assert.ok(pagesRead <= 8, `${pagesRead} pages`);
  });
});
