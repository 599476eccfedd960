import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { passOn, readInheritedListeners } from "./inherited-listeners.ts";

describe("readInheritedListeners", () => {
  const two = { LISTEN_PID: "7", LISTEN_FDS: "2", LISTEN_FDNAMES: "edge-http:edge-https" };

  it("reads the sockets of a service manager by their names", () => {
    const read = readInheritedListeners(two, 7);
    assert.deepEqual(
      [...read],
      [
        ["edge-http", 3],
        ["edge-https", 4],
      ],
    );
    const api = { LISTEN_PID: "7", LISTEN_FDS: "1", LISTEN_FDNAMES: "api" };
    assert.deepEqual([...readInheritedListeners(api, 7)], [["api", 3]]);
  });

  it("ignores what is meant for another process", () => {
    assert.equal(readInheritedListeners(two, 8).size, 0);
    assert.equal(readInheritedListeners({}, 7).size, 0);
  });

  it("refuses sockets that nothing would serve", () => {
    const refuses = (names: string, expected: RegExp) =>
      assert.throws(() => readInheritedListeners({ ...two, LISTEN_FDNAMES: names }, 7), expected);
    refuses("mooring.socket:mooring.socket", /named mooring\.socket; set FileDescriptorName/);
    refuses("api:api", /two sockets are named api/);
    refuses("edge-http:api", /edge-http and edge-https go together/);
    refuses("", /named \(nothing\)/);
  });

  it("passes them on to a child, after the channel to its parent", () => {
    const { descriptors, env } = passOn(readInheritedListeners(two, 7));
    assert.deepEqual(descriptors, [3, 4]);
    const read = readInheritedListeners({ ...two, ...env }, 8);
    assert.deepEqual(
      [...read],
      [
        ["edge-http", 4],
        ["edge-https", 5],
      ],
    );
    assert.deepEqual(passOn(new Map()), { descriptors: [], env: {} });
  });
});
