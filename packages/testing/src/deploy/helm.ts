import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";

const chart = path.resolve(import.meta.dirname, "../../../../deploy/helm/mooring");
type Values = Readonly<Record<string, unknown>>;

/** A chart that a template's `fail` refuses. */
export class ChartRefused extends Error {
  override readonly name = "ChartRefused";
}

/**
 * Renders deploy/helm/mooring without Helm, which Debian does not have: with Go's template engine
 * and Sprig as Caddy has them, which are the two that Helm uses. The chart uses no function that
 * only Helm has. What this does not cover: Helm's own schema of Chart.yaml, the order of hooks, and
 * `helm lint`.
 */
export async function renderChart(changes: Values): Promise<ReadonlyMap<string, string>> {
  const defaults: unknown = parse(readFileSync(path.join(chart, "values.yaml"), "utf8"));
  assert.ok(isObject(defaults));
  const root = {
    Values: merged(defaults, changes),
    Release: { Name: "mooring", Namespace: "connect", Service: "Helm" },
    Chart: parse(readFileSync(path.join(chart, "Chart.yaml"), "utf8")),
  };
  const parts = readFileSync(path.join(chart, "templates/_parts.tpl"), "utf8");
  const files = globSync("*.{yaml,txt}", { cwd: path.join(chart, "templates") }).sort();
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-chart-"));
  for (const file of files) {
    const text = readFileSync(path.join(chart, "templates", file), "utf8");
    const page = `${parts}{{- with fromJson ${JSON.stringify(JSON.stringify(root))} }}\n${text}{{ end }}`;
    writeFileSync(path.join(directory, `${file}.txt`), page);
  }
  try {
    return await rendered(directory, files);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function rendered(directory: string, files: readonly string[]) {
  const port = await freePort();
  const config = `{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:${port} {\n root * ${directory}\n templates\n file_server\n}\n`;
  const configFile = path.join(directory, "Caddyfile");
  writeFileSync(configFile, config);
  const args = ["run", "--adapter", "caddyfile", "--config", configFile];
  const env = { PATH: process.env["PATH"], HOME: directory };
  const caddy = spawn("caddy", args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  caddy.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await until(async () => {
      assert.equal(caddy.exitCode, null, log);
      return fetch(url).then(
        () => true,
        () => false,
      );
    });
    const results = new Map<string, string>();
    for (const file of files) {
      const answer = await fetch(`${url}/${file}.txt`);
      // Caddy cuts the answer short when a template fails, and writes the reason to its log.
      const text = await answer.text().catch(() => null);
      if (text === null || !answer.ok) {
        await until(() => log.includes(`${file}.txt`));
        throw new ChartRefused(log);
      }
      results.set(file, text);
    }
    return results;
  } finally {
    caddy.kill("SIGKILL");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** As Helm merges values: objects field by field, everything else replaced. */
function merged(base: Values, changes: Values): Values {
  const entries = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
