import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMovableClock } from "@mooring/testing/edge/edge-database";
import { OutcomeLog } from "./outcomes.ts";

const shop = { connectionId: "shop" };

function start() {
  const clock = createMovableClock();
  const log = new OutcomeLog(clock);
  /** Reports what is due, as the reporter does. */
  const flush = () => {
    const reports = log.due(200);
    log.reported(reports);
    return reports.map(({ failures, success }) => [failures.length, success !== null]);
  };
  return { clock, log, flush };
}

describe("the outcomes of one process", () => {
  it("of origins that answer are not reported", () => {
    const { log, flush } = start();
    for (let request = 0; request < 100; request += 1) log.succeeded(shop);
    assert.deepEqual(flush(), []);
  });

  it("are reported when requests fail, and again when one succeeds", () => {
    const { clock, log, flush } = start();
    for (let request = 0; request < 3; request += 1) log.failed(shop);
    assert.deepEqual(flush(), [[3, false]]);
    assert.deepEqual(flush(), [], "nothing new");
    clock.advance(10);
    log.succeeded(shop);
    assert.deepEqual(flush(), [[0, true]]);
    log.succeeded(shop);
    assert.deepEqual(flush(), []);
  });

  it("of a failure that was not reported are forgotten with the next success", () => {
    const { log, flush } = start();
    log.failed(shop);
    log.succeeded(shop);
    assert.deepEqual(flush(), []);
  });

  it("tell of a success that comes while the failures are being reported", () => {
    const { clock, log, flush } = start();
    log.failed(shop);
    const reports = log.due(200);
    clock.advance(10);
    log.succeeded(shop);
    log.reported(reports);
    assert.deepEqual(flush(), [[0, true]]);
    assert.deepEqual(flush(), []);
  });

  it("are due again when the report did not arrive", () => {
    const { log } = start();
    log.failed(shop);
    assert.equal(log.due(200).length, 1);
    assert.equal(log.due(200).length, 1);
  });

  it("cost a few reports during an outage, however many requests fail", () => {
    const { clock, log, flush } = start();
    let reports = 0;
    for (let ms = 0; ms < 3_600_000; ms += 500) {
      for (let request = 0; request < 20; request += 1) log.failed(shop);
      reports += flush().length;
      clock.advance(500);
    }
    assert.ok(reports <= 62, `${reports} reports in an hour`);
  });

  it("cost a few reports when every other request fails", () => {
    const { clock, log, flush } = start();
    let reports = 0;
    for (let ms = 0; ms < 3_600_000; ms += 500) {
      if ((ms / 500) % 2 === 0) log.failed(shop);
      else log.succeeded(shop);
      reports += flush().length;
      clock.advance(500);
    }
    assert.ok(reports <= 150, `${reports} reports in an hour`);
  });

  it("tell of the last success when another process fails to reach the origin", () => {
    const { clock, log, flush } = start();
    log.succeeded(shop);
    clock.advance(10_000);
    log.onFailing(shop.connectionId);
    assert.deepEqual(flush(), [[0, true]]);
    log.onFailing(shop.connectionId, clock.now());
    assert.deepEqual(flush(), [], "it is older than the failure");
    clock.advance(10);
    log.succeeded(shop);
    assert.deepEqual(flush(), [[0, true]], "a later one is news");
  });

  it("tell of a success after another process has failed while one was being reported", () => {
    const { clock, log, flush } = start();
    log.failed(shop);
    flush();
    clock.advance(10);
    log.succeeded(shop);
    const reports = log.due(200);
    // The other's failures are written first, and are later than the success under way.
    log.onFailing(shop.connectionId);
    log.reported(reports);
    clock.advance(10);
    log.succeeded(shop);
    assert.deepEqual(flush(), [[0, true]]);
  });

  it("report failures again when another process had a success in between", () => {
    const { clock, log, flush } = start();
    for (let request = 0; request < 5; request += 1) log.failed(shop);
    assert.deepEqual(flush(), [[5, false]]);
    log.onServing(shop.connectionId);
    clock.advance(1_000);
    log.failed(shop);
    assert.deepEqual(flush(), [[5, false]]);
  });

  it("are forgotten when nothing happens for two minutes", () => {
    const { clock, log } = start();
    log.failed(shop);
    clock.advance(121_000);
    log.sweep();
    assert.deepEqual(log.due(200), []);
  });
});
