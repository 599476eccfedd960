import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generateApiKey } from "../domain/applications/api-key.ts";
import { createLogger, redact } from "./log.ts";

function logged(work: (log: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  work(createLogger({ level: "trace", name: "test", destination }));
  return lines;
}

const jwt = `eyJhbGciOiJFZERTQSJ9.${"a".repeat(40)}.${"b".repeat(86)}`;
const secrets: Readonly<Record<string, string>> = {
  "a test key": generateApiKey("test"),
  "a live key": generateApiKey("live"),
  "a signing secret": `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  "a token": jwt,
  "a database password": "hunter2-of-the-database",
  "an authorization code": "SplxlOBeZQQYbYS6WxSbIA",
};

/** Some secrets have no shape of their own: they are known by what is around them. */
function carrier(what: string, secret: string): string {
  if (what.includes("database")) return `postgres://mooring:${secret}@db/app`;
  if (what.includes("code")) return `https://mooring.example/back?iss=x&code=${secret}&state=af0i`;
  return secret;
}

describe("the log", () => {
  for (const [what, secret] of Object.entries(secrets)) {
    it(`cuts ${what} in any field`, () => {
      const carried = carrier(what, secret);
      const entries = [
        { text: carried },
        { headers: { authorization: `Bearer ${carried}` } },
        { list: [{ deep: { note: `before ${carried} after` } }] },
        { err: new Error(`failed with ${carried}`, { cause: new Error(carried) }) },
        { [carried]: "as a field name" },
      ];
      const lines = logged((log) => {
        for (const entry of entries) log.info(entry, "here");
        log.warn(`in the message: ${carried}`);
        log.child({ bound: carried }).error("in a child's bindings");
      });
      assert.equal(lines.length, entries.length + 2);
      for (const line of lines) {
        assert.ok(!line.includes(secret), line);
        assert.match(line, /\[redacted\]/);
        JSON.parse(line);
      }
    });
  }

  it("leaves user and host of a database address", () => {
    assert.equal(
      redact('"postgresql://mooring:p%40ss:word@db.example:5432/app"'),
      '"postgresql://mooring:[redacted]@db.example:5432/app"',
    );
  });

  it("leaves text without a secret as it is", () => {
    for (const line of [
      "sk_test_ is the prefix",
      "eyJ alone",
      "postgres://host/db",
      "whsec_short",
      "/v1/connections?state=pending",
      '"code":"ERR_SOMETHING_LONG"',
    ]) {
      assert.equal(redact(line), line);
    }
  });

  it("writes one JSON line whatever the text holds", () => {
    const sly = 'a\nb\r{"level":60}\u2028\u0000"\u001b[31m';
    const lines = logged((log) => log.info({ sly }, sly));
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.trimEnd().includes("\n"), false);
    const parsed: unknown = JSON.parse(lines[0] ?? "");
    assert.ok(typeof parsed === "object" && parsed !== null && "sly" in parsed);
    assert.equal(parsed.sly, sly);
  });

  it("logs the name, code, message and cause of an error, and no other field", () => {
    const error = Object.assign(new Error("duplicate key", { cause: new TypeError("inner") }), {
      code: "23505",
      detail: "Key (name)=(private row value) already exists.",
      parameters: ["private row value"],
    });
    const [line = ""] = logged((log) => log.error({ err: error }, "failed"));
    assert.doesNotMatch(line, /private row value/);
    assert.match(line, /"code":"23505".*"message":"duplicate key".*"message":"inner"/);
    const [thrown = ""] = logged((log) => log.error({ err: "just text" }, "failed"));
    assert.match(thrown, /"err":\{"message":"just text"\}/);
  });

  it("tells of what a library attaches to its error only what it is", () => {
    const parameters = new URLSearchParams({ code: "private", state: "private" });
    const causes = [parameters, { body: "private" }, Object.create(null), ["private"]];
    const lines = logged((log) => {
      for (const cause of causes) log.info({ err: new Error("refused", { cause }) }, "failed");
    });
    assert.doesNotMatch(lines.join(""), /private/);
    assert.match(lines[0] ?? "", /"cause":\{"message":"\[URLSearchParams\]"\}/);
  });
});
