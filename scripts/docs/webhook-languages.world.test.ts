import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";

const root = path.resolve(import.meta.dirname, "../..");
const text = readFileSync(path.join(root, "docs/webhooks.md"), "utf8");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = JSON.stringify({
  type: "domain.drift",
  sequence: 5,
  data: { name: "bücher.example" },
});

interface Language {
  readonly fence: string;
  readonly file: string;
  /** Reads the body from stdin and the rest from its arguments; prints the event's type. */
  readonly ending: string;
  readonly program: readonly string[];
  /** Runs before the first use. */
  readonly prepare?: readonly string[];
}

const languages: Readonly<Record<string, Language>> = {
  Python: {
    fence: "python",
    file: "webhook.py",
    ending: [
      "import sys",
      'headers = {"x-svc-timestamp": sys.argv[1], "x-svc-signature": sys.argv[2]}',
      'print(verify_webhook(sys.stdin.buffer.read(), headers, sys.argv[3])["type"])',
    ].join("\n"),
    program: ["python3", "webhook.py"],
  },
  Ruby: {
    fence: "ruby",
    file: "webhook.rb",
    ending: [
      'headers = { "x-svc-timestamp" => ARGV[0], "x-svc-signature" => ARGV[1] }',
      'puts verify_webhook($stdin.binmode.read, headers, ARGV[2])["type"]',
    ].join("\n"),
    program: ["ruby", "webhook.rb"],
  },
  PHP: {
    fence: "php",
    file: "webhook.php",
    ending: [
      '$headers = ["x-svc-timestamp" => $argv[1], "x-svc-signature" => $argv[2]];',
      'echo verify_webhook(file_get_contents("php://stdin"), $headers, $argv[3])["type"];',
    ].join("\n"),
    program: ["php", "webhook.php"],
  },
  Go: {
    fence: "go",
    file: "webhook.go",
    ending: [
      "func main() {",
      "\tbody, _ := io.ReadAll(os.Stdin)",
      "\theaders := http.Header{}",
      '\theaders.Set("X-Svc-Timestamp", os.Args[1])',
      '\theaders.Set("X-Svc-Signature", os.Args[2])',
      "\tevent, err := VerifyWebhook(body, headers, os.Args[3])",
      "\tif err != nil {",
      "\t\tos.Exit(1)",
      "\t}",
      "\tfmt.Print(event.Type)",
      "}",
    ].join("\n"),
    program: ["./webhook"],
    prepare: ["go", "build", "-o", "webhook", "webhook.go"],
  },
};

function documented(fence: string): string {
  const block = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  assert.ok(block, `no ${fence} in docs/webhooks.md`);
  return block;
}

/**
 * The documented text; for Go with another package name and more imports, which a program needs.
 */
function buildProgram({ fence, ending }: Language): string {
  const block = documented(fence);
  if (fence !== "go") return `${block}\n${ending}\n`;
  const [before, ...rest] = block.split("import (");
  assert.equal(before?.trim(), "package webhooks");
  return `package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"os"${rest.join("import (")}\n${ending}\n`;
}

function isPresent(program: string): boolean {
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .some((folder) => spawnSync("test", ["-x", path.join(folder, program)]).status === 0);
}

function sign(sent: string, key: string, timestamp: string): string {
  return `sha256=${createHmac("sha256", key).update(`${timestamp}.${sent}`).digest("hex")}`;
}

describe("the verification in other languages, as documented", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-languages-"));
  after(() => rmSync(directory, { recursive: true }));

  for (const [name, language] of Object.entries(languages)) {
    const [needed = ""] = language.prepare ?? language.program;
    const skip = isPresent(needed) ? false : `there is no ${needed} on this machine`;

    it(`(${name}) accepts a signed body and refuses one that is altered, signed with another secret, or old`, {
      skip,
    }, () => {
      writeFileSync(path.join(directory, language.file), buildProgram(language));
      if (language.prepare) {
        const [program = "", ...args] = language.prepare;
        const made = spawnSync(program, args, { cwd: directory, encoding: "utf8" });
        assert.equal(made.status, 0, made.stderr);
      }
      const now = Math.floor(Date.now() / 1_000);
      const run = (timestamp: string, signature: string, sent = body) => {
        const [program = "", ...args] = language.program;
        const all = [...args, timestamp, signature, secret];
        return spawnSync(program, all, { cwd: directory, input: sent, encoding: "utf8" });
      };
      const good = run(String(now), sign(body, secret, String(now)));
      assert.deepEqual([good.status, good.stdout.trim()], [0, "domain.drift"], good.stderr);

      const old = String(now - 320);
      const refusals: readonly (readonly [string, string, string?])[] = [
        [String(now), sign(body, secret, String(now)), body.replace("drift", "draft")],
        [String(now), sign(body, "whsec_other", String(now))],
        [old, sign(body, secret, old)],
        [String(now), ""],
        ["", sign(body, secret, "")],
      ];
      for (const refusal of refusals) {
        const { status, stdout } = run(...refusal);
        assert.notEqual(status, 0, `${refusal}: ${stdout}`);
      }
    });
  }
});
