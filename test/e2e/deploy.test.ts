import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { byVariable, readConfig } from "../../packages/control/src/config/config.ts";
import { startWorker } from "../../packages/control/src/process/start-worker.ts";
import { startTestApp } from "../../packages/control/test/support/app.ts";
import {
  createClusterMetrics,
  metricsMessage,
} from "../../packages/edge/src/metrics/cluster-metrics.ts";
import {
  createCertificateStats,
  createEdgeRegistry,
  createStats,
} from "../../packages/edge/src/metrics/metrics.ts";
import { startOperational } from "../../packages/edge/src/process/operational.ts";

const root = path.resolve(import.meta.dirname, "../..");
const deploy = path.join(root, "deploy");
const rootKey = `k1:${Buffer.alloc(32, 1).toString("base64")}`;
const Variables = z.record(z.string(), z.string());

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd: root });
  assert.equal(status, 0, `${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** The configuration of a process; fails for an unknown variable or an invalid value. */
function takes(variables: Readonly<Record<string, string>>): void {
  const env = { NODE_ENV: "production", ...variables };
  const known = byVariable(readConfig(env));
  const unknown = Object.keys(env).filter((name) => !(name in known));
  assert.deepEqual(unknown, [], "variables that are not read");
}

describe("the compose file", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-deploy-"));
  after(() => rmSync(directory, { recursive: true }));
  const Compose = z.object({
    services: z.record(
      z.string(),
      z.object({
        command: z.array(z.string()).optional(),
        environment: Variables.optional(),
        healthcheck: z.object({ test: z.array(z.string()) }).optional(),
        read_only: z.boolean().optional(),
      }),
    ),
  });

  it("is valid, starts every process with valid settings, and checks its health", () => {
    const filled = readFileSync(path.join(deploy, ".env.example"), "utf8")
      .replace(/^SECRET_KEY=$/m, `SECRET_KEY=${rootKey}`)
      .replace(/^POSTGRES_PASSWORD=$/m, "POSTGRES_PASSWORD=secret");
    const env = path.join(directory, "env");
    writeFileSync(env, filled);
    const file = path.join(deploy, "compose.yaml");
    const text = run("docker-compose", ["--env-file", env, "-f", file, "config"]);
    const { services } = Compose.parse(parse(text));
    const { postgres, ...ours } = services;
    assert.ok(postgres);
    const commands = Object.values(ours).map(({ command }) => command?.join(" "));
    assert.deepEqual(commands.sort(), [
      "migrate",
      "serve api",
      "serve edge",
      "serve edge",
      "serve worker",
    ]);
    for (const [name, service] of Object.entries(ours)) {
      assert.equal(service.read_only, true, name);
      takes(service.environment ?? {});
      if (name !== "setup") assert.ok(service.healthcheck, `${name} has no health check`);
    }
  });

  it("reports a missing setting by name", () => {
    const env = path.join(directory, "empty");
    writeFileSync(env, "");
    const args = ["--env-file", env, "-f", path.join(deploy, "compose.yaml"), "config"];
    const { status, stderr } = spawnSync("docker-compose", args, { encoding: "utf8" });
    assert.notEqual(status, 0);
    assert.match(stderr, /set it in \.env|secrets generate/);
  });
});

describe("the image", () => {
  it("contains the compiled code of every process", (t) => {
    const text = readFileSync(path.join(deploy, "Dockerfile"), "utf8").replaceAll("\\\n", "");
    const step = /^RUN (node --input-type=module .*)$/m.exec(text)?.[1];
    assert.ok(step);
    const directory = mkdtempSync(path.join(tmpdir(), "mooring-image-"));
    t.after(() => rmSync(directory, { recursive: true }));
    symlinkSync(path.join(root, "packages"), path.join(directory, "packages"));
    // The cache of the test run would be used instead of the image's.
    const { NODE_COMPILE_CACHE: _ours, ...env } = process.env;
    const options = { cwd: directory, encoding: "utf8", shell: true, env } as const;
    const { status, stderr } = spawnSync(step, options);
    assert.equal(status, 0, stderr);
    const cached = globSync("node_modules/.cache/mooring/*/*", { cwd: directory }).length;
    const sources = globSync("packages/{cli,control,dns,edge,egress,postgres,vault}/src/**/*.ts", {
      cwd: root,
      exclude: (file) => file.endsWith(".test.ts"),
    }).length;
    // The code of the libraries is more than what single commands load of our own.
    assert.ok(cached > sources, `${cached} cached files, ${sources} sources`);
  });
});

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string() }),
});
const kinds: Readonly<Record<string, string>> = {
  Deployment: "apps/v1",
  Job: "batch/v1",
  PodDisruptionBudget: "policy/v1",
  Ingress: "networking/v1",
  NetworkPolicy: "networking/v1",
  Service: "core/v1",
  ConfigMap: "core/v1",
  Namespace: "core/v1",
};

function manifests(): readonly z.infer<typeof Manifest>[] {
  const files = globSync("*.yaml", { cwd: path.join(deploy, "kubernetes") });
  return files
    .filter((file) => file !== "kustomization.yaml")
    .flatMap((file) =>
      parseAllDocuments(readFileSync(path.join(deploy, "kubernetes", file), "utf8")).map((one) =>
        Manifest.parse(one.toJS()),
      ),
    );
}

describe("the Kubernetes manifests", () => {
  it("fit the types of the Kubernetes API, field by field", () => {
    // Inside the workspace, so that the types are found; literals are checked for unknown fields.
    const directory = mkdtempSync(path.join(root, "node_modules/.cache-deploy-"));
    try {
      const lines = manifests().map((manifest, index) => {
        const module = kinds[manifest.kind];
        assert.ok(module, `${manifest.kind} is not expected here`);
        const type = `import("kubernetes-types/${module}").${manifest.kind}`;
        return `export const m${index}: ${type} = ${JSON.stringify(manifest)};`;
      });
      const file = path.join(directory, "manifests.ts");
      writeFileSync(file, lines.join("\n"));
      run("tsc", ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", file]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("list every file, and give each process probes, limits, a disruption budget and valid settings", () => {
    const all = manifests();
    const { resources } = z
      .object({ resources: z.array(z.string()) })
      .parse(parse(readFileSync(path.join(deploy, "kubernetes/kustomization.yaml"), "utf8")));
    const files = globSync("*.yaml", { cwd: path.join(deploy, "kubernetes") });
    assert.deepEqual([...resources, "kustomization.yaml"].sort(), files.sort());
    const settings = all.find(({ kind }) => kind === "ConfigMap");
    takes({
      SECRET_KEY: rootKey,
      DATABASE_URL: "postgres://db/mooring",
      ...Variables.parse(settings?.["data"]),
    });
    const deployments = all.filter(({ kind }) => kind === "Deployment");
    assert.deepEqual(deployments.map(({ metadata }) => metadata.name).sort(), [
      "api",
      "edge",
      "worker",
    ]);
    for (const { metadata, ...rest } of deployments) {
      const text = JSON.stringify(rest);
      for (const needed of ["readinessProbe", "livenessProbe", "limits", "runAsNonRoot"]) {
        assert.ok(text.includes(needed), `${metadata.name} lacks ${needed}`);
      }
      const hasBudget = all.some(
        ({ kind, metadata: { name } }) => kind === "PodDisruptionBudget" && name === metadata.name,
      );
      assert.ok(hasBudget, `${metadata.name} has no disruption budget`);
    }
  });
});

describe("alerts and dashboard", () => {
  const alerts = path.join(deploy, "prometheus/alerts.yaml");
  const Rules = z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            annotations: z.object({ summary: z.string(), fix: z.string() }),
          }),
        ),
      }),
    ),
  });
  const Dashboard = z.object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
    ),
  });
  const rules = () =>
    Rules.parse(parse(readFileSync(alerts, "utf8"))).groups.flatMap((group) => group.rules);
  const queries = (): readonly string[] => {
    const file = path.join(deploy, "grafana/mooring.json");
    const { panels } = Dashboard.parse(JSON.parse(readFileSync(file, "utf8")));
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  };

  it("are valid to Prometheus", () => {
    run("promtool", ["check", "config", path.join(deploy, "prometheus/prometheus.yaml")]);
    const directory = mkdtempSync(path.join(tmpdir(), "mooring-rules-"));
    const record = queries().map((expr, index) => ({ record: `panel:${index}`, expr }));
    const file = path.join(directory, "panels.yaml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules: record }] }));
    run("promtool", ["check", "rules", file]);
    rmSync(directory, { recursive: true });
  });

  it("ask only for metrics that the processes report", async () => {
    const app = await startTestApp({ WORKER_INTERNAL_PORT: "0" });
    const worker = await startWorker(app.config, { log: app.operator.log });
    const metrics = createClusterMetrics(1);
    const registry = createEdgeRegistry({
      stats: createStats(),
      certificates: createCertificateStats(),
      hosts: () => 0,
    });
    metrics.receive("worker", await metricsMessage(registry));
    const edge = await startOperational({ host: "127.0.0.1", port: 0 }, metrics);
    const ports = [new URL(app.api.url).port, worker.internalPort, edge.port];
    const texts = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    await Promise.all([worker.close(), edge.close()]);
    await app.close();
    const reported = new Set(
      [...texts.join("\n").matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    const asked = [...queries(), ...rules().map(({ expr }) => expr)]
      .join(" ")
      .matchAll(/mooring_[a-z_]+/g);
    const names = [...new Set([...asked].map(([name]) => name))];
    assert.ok(names.length > 20);
    assert.deepEqual(
      names.filter((name) => !reported.has(name)),
      [],
    );
  });
});
