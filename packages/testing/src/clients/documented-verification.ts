import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import {
  type RotatedDelivery,
  recordRotatedDelivery,
} from "../control/webhooks/rotated-delivery.ts";

const documents = path.resolve(import.meta.dirname, "../../../../docs");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = JSON.stringify({
  type: "domain.drift",
  sequence: 5,
  data: { name: "bücher.example" },
});

export interface Language {
  readonly fence: string;
  readonly file: string;
  /**
   * Reads the body from stdin, and from its arguments the secret, then names and values of headers;
   * prints the event's type.
   */
  readonly ending: string;
  readonly program: readonly [string, ...string[]];
  /** Runs before the first use. */
  readonly prepare?: readonly [string, ...string[]];
}

type Run = (
  headers: Readonly<Record<string, string>>,
  sent?: string,
  key?: string,
) => { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/**
 * What the verification that docs/webhooks.md shows in each of these languages must do; called
 * inside a `describe`.
 */
export function testLanguages(languages: Readonly<Record<string, Language>>): void {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-languages-"));
  let rotated: RotatedDelivery;
  before(async () => {
    rotated = await recordRotatedDelivery();
  });
  after(() => rmSync(directory, { recursive: true }));

  for (const [name, language] of Object.entries(languages)) {
    let run: Run;
    before(() => {
      run = prepareProgram(language, directory);
    });

    it(`(${name}) accepts a signed body and refuses one that is altered, signed with another secret, or old`, () => {
      const now = Math.floor(Date.now() / 1_000);
      const signed = sign(body, secret, String(now));
      const good = run(signed);
      assert.deepEqual([good.status, good.stdout.trim()], [0, "domain.drift"], good.stderr);

      const refusals: readonly Parameters<Run>[] = [
        [signed, body.replace("drift", "draft")],
        [sign(body, "whsec_other", String(now))],
        [sign(body, secret, String(now - 320))],
        [{ ...signed, "x-svc-signature": "" }],
        [{ "x-svc-timestamp": String(now) }],
        [sign(body, secret, "")],
      ];
      for (const refusal of refusals) {
        const { status, stdout } = run(...refusal);
        assert.notEqual(status, 0, `${JSON.stringify(refusal)}: ${stdout}`);
      }
    });

    it(`(${name}) accepts the old and the new secret after a rotation, and no other`, () => {
      const { headers, type } = rotated;
      for (const key of [rotated.oldSecret, rotated.newSecret]) {
        const { status, stdout, stderr } = run(headers, rotated.body, key);
        assert.deepEqual([status, stdout.trim()], [0, type], stderr);
      }
      assert.notEqual(run(headers, rotated.body, secret).status, 0);
      const { "x-svc-signature-previous": _, ...later } = headers;
      assert.notEqual(run(later, rotated.body, rotated.oldSecret).status, 0);
    });
  }
}

function prepareProgram(language: Language, directory: string): Run {
  writeFileSync(path.join(directory, language.file), buildProgram(language));
  if (language.prepare) {
    const [program, ...args] = language.prepare;
    const env = { ...process.env, GOCACHE: path.join(directory, "go-cache") };
    const made = spawnSync(program, args, { cwd: directory, encoding: "utf8", env });
    assert.equal(made.status, 0, made.stderr);
  }
  const [program, ...args] = language.program;
  return (headers, sent = body, key = secret) => {
    const all = [...args, key, ...Object.entries(headers).flat()];
    return spawnSync(program, all, { cwd: directory, input: sent, encoding: "utf8" });
  };
}

/**
 * The documented text; for Go with another package name and more imports, which a program needs.
 */
function buildProgram({ fence, ending }: Language): string {
  const text = readFileSync(path.join(documents, "webhooks.md"), "utf8");
  const block = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  assert.ok(block, `no ${fence} in docs/webhooks.md`);
  if (fence !== "go") return `${block}\n${ending}\n`;
  const [start, ...rest] = block.split("import (");
  assert.equal(start?.trim(), "package webhooks");
  return `package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"os"${rest.join("import (")}\n${ending}\n`;
}

/** Independent of the service's code: the HMAC that the interface states. */
function sign(sent: string, key: string, timestamp: string): Readonly<Record<string, string>> {
  const hex = createHmac("sha256", key).update(`${timestamp}.${sent}`).digest("hex");
  return { "x-svc-timestamp": timestamp, "x-svc-signature": `sha256=${hex}` };
}
