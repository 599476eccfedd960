import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DnsProvider, ProviderAdapter } from "../../src/providers/adapter/contract.ts";
import type { Fetch } from "../../src/providers/adapter/http.ts";
import { longestZone } from "../../src/zone.ts";
import { simulators } from "../random-zones/all-simulators.ts";
import type { Backend } from "../simulator.ts";
import { contradictions, readValues, type Values } from "./answer-values.ts";
import { findZone, makeCredentials, readLine } from "./play.ts";
import { type Recording, readRecordings, type Scene } from "./recording.ts";
import { replay } from "./replay.ts";

const signal = new AbortController().signal;
const wait = async () => undefined;

/** The answers that an adapter gets while it reads the zone. */
async function collect(
  open: (fetch: Fetch) => DnsProvider,
  fetch: Fetch,
  find: (provider: DnsProvider) => ReturnType<typeof findZone>,
): Promise<Values> {
  const answers: string[] = [];
  let isReading = false;
  const provider = open(async (url, init) => {
    const answer = await fetch(url, init);
    if (isReading && answer.ok) answers.push(await answer.clone().text());
    return answer;
  });
  const zone = await find(provider);
  isReading = true;
  await provider.listRecords(zone, signal);
  return readValues(answers);
}

function readRecorded(adapter: ProviderAdapter, recording: Recording, scene: Scene) {
  const { fetch } = replay(scene, recording);
  const credentials = makeCredentials(adapter, recording);
  const open = (through: Fetch) => adapter.open(credentials, { fetch: through, wait });
  return collect(open, fetch, (provider) => findZone(provider, scene));
}

async function readSimulated(
  adapter: ProviderAdapter,
  start: () => Promise<Backend>,
  scene: Scene,
) {
  const backend = await start();
  try {
    const lines = scene.records ?? [];
    await backend.seed(
      scene.zone,
      lines.map((line) => readLine(line, scene.zone)),
    );
    const open = (fetch: Fetch) => adapter.open(backend.credentials, { fetch, wait });
    return await collect(open, backend.fetch, async (provider) => {
      const zone = longestZone(await provider.listZones(signal), scene.zone);
      // Where the credential names the zones, it names others.
      return zone ?? { id: scene.zone, name: scene.zone, nameservers: [] };
    });
  } finally {
    await backend.close();
  }
}

describe("simulators", () => {
  for (const [slug, recording] of readRecordings()) {
    const scenes = recording.scenes.filter(({ records = [] }) => records.length > 0);
    if (scenes.length === 0) continue;
    it(`answers for ${slug} as was recorded`, async () => {
      const allowed = new Set<string>();
      for (const scene of scenes) {
        // One simulator for each credential type; the last one is the older interface.
        const simulated = simulators.findLast(({ adapter }) => adapter.manifest.slug === slug);
        assert.ok(simulated !== undefined, `there is no simulator of ${slug}`);
        const { adapter, start } = simulated;
        const found = contradictions(
          await readSimulated(adapter, start, scene),
          await readRecorded(adapter, recording, scene),
        );
        const others = found.filter((one) => {
          const rule = recording.simulator.find(({ at }) => one.startsWith(`${at} `));
          if (rule !== undefined) allowed.add(rule.at);
          return rule === undefined;
        });
        assert.deepEqual(others, [], scene.what);
      }
      const idle = recording.simulator.filter(({ at }) => !allowed.has(at));
      assert.deepEqual(idle, [], "differences that are not there");
    });
  }
});
