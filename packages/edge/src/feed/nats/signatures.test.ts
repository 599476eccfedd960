import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createVault, generateRootKey, parseRootKeys } from "@mooring/vault";
import { createSignatures } from "./signatures.ts";

const [older, newer] = [generateRootKey(), generateRootKey()];
const signed = (...keys: readonly string[]) =>
  createSignatures(createVault(parseRootKeys(keys.join(",")), { purposes: ["certificate_key"] }));
const value = { subject: "mooring.edge.state.host.YQ", sequence: 7, data: '{"epoch":1}' };
const reply = { subject: "mooring.desk.http-challenge", nonce: "n1", data: '{"value":"t.k"}' };
const news = { subject: "mooring.news.origins", data: "f 1" };
const now = new Date("2026-01-01T00:00:00Z");

describe("signatures of the feed", () => {
  const ours = signed(older);

  it("hold for exactly the value, its subject and its number in the stream", () => {
    const fields = ours.signValue(value);
    assert.ok(ours.isValue(value, fields));
    assert.ok(ours.isValue({ ...value, data: Buffer.from(value.data) }, fields));
    for (const other of [
      { ...value, sequence: 8 },
      { ...value, subject: "mooring.edge.state.host.Yg" },
      { ...value, data: '{"epoch":2}' },
    ]) {
      assert.ok(!ours.isValue(other, fields), JSON.stringify(other));
    }
    assert.ok(!ours.isValue(value, undefined));
    assert.ok(!ours.isValue({ ...reply, sequence: 0 }, ours.signReply(reply)));
  });

  it("hold for one answer to one request", () => {
    const fields = ours.signReply(reply);
    assert.ok(ours.isReply(reply, fields));
    assert.ok(!ours.isReply({ ...reply, nonce: "n2" }, fields));
    assert.ok(!ours.isReply({ ...reply, subject: "mooring.desk.tls-challenge" }, fields));
  });

  it("hold for news of the last minute", () => {
    const fields = ours.signNews(news, now);
    const at = (ms: number) => new Date(now.getTime() + ms);
    assert.ok(ours.isNews(news, fields, at(60_000)));
    assert.ok(!ours.isNews(news, fields, at(60_001)));
    fields.set("Mooring-Signed-At", at(60_001).toISOString());
    assert.ok(!ours.isNews(news, fields, at(60_001)), "with another time");
  });

  it("of an older root key hold while it is loaded, and are not current", () => {
    const fields = ours.signValue(value);
    const rotated = signed(newer, older);
    assert.ok(rotated.isValue(value, fields));
    assert.ok(!rotated.isCurrent(fields));
    assert.ok(rotated.isCurrent(rotated.signValue(value)));
    assert.ok(!signed(newer).isValue(value, fields));
  });
});
