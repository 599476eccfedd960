import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { startTestApp } from "@mooring/testing/control/app";
import { composeConfig, envFile } from "@mooring/testing/deploy/compose";
import { renderChart } from "@mooring/testing/deploy/helm";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { byVariable, readConfig } from "../../../packages/control/src/config/config.ts";
import { startWorker } from "../../../packages/control/src/process/start-worker.ts";
import {
  createClusterMetrics,
  metricsMessage,
} from "../../../packages/edge/src/metrics/cluster-metrics.ts";
import {
  createCertificateStats,
  createEdgeRegistry,
  createStats,
} from "../../../packages/edge/src/metrics/metrics.ts";
import { startOperational } from "../../../packages/edge/src/metrics/operational.ts";
import { createNameServerRegistry } from "../../../packages/edge/src/nameserver/metrics.ts";

const root = path.resolve(import.meta.dirname, "../../..");
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

  it("is valid, starts every process with valid settings, confined, and checks its health", () => {
    const env = path.join(directory, "env");
    writeFileSync(
      env,
      envFile({ SECRET_KEY: rootKey, SECRET_KEY_EDGE: "k1", POSTGRES_PASSWORD: "s" }),
    );
    const { postgres, ...ours } = composeConfig(env).services;
    assert.ok(postgres);
    const commands = Object.values(ours).map(({ command }) => command?.join(" "));
    assert.deepEqual(commands.sort(), [
      "migrate",
      "serve api",
      "serve dns",
      "serve edge",
      "serve edge",
      "serve worker",
    ]);
    for (const [name, service] of Object.entries(ours)) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ["ALL"], name);
      takes(service.environment ?? {});
      if (name !== "setup") assert.ok(service.healthcheck, `${name} has no health check`);
    }
  });

  it("has a form with NATS, in which an edge has no database and the edge's keys only", () => {
    const env = path.join(directory, "env-nats");
    const passwords = { NATS_ISSUER_PASSWORD: "i", NATS_EDGE_PASSWORD: "e" };
    const keys = { SECRET_KEY: rootKey, SECRET_KEY_EDGE: "k1", POSTGRES_PASSWORD: "s" };
    writeFileSync(env, envFile({ ...keys, ...passwords }));
    const { services } = composeConfig(env, "compose.nats.yaml");
    for (const name of ["nats", "issuer", "edge", "edge-2"]) {
      const service = services[name];
      assert.ok(service?.healthcheck, name);
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ["ALL"], name);
    }
    const { issuer, edge, nats } = services;
    assert.ok(issuer?.environment && edge?.environment && nats);
    assert.deepEqual(issuer.command, ["serve", "issuer"]);
    takes(issuer.environment);
    takes(edge.environment);
    const config = readConfig({ NODE_ENV: "production", ...edge.environment });
    const { edgeFeed, databaseUrl, databaseUrlEdge, databaseReplicaUrl, secretKey } = config;
    assert.deepEqual(
      [edgeFeed, databaseUrl, databaseUrlEdge, databaseReplicaUrl, secretKey],
      ["nats", null, null, null, null],
    );
    assert.equal(edge.depends_on?.["nats"]?.condition, "service_healthy");
    assert.equal(issuer.environment["SECRET_KEY"], undefined);
  });

  it("reports a missing setting by name", () => {
    const env = path.join(directory, "empty");
    writeFileSync(env, "");
    const args = ["--env-file", env, "-f", path.join(deploy, "compose.yaml"), "config"];
    const { status, stderr } = spawnSync("docker-compose", args, { encoding: "utf8" });
    assert.notEqual(status, 0);
    assert.match(stderr, /set it in \.env/);
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
    const sources = globSync(
      "packages/{cli,concurrency,control,dns,edge,egress,postgres,vault}/src/**/*.ts",
      {
        cwd: root,
        exclude: (file) => file.endsWith(".test.ts"),
      },
    ).length;
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

type KubernetesObject = z.infer<typeof Manifest>;

function objectsIn(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text)
    .map((one) => one.toJS())
    .filter((one) => one !== null)
    .map((one) => Manifest.parse(one));
}

function manifests(folder = "kubernetes"): readonly KubernetesObject[] {
  const files = globSync("*.yaml", { cwd: path.join(deploy, folder) });
  return files
    .filter((file) => file !== "kustomization.yaml")
    .flatMap((file) => objectsIn(readFileSync(path.join(deploy, folder, file), "utf8")));
}

/** With the option that edges read NATS. */
function natsManifests(): readonly KubernetesObject[] {
  return [...manifests(), ...manifests("kubernetes/nats")];
}

/** The values with which the chart describes what the plain manifests do. */
const chartValues = {
  baseUrl: "https://connect.example.com",
  edge: { cname: "edge.example.com", ipv4: "192.0.2.10" },
  acme: { email: "ops@example.com" },
  api: { ingress: { trustedProxies: "10.244.0.0/16" } },
  validation: { zone: "v.example.com", nameServers: "ns-v1.example.com,ns-v2.example.com" },
};

async function chartObjects(values: object = chartValues): Promise<readonly KubernetesObject[]> {
  const files = [...(await renderChart({ ...values }))].filter(([file]) => file.endsWith(".yaml"));
  return files.flatMap(([, text]) => objectsIn(text));
}

/** Compiles them as literals of the API's types, which reports unknown fields as well. */
function requireTypes(objects: readonly KubernetesObject[]): void {
  // Inside the workspace, so that the types are found.
  const directory = mkdtempSync(path.join(root, "node_modules/.cache-deploy-"));
  try {
    const lines = objects.map((one, index) => {
      const module = kinds[one.kind];
      assert.ok(module, `${one.kind} is not expected here`);
      const type = `import("kubernetes-types/${module}").${one.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(one)};`;
    });
    const file = path.join(directory, "manifests.ts");
    writeFileSync(file, lines.join("\n"));
    run("tsc", ["--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig", file]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const Pods = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          runAsUser: z.int().min(1),
          seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
        }),
        containers: z.array(
          z.looseObject({
            securityContext: z.object({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
              capabilities: z.object({ drop: z.tuple([z.literal("ALL")]) }),
            }),
            resources: z.object({ limits: z.object({ memory: z.string() }) }),
          }),
        ),
      }),
    }),
  }),
});

/** Every pod is confined, every process has probes and a budget, every setting is read. */
function requireProcesses(all: readonly KubernetesObject[], more: readonly string[] = []): void {
  const settings = all.find(({ kind }) => kind === "ConfigMap");
  takes({
    SECRET_KEY: rootKey,
    DATABASE_URL: "postgres://db/mooring",
    ...Variables.parse(settings?.["data"]),
  });
  const deployments = all.filter(({ kind }) => kind === "Deployment");
  const names = deployments.map(({ metadata }) => metadata.name).sort();
  assert.deepEqual(names, ["api", "dns", "edge", "worker", ...more].sort());
  for (const one of all.filter(({ kind }) => kind === "Deployment" || kind === "Job")) {
    const pods = Pods.safeParse(one);
    assert.ok(pods.success, `${one.metadata.name}: ${pods.error?.message}`);
  }
  for (const { metadata, ...rest } of deployments) {
    const text = JSON.stringify(rest);
    for (const needed of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      assert.ok(text.includes(needed), `${metadata.name} lacks ${needed}`);
    }
    const hasBudget = all.some(
      ({ kind, metadata: { name } }) => kind === "PodDisruptionBudget" && name === metadata.name,
    );
    assert.ok(hasBudget, `${metadata.name} has no disruption budget`);
  }
  const policies = all.filter(({ kind }) => kind === "NetworkPolicy");
  assert.deepEqual(policies.map(({ metadata }) => metadata.name).sort(), [
    "api",
    "default-deny",
    "dns",
    "edge",
    "internal",
    ...more,
    "outgoing",
  ]);
}

/** The files of a folder that kustomize reads. */
function readResources(folder: string): readonly string[] {
  const file = path.join(deploy, folder, "kustomization.yaml");
  const listed = z.object({ resources: z.array(z.string()) });
  return listed.parse(parse(readFileSync(file, "utf8"))).resources;
}

describe("the Kubernetes manifests", () => {
  it("fit the types of the Kubernetes API, field by field", () => requireTypes(natsManifests()));

  it("list every file, and run confined processes with probes, limits and valid settings", () => {
    for (const folder of ["kubernetes", "kubernetes/nats"]) {
      const files = globSync("*.yaml", { cwd: path.join(deploy, folder) });
      const own = readResources(folder).filter((file) => file !== "..");
      assert.deepEqual([...own, "kustomization.yaml"].sort(), files.sort());
    }
    requireProcesses(manifests());
    requireProcesses(natsManifests(), ["issuer"]);
  });
});

describe("the Helm chart", () => {
  it("renders objects that fit the types of the Kubernetes API, and run confined processes", async () => {
    const all = await chartObjects();
    requireTypes(all);
    requireProcesses(all);
  });

  it("describes the same processes, services and policies as the plain manifests", async () => {
    const comparable = (objects: readonly KubernetesObject[]) =>
      new Map(objects.map((one) => [`${one.kind} ${one.metadata.name}`, plain(one)]));
    const own = (part: string) => ({ secretName: `mooring-${part}` });
    const chart = comparable(
      await chartObjects({
        ...chartValues,
        edgeFeed: "nats",
        issuer: own("issuer"),
        api: { ...chartValues.api, ...own("api") },
        worker: own("worker"),
        validation: { ...chartValues.validation, ...own("dns") },
        edge: { ...chartValues.edge, ...own("edge") },
      }),
    );
    const shared = comparable(natsManifests());
    // The chart is installed into a namespace; its migration is a hook; its policies name their
    // pods.
    for (const name of ["Namespace mooring", "Job migrate", "NetworkPolicy default-deny"]) {
      shared.delete(name);
      chart.delete(name);
    }
    assert.deepEqual([...chart.keys()].sort(), [...shared.keys()].sort());
    for (const [name, one] of shared) assert.deepEqual(chart.get(name), one, name);
  });

  it("renders with every option changed", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const all = await chartObjects({
      ...chartValues,
      edge: { ...chartValues.edge, originAllowPrivate: true },
      image: { repository: "r.example/m", digest },
      api: { replicas: 3, ingress: { enabled: false } },
      networkPolicy: { enabled: false },
      validation: {},
      worker: { ctLogsConfigMap: "logs" },
      env: { EGRESS_ALLOW: "10.1.0.0/16" },
    });
    requireTypes(all);
    const text = JSON.stringify(all);
    assert.ok(text.includes(`"image":"r.example/m@${digest}"`));
    assert.ok(text.includes('"EGRESS_ALLOW":"10.1.0.0/16"'));
    assert.ok(text.includes('"ORIGIN_ALLOW_PRIVATE":"true"'));
    assert.match(text, /"CT_LOGS","value":"(\/etc\/mooring)\/.*"mountPath":"\1".*"name":"logs"/);
    assert.ok(!all.some(({ kind }) => kind === "Ingress" || kind === "NetworkPolicy"));
    assert.ok(!all.some(({ metadata }) => metadata.name === "dns"), "no zone, no name server");
  });

  it("says which value is missing", async () => {
    await assert.rejects(renderChart({}), /baseUrl: set it to where tenants/);
    const values = { ...chartValues, api: { ingress: { trustedProxies: "" } } };
    await assert.rejects(
      renderChart(values),
      /api\.ingress\.trustedProxies: set it to the network/,
    );
    const nats = { ...chartValues, edgeFeed: "nats" };
    await assert.rejects(renderChart(nats), /edge\.secretName: with edgeFeed nats set it/);
    const unknown = { ...chartValues, edgeFeed: "redis" };
    await assert.rejects(renderChart(unknown), /edgeFeed: set it to postgres or nats/);
  });
});

/** An object without what the chart adds or names otherwise. */
function plain(one: KubernetesObject): unknown {
  return JSON.parse(JSON.stringify(one), (key, value) => {
    if (key === "checksum/settings" || key === "imagePullPolicy") return undefined;
    if (key === "image") return "mooring";
    if (key === "ASK_URL") return String(value).replace("connect.svc", "mooring.svc");
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    if (key === "annotations" && isEmpty) return undefined;
    return key === "EDGE_IPV6" && value === "" ? undefined : value;
  });
}

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

  it("ask only for metrics that the processes report, and the guide lists all of them", async () => {
    const app = await startTestApp({ WORKER_INTERNAL_PORT: "0" });
    const worker = await startWorker(app.config, { log: app.operator.log });
    const metrics = createClusterMetrics(1);
    const registry = createEdgeRegistry({
      stats: createStats(),
      certificates: createCertificateStats(),
      hosts: { size: 0, isInMemory: () => false, takeovers: () => 0 },
    });
    metrics.receive("worker", await metricsMessage(registry));
    const edge = await startOperational({ host: "127.0.0.1", port: 0 }, metrics);
    const ports = [new URL(app.api.url).port, worker.internalPort, edge.port];
    const texts = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    );
    const answers = { udp: 0, tcp: 0 };
    const nameServer = createNameServerRegistry({ answers, dropped: 0, malformed: 0 }, () => 0);
    texts.push(await nameServer.metrics());
    await Promise.all([worker.close(), edge.close()]);
    await app.close();
    const page = readFileSync(path.join(root, "docs/metrics.md"), "utf8");
    const listed = [...page.matchAll(/^\| `(mooring_[a-z_]+)`/gm)].map(([, name]) => name);
    const own = [...texts.join("\n").matchAll(/^# TYPE (mooring_\S+) /gm)]
      .map(([, name = ""]) => name)
      .filter((name) => !/^mooring_(?:worker_)?(?:process|nodejs)_/.test(name));
    assert.deepEqual(listed.sort(), [...new Set(own)].sort(), "the metrics in docs/metrics.md");
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
