import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findAdapter } from "../../src/providers/registry.ts";
import { play } from "./play.ts";
import { type Rule, readRecordings } from "./recording.ts";

describe("recordings", () => {
  for (const [slug, recording] of readRecordings()) {
    it(`of ${slug} are read and sent by our adapter`, async (test) => {
      const adapter = findAdapter(slug);
      assert.ok(adapter !== null, `there is no adapter ${slug}`);
      const sources = new Set(recording.sources.map(({ id }) => id));
      const used = new Set<Rule>();
      for (const scene of recording.scenes) {
        await test.test(scene.what, async () => {
          assert.ok(sources.has(scene.source), `${scene.source} is not a source`);
          for (const rule of await play(adapter, recording, scene)) used.add(rule);
        });
      }
      const idle = recording.rules.filter((rule) => !used.has(rule));
      assert.deepEqual(idle, [], "rules that no request needed");
      const named = new Set(recording.scenes.map(({ source }) => source));
      assert.deepEqual(
        [...sources].filter((id) => !named.has(id)),
        [],
        "sources without a scene",
      );
    });
  }
});
