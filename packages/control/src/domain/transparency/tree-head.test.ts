import assert from "node:assert/strict";
import { createPublicKey, type KeyObject } from "node:crypto";
import { describe, it } from "node:test";
import vectors from "./fixtures/vectors.json" with { type: "json" };
import { parseLogList } from "./log-list.ts";
import { isSigned, readCheckpoint, readSignedTreeHead, UnreadableAnswer } from "./tree-head.ts";

function publicKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
}

const origin = "log.example.org/2026h2";

for (const log of vectors.logs) {
  const key = publicKey(log.key);
  const logId = Buffer.from(log.log_id, "base64");
  describe(`tree heads that a key of ${log.kind} signed in Go`, () => {
    it("are accepted as get-sth answers and as checkpoints, which are the same", () => {
      for (const { get_sth, checkpoint } of log.heads) {
        const head = readSignedTreeHead(get_sth);
        assert.ok(isSigned(head, key));
        assert.deepEqual(readCheckpoint(checkpoint, { origin, logId }), head);
      }
    });

    it("are refused with another size, time, root or signature", () => {
      const head = readSignedTreeHead(log.heads[0]?.get_sth);
      const flipped = Buffer.from(head.signature);
      flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
      assert.ok(!isSigned({ ...head, size: head.size + 1 }, key));
      assert.ok(!isSigned({ ...head, timestamp: head.timestamp + 1 }, key));
      assert.ok(!isSigned({ ...head, root: Buffer.alloc(32) }, key));
      assert.ok(!isSigned({ ...head, signature: flipped }, key));
      assert.ok(!isSigned({ ...head, signature: Buffer.of(4, 3, 0, 9) }, key));
      const other = vectors.logs.find(({ kind }) => kind !== log.kind);
      assert.ok(!isSigned(head, publicKey(other?.key ?? "")));
    });

    it("are refused in a note of another origin, key or form", () => {
      const note = log.heads[0]?.checkpoint ?? "";
      const refused = (text: string, of = { origin, logId }) =>
        assert.throws(() => readCheckpoint(text, of), UnreadableAnswer);
      refused(note, { origin: "other.example.org", logId });
      refused(note, { origin, logId: Buffer.alloc(32) });
      refused(note.replace("\n\n", "\nextension\n\n"));
      refused(note.replace("\n6\n", "\n06\n"));
      refused(note.slice(0, note.indexOf("\n\n") + 2));
      refused("");
    });
  });
}

describe("a checkpoint of Sunlight", () => {
  // FiloSottile/sunlight, cmd/skylight/testdata/tree/checkpoint and log.v3.json at 71b4f808.
  const key =
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPIcer7RB32jt4bTEbhgUKLKvOctFD+I2hoDItFxUBlJiGFvftBuRk3fO7e1T7gC2ekyfL7XoO2oN/ObcZyc4EA==";
  const logId = Buffer.from("CKIDXIl+znJaHUyhzhNVaSxIUov59RCXLh3fJXJExnk=", "base64");
  const note = `rome2026h1.example.org
300
lCkHUpkmVBEms2r2T1K6Og69+wUuuN3MIEW1/ezu2v0=

— rome2026h1.example.org kVB1JgAAAZtxtEwABAMARzBFAiEAi+mTa2xjL1IdWpH82OeciGsGvwRAP+f1WkfKaSZCfFECIHoNPZ/Q3y6UNzvKOO9cuLr6V16vPNfhwhle9f6r5H/Z
`;

  it("is read and its signature accepted", () => {
    const head = readCheckpoint(note, { origin: "rome2026h1.example.org", logId });
    assert.equal(head.size, 300);
    assert.equal(head.timestamp, 1_767_139_200_000);
    assert.ok(isSigned(head, publicKey(key)));
  });
});

describe("parseLogList", () => {
  const [ecdsa, rsa] = vectors.logs;
  const plain = {
    description: "Example log",
    log_id: ecdsa?.log_id,
    key: ecdsa?.key,
    url: "https://ct.example.org/2026h2/",
    mmd: 86_400,
    state: { usable: { timestamp: "2026-01-01T00:00:00Z" } },
    temporal_interval: {
      start_inclusive: "2026-07-01T00:00:00Z",
      end_exclusive: "2027-01-01T00:00:00Z",
    },
  };
  const tiled = {
    description: "Example tiled log",
    log_id: rsa?.log_id,
    key: rsa?.key,
    submission_url: `https://${origin}/`,
    monitoring_url: "https://mon.example.org/2026h2",
    mmd: 60,
  };
  const parse = (operator: object) =>
    parseLogList(JSON.stringify({ version: "1", operators: [{ name: "Op", ...operator }] }));

  it("reads logs of both kinds as the browsers' lists have them", () => {
    const { logs, problems } = parse({ logs: [plain], tiled_logs: [tiled] });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      logs.map(({ kind, url, description, endsAt }) => ({ kind, url, description, endsAt })),
      [
        {
          kind: "rfc6962",
          url: "https://ct.example.org/2026h2/",
          description: "Example log",
          endsAt: new Date("2027-01-01T00:00:00Z"),
        },
        {
          kind: "static",
          url: "https://mon.example.org/2026h2/",
          description: "Example tiled log",
          endsAt: null,
        },
      ],
    );
    assert.equal(logs[1]?.origin, origin);
    assert.equal(logs[0]?.id, Buffer.from(ecdsa?.log_id ?? "", "base64").toString("hex"));
  });

  it("leaves out logs that are retired, rejected or not open yet", () => {
    const states = ["retired", "rejected", "pending"].map((state) => ({
      ...plain,
      key: "",
      state: { [state]: { timestamp: "2026-01-01T00:00:00Z" } },
    }));
    const { logs, problems } = parse({ logs: [plain, ...states] });
    assert.deepEqual([logs.length, problems], [1, []]);
  });

  it("names every fault with its path", () => {
    const { problems } = parse({
      logs: [
        { ...plain, log_id: rsa?.log_id },
        { ...plain, key: "AAAA" },
        { ...plain, url: "ftp://x/" },
      ],
      tiled_logs: [{ ...tiled, monitoring_url: 7, submission_url: "https://a:b@c/" }],
    });
    assert.deepEqual(problems, [
      "operators[0].logs[0].log_id: expected the SHA-256 of the key, in base64",
      "operators[0].logs[1].key: expected a public key in base64: ECDSA on P-256, or RSA of 2048 bits or more",
      "operators[0].logs[2].url: expected an https URL",
      "operators[0].tiled_logs[0].monitoring_url: expected an https URL",
      "operators[0].tiled_logs[0].submission_url: expected an https URL",
    ]);
    assert.deepEqual(parseLogList("{").problems, ["is not JSON"]);
    assert.deepEqual(parseLogList("[]").problems, ["operators: expected a list"]);
    assert.deepEqual(parse({ logs: [plain, plain] }).problems, ["Example log: is listed twice"]);
    assert.deepEqual(parse({}).problems, ["names no log that can be read"]);
  });
});
