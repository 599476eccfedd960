import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Host } from "../hosts/host.ts";
import { noTraffic } from "../traffic/counts.ts";
import { chooseNames, createRequestRates } from "./rates.ts";
import { countLost, createLineReader, parseRequestLine } from "./request-log.ts";

const ended = { status: 200, bytesIn: 0, bytesOut: 0, isRefused: false };

describe("the rates of names", () => {
  it("rank by requests of the last minutes, by the share that the process sees", () => {
    const rates = createRequestRates(noTraffic, 0.5);
    const count = (hostname: string, times: number): void => {
      for (let at = 0; at < times; at += 1) rates.counts.ended({ hostname } as Host, ended);
    };
    count("a.example", 600);
    count("b.example", 60);
    const [first, second] = rates.rank(60_000);
    assert.deepEqual([first?.hostname, first?.perSecond], ["a.example", 10]);
    assert.deepEqual([second?.hostname, second?.perSecond], ["b.example", 1]);
    assert.deepEqual(
      rates.rank(60_000).map(({ perSecond }) => perSecond),
      [5, 0.5],
    );
  });

  it("promote from a threshold on, and keep until half of it or a much busier name", () => {
    const limits = { most: 2, promoteAt: 2 };
    const rate = (hostname: string, perSecond: number) => ({ hostname, perSecond });
    const ranked = [rate("a", 9), rate("b", 2.5), rate("c", 2.2), rate("d", 1.2)];
    assert.deepEqual(chooseNames(ranked, new Set(), limits), ["a", "b"]);
    assert.deepEqual(chooseNames(ranked, new Set(["c"]), limits), ["a", "c"]);
    assert.deepEqual(chooseNames([rate("d", 1.2)], new Set(["d"]), limits), ["d"]);
    assert.deepEqual(chooseNames([rate("d", 0.9)], new Set(["d"]), limits), []);
  });
});

describe("the lines of HAProxy", () => {
  const line = "1 c0.1 a.example 1 192.0.2.1 200 -- 119 82 17 32 31 0a1b2c3d4e5f GET - - 90 /a";

  it("are read with their lengths, however the bytes arrive", () => {
    const read: string[] = [];
    const reader = createLineReader((text) => read.push(text));
    const bytes = Buffer.from(`${line.length} ${line}${line.length} ${line}`);
    for (const byte of bytes) assert.ok(reader(Buffer.from([byte])));
    assert.deepEqual(read, [line, line]);
    assert.equal(reader(Buffer.from("no number")), false);
  });

  it("say how many are lost, and are so themselves when they cannot be read", () => {
    const unreadable = line.split(" ").slice(0, 9).join(" ");
    const lines = ["1 event dropped", "2560 events dropped", unreadable, line];
    assert.deepEqual(lines.map(countLost), [1, 2_560, 1, 0]);
  });

  it("say what the Node edge counts", () => {
    assert.deepEqual(parseRequestLine(line), {
      isFast: true,
      claim: "c0.1",
      hostname: "a.example",
      isFirst: true,
      remoteAddress: "192.0.2.1",
      status: 200,
      ending: "--",
      bytes: 17,
      elapsedMs: 32,
      answeredMs: 31,
      reference: "0a1b2c3d4e5f",
      method: "GET",
      receivedBytes: 0,
      path: "/a",
    });
    const upload = line.replace("GET - - 90", "PUT 500 100 420");
    assert.equal(parseRequestLine(upload)?.receivedBytes, 500);
    // The head and the start line are counted, too.
    assert.equal(parseRequestLine(upload.replace("200 --", "-1 CD"))?.receivedBytes, 300);
    const cut = parseRequestLine(line.replace("200 --", "-1 CD").replace(" 31 ", " -1 "));
    assert.deepEqual([cut?.status, cut?.answeredMs, cut?.ending], [null, null, "CD"]);
    assert.equal(
      parseRequestLine("- - - - 192.0.2.1 400 PR 0 - - 0 -1 - <BADREQ> - - 0 <BADREQ>"),
      null,
    );
  });
});
