import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call } from "@mooring/testing/control/http";
import {
  type SampledRoute,
  sampledRoutes,
  sampleRequest,
} from "@mooring/testing/control/routes/route-samples";
import { fuzzRequests } from "@mooring/testing/control/sizes";
import {
  canaryName,
  type IdField,
  idFields,
  makeSides,
  type Sides,
  type World,
  withoutLimits,
} from "@mooring/testing/control/world";
import { newId } from "../domain/id.ts";

/** One id position of one route: what a sample would be with another id there. */
interface Position {
  readonly one: SampledRoute;
  readonly field: IdField;
}

function positions(world: World): Position[] {
  return sampledRoutes().flatMap((one) => {
    const isAt = (field: IdField): boolean =>
      JSON.stringify(one.sample.request({ ...world, [field]: "<here>" })).includes("<here>");
    return idFields.filter(isAt).map((field) => ({ one, field }));
  });
}

/**
 * What an outsider can see of an answer; ids of the request itself and of the answer are removed.
 */
function visible(answer: Answer, ids: readonly string[]): string {
  const headers = [...answer.headers]
    .filter(
      ([name]) =>
        !["x-request-id", "date", "ratelimit-remaining", "ratelimit-reset"].includes(name),
    )
    .map(([name, value]) => `${name}: ${value}`);
  const text = [answer.status, ...headers, answer.text].join("\n");
  return ids.reduce((clean, id) => clean.replaceAll(id, "<id>"), text);
}

describe("ids that are not one's own", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let canaries: readonly string[];
  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    canaries = ["foreign-test", "foreign-live", "own-live"].map(canaryName);
  });
  after(() => app.close());

  async function send(one: SampledRoute, key: string, world: World): Promise<Answer> {
    const { url, method, body } = sampleRequest(one.route, one.sample.request(world));
    return call(app.api.url, url, { method, key, ...(body === undefined ? {} : { body }) });
  }

  function refuseCanaries(answer: Answer, where: string): void {
    for (const canary of canaries) assert.ok(!answer.text.includes(canary), `${where}: ${canary}`);
  }

  it("answer at every position exactly like an id that does not exist", async () => {
    const all = positions(own.test);
    assert.ok(all.length >= 10);
    const others = [foreign.test, foreign.live, own.live];
    const isId = (field: IdField, world: World) => world[field];
    for (const { one, field } of all) {
      for (const random of [randomUUID(), newId(new Date())]) {
        const absent = await send(one, own.test.key, { ...own.test, [field]: random });
        assert.equal(
          absent.status,
          one.sample.absentStatus ?? 404,
          `${one.name} ${field}: ${absent.text}`,
        );
        for (const other of others) {
          const id = isId(field, other);
          const answer = await send(one, own.test.key, { ...own.test, [field]: id });
          const where = `${one.name} with a foreign ${field}`;
          assert.equal(visible(answer, [id]), visible(absent, [random]), where);
          refuseCanaries(answer, where);
        }
      }
    }
  });

  it("are 400 at every position when they are no ids, and break nothing", async () => {
    const junk = [
      "1",
      "null",
      "../../x",
      "%00",
      "'; drop table tenants; --",
      "a".repeat(299),
      "a".repeat(400),
      "{}",
    ];
    for (const { one, field } of positions(own.test)) {
      for (const text of junk) {
        const answer = await send(one, own.test.key, { ...own.test, [field]: text });
        assert.ok(
          [400, 404].includes(answer.status),
          `${answer.text} to ${one.name} ${field}=${text}`,
        );
      }
    }
  });

  it("stay hidden in any mixture, and what they name stays unchanged", async (context) => {
    const all = sampledRoutes();
    const worlds = [own.test, own.live, foreign.test, foreign.live];
    const before = await snapshot(foreign);
    const startedAt = performance.now();
    const total = fuzzRequests();
    await inParallel(total, 8, async () => {
      const one = all[randomInt(all.length)];
      assert.ok(one);
      const mixed: Record<string, string> = {};
      for (const field of idFields) {
        const pick = randomInt(worlds.length + 1);
        mixed[field] = worlds[pick]?.[field] ?? randomUUID();
      }
      // One id at least is not ours, so that nothing of ours is used up on the way.
      const spoilt = idFields[randomInt(idFields.length)] ?? "applicationId";
      mixed[spoilt] = foreign.test[spoilt];
      const request = () => send(one, own.test.key, { ...own.test, ...mixed });
      let answer = await request();
      // A busy API sheds load with 503, which is not what this test is about.
      if (answer.status === 503) answer = await request();
      assert.ok(
        answer.status < 500 || answer.status === one.sample.status,
        `${one.name}: ${answer.text}`,
      );
      refuseCanaries(answer, one.name);
    });
    const rate = total / ((performance.now() - startedAt) / 1_000);
    context.diagnostic(`${total} requests, ${Math.round(rate)} a second`);
    assert.deepEqual(await snapshot(foreign), before);
  });

  /** What its owner sees of a world. */
  async function snapshot(sides: Sides): Promise<unknown[]> {
    const seen: unknown[] = [];
    for (const world of [sides.test, sides.live]) {
      for (const rest of ["", "/keys?limit=100", "/credentials?limit=100"]) {
        const path = `/v1/applications/${world.applicationId}${rest}`;
        const answer = await call(app.api.url, path, { key: world.key });
        assert.equal(answer.status, 200);
        seen.push(answer.json());
      }
    }
    return seen;
  }
});

async function inParallel(
  total: number,
  workers: number,
  work: () => Promise<void>,
): Promise<void> {
  let left = total;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
