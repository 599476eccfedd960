import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import { type Caller, connect } from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import {
  type DebianPostgres,
  startDebianPostgres,
} from "@mooring/testing/database/postgres-debian";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, cname, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { parseDocBlocks } from "@mooring/testing/processes/doc-blocks";
import { freePort } from "@mooring/testing/processes/free-port";
import { patientEdge } from "@mooring/testing/processes/mooring-serve";
import { runShell } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";
import type { Answer } from "dns-packet";
import pg from "pg";

const root = path.resolve(import.meta.dirname, "../../..");
const units = path.join(root, "deploy/systemd");
const manager = path.join(root, "packages/testing/src/deploy/service-manager.py");
const page = readFileSync(path.join(root, "docs/production.md"), "utf8");

/** The blocks of a language that the page marks as run by a test, in their order. */
function markedBlocks(language: string): readonly string[] {
  return parseDocBlocks(page)
    .filter((block) => block.language === language && block.mark !== null && "runBy" in block.mark)
    .map(({ text }) => text)
    .filter((text) => !/^[A-Z_]+=/.test(text));
}

/** The content that the page gives a file of /etc/mooring. */
function settingsFile(name: string): string {
  const at = page.indexOf(`\`/etc/mooring/${name}.env\`,`);
  const from = at < 0 ? page.indexOf(`\`/etc/mooring/${name}.env\`:`) : at;
  const content = /```sh\n([\s\S]*?)```/.exec(page.slice(from))?.[1];
  assert.ok(from > 0 && content, name);
  return content;
}

/** The values of a key in a unit. */
function unitValues(unit: string, key: string): readonly string[] {
  const content = readFileSync(path.join(units, unit), "utf8");
  return [...content.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value ?? "");
}

describe("the units of the production guide", () => {
  const services = globSync("*.service", { cwd: units });

  it("are understood by systemd", async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-units-"));
    try {
      for (const unit of globSync("*", { cwd: units })) {
        const content = readFileSync(path.join(units, unit), "utf8");
        // The program is installed on the machine that the page describes.
        const here = content.replaceAll("/usr/local/bin/mooring", "/bin/true");
        await writeFile(path.join(directory, unit), here);
      }
      const files = globSync("mooring-*", { cwd: directory }).map((one) => `./${one}`);
      const verify = await runShell(`/usr/bin/systemd-analyze verify ${files.join(" ")}`, {
        cwd: directory,
      });
      assert.equal(verify.stderr, "");
      assert.equal(verify.code, 0);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it("expose no more than the page says", () => {
    assert.equal(services.length, 5);
    for (const service of services) {
      // Fails above the threshold, which is in tenths.
      const report = execFileSync(
        "/usr/bin/systemd-analyze",
        ["security", "--offline=true", "--threshold=20", path.join(units, service)],
        { encoding: "utf8" },
      );
      const level = /exposure level for \S+: ([\d.]+)/.exec(report)?.[1];
      assert.equal(level, service === "mooring-dns.service" ? "1.6" : "1.3", service);
    }
  });

  it("are the ones that the page names, with sockets of the names that processes take", () => {
    for (const unit of globSync("*", { cwd: units })) {
      const name = unit.replace(/\.service$/, "");
      const isNamed = page.includes(name) || unit === "mooring-backup.service";
      assert.ok(isNamed, `${unit} is not on the page`);
    }
    const names = globSync("*.socket", { cwd: units }).flatMap((unit) =>
      unitValues(unit, "FileDescriptorName"),
    );
    assert.deepEqual(names.toSorted(), ["api", "api-internal", "edge-http", "edge-https"]);
  });
});

describe("the lines of the production guide", () => {
  let postgres: DebianPostgres;
  let pebble: Pebble;
  let dns: ScriptedDns;
  let origin: Server;
  let directory = "";
  const zone: Answer[] = [];
  const children: ChildProcess[] = [];
  /** The port of this test for each of the page. */
  const ports = new Map<string, number>();

  before(async () => {
    postgres = await startDebianPostgres(15);
    directory = await mkdtemp(path.join(tmpdir(), "mooring-production-"));
    for (const port of ["80", "443", "8080", "9090", "9091", "9092"]) {
      ports.set(port, await freePort());
    }
    origin = createServer((incoming, response) => response.end(`hello ${incoming.headers.host}`));
    await once(origin.listen(0, "127.0.0.1"), "listening");
    dns = await startDns(zone);
    pebble = await startPebble({
      httpPort: ports.get("80") ?? 0,
      tlsPort: ports.get("443") ?? 0,
      dnsServer: `127.0.0.1:${dns.port}`,
    });
  });
  after(async () => {
    for (const child of children) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await Promise.all([pebble.stop(), dns.stop(), postgres.stop()]);
    origin.closeAllConnections();
    origin.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Runs lines of the page: with its files and its command in the test's directory. */
  async function run(lines: string): Promise<string> {
    const here = lines.replaceAll("/etc/mooring", `${directory}/etc`);
    const result = await runShell(`set -e\n${here}`, {
      cwd: directory,
      env: { PATH: `${directory}/bin:${process.env["PATH"]}`, DATA_DIR: `${directory}/operator` },
    });
    assert.equal(result.code, 0, `${lines}\n${result.stdout}\n${result.stderr}`);
    return result.stdout;
  }

  async function query(url: URL, sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url.toString() });
    await client.connect();
    // One statement after the other, as psql does: one of them cannot be in a transaction.
    for (const statement of sql.split(";").filter((one) => one.trim() !== "")) {
      await client.query(statement);
    }
    await client.end();
  }

  /** What the page leaves to the reader, and the servers of this test. */
  async function writeSettings(rootKey: string, edgeKeys: string): Promise<void> {
    const { port } = new URL(postgres.url);
    const own = {
      ...patientEdge,
      BASE_URL: `http://127.0.0.1:${ports.get("8080")}`,
      // An edge on loopback is known by its name.
      EDGE_IPV4: "",
      EDGE_HOST: "127.0.0.1",
      ACME_DIRECTORY_URL: pebble.directoryUrl,
      ACME_CA_FILE: `${directory}/acme-ca.pem`,
      DNS_RESOLVERS: `127.0.0.1:${dns.port}`,
      DNS_AUTHORITATIVE_PORT: String(dns.port),
      EGRESS_ALLOW: "127.0.0.0/8",
      EDGE_PROBE_PORT: String(ports.get("443")),
      EDGE_PROBE_HTTP_PORT: String(ports.get("80")),
      LOG_LEVEL: "warn",
    };
    const common = settingsFile("mooring").replace(
      /^(\w*PORT)=(\d+)$/gm,
      (_, name: string, number: string) => `${name}=${ports.get(number)}`,
    );
    const overrides = Object.entries(own).map(([name, value]) => `${name}=${value}`);
    await writeFile(`${directory}/acme-ca.pem`, pebble.caPem);
    await writeFile(`${directory}/etc/mooring.env`, `${common}${overrides.join("\n")}\n`);
    for (const name of ["owner", "api", "worker", "edge"]) {
      const content = settingsFile(name)
        .replaceAll("127.0.0.1:5432", `127.0.0.1:${port}`)
        .replace("ROOT-KEY", rootKey)
        .replace("EDGE-KEYS", edgeKeys);
      await writeFile(`${directory}/etc/${name}.env`, content, { mode: 0o600 });
    }
  }

  async function readEnvironment(files: readonly string[]): Promise<Record<string, string>> {
    const content = files.map((file) => readFileSync(file, "utf8")).join("\n");
    const lines = content.split("\n").filter((line) => line.includes("="));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
  }

  /** The command of a service with its environment and the sockets of its socket units. */
  async function startUnit(name: string): Promise<void> {
    const unit = `mooring-${name}.service`;
    const files = unitValues(unit, "EnvironmentFile");
    const sockets = (unitValues(unit, "Sockets")[0] ?? "").split(" ").filter((one) => one !== "");
    const named = sockets.map((socket) => {
      const port = unitValues(socket, "ListenStream")[0]?.split(":").at(-1) ?? "";
      return `${unitValues(socket, "FileDescriptorName")[0]}=${ports.get(port)}`;
    });
    const [command = ""] = unitValues(unit, "ExecStart");
    const words = command.replace("/usr/local/bin/", `${directory}/bin/`).split(" ");
    const child = spawn("python3", [manager, ...named, "--", ...words], {
      env: {
        PATH: process.env["PATH"],
        DATA_DIR: `${directory}/${name}`,
        ...(await readEnvironment(
          files.map((file) => file.replace("/etc/mooring", `${directory}/etc`)),
        )),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
    await until(() => {
      assert.ok(output.split("started").length < 3, `${name} ended`);
      return output.includes(`${name} is ready`);
    }, `mooring-${name}`);
  }

  it("make the database, the logins and the settings", async () => {
    await mkdir(`${directory}/etc`);
    await mkdir(`${directory}/bin`);
    const main = path.join(root, "packages/cli/src/main.ts");
    const shim = `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`;
    await writeFile(`${directory}/bin/mooring`, shim);
    await chmod(`${directory}/bin/mooring`, 0o755);
    const [create = "", logins = ""] = markedBlocks("sql");
    await query(new URL(postgres.url), create);
    const rootKey = (await run("mooring secrets generate")).trim();
    await writeSettings(rootKey, "");
    const [migrate = ""] = markedBlocks("sh");
    const [environment = ""] = migrate.split("\n");
    const exported = await run(`${environment}\nmooring secrets export --for edge`);
    await writeSettings(rootKey, exported.trim().replace(/^SECRET_KEY_EDGE=/, ""));
    // By hand first, then as `migrate` does it.
    const byHand = "unset DATABASE_URL_API DATABASE_URL_WORKER DATABASE_URL_EDGE";
    await run(`${environment}\n${byHand}\nmooring migrate`);
    const { DATABASE_URL: owner = "" } = await readEnvironment([`${directory}/etc/owner.env`]);
    await query(new URL(owner), logins);
    await run(migrate);
  });

  it("bring a domain live with the commands of the units, by Pebble", async () => {
    for (const name of ["api", "worker", "edge"]) await startUnit(name);
    const [migrate = "", first = ""] = markedBlocks("sh");
    const [environment = ""] = migrate.split("\n");
    const [create = "", doctor = ""] = first.trim().split("\n");
    const made = await run(`${environment}\n${create}`);
    const key = /sk_live_\w+/.exec(made)?.[0] ?? "";
    const base = `http://127.0.0.1:${ports.get("8080")}`;
    const body = {
      name: "Shop",
      origin_url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}`,
    };
    const application = await call(base, "/v1/applications", { key, body });
    assert.equal(application.status, 201, application.text);
    const caller: Caller = { base, key, applicationId: textOf(application, "id") };
    const hostname = "shop.acme.example";
    const connection = await connect(caller, hostname);
    zone.push(
      txt(`_service-challenge.${hostname}`, connection.challenge),
      cname(hostname, "edge.example.com"),
    );
    await until(async () => {
      const answer = await call(base, `/v1/connections/${connection.id}/verify`, {
        key,
        method: "POST",
      });
      return answer.status === 200;
    }, "the proof");
    await until(async () => {
      const answer = await call(base, `/v1/connections/${connection.id}`, { key });
      return textOf(answer, "state") === "live";
    }, "live");
    assert.equal(
      await visit(hostname, ports.get("443") ?? 0, await pebble.root()),
      `hello ${hostname}`,
    );
    const report = await runDoctor(`${environment}\n${doctor} --json`);
    const bad = report.filter(({ status }) => status !== "ok").map(({ check }) => check);
    // Addresses of this test are on loopback.
    assert.deepEqual(bad, ["base_url", "private_targets"], JSON.stringify(report));
    const ownPorts = ["port", "internal_port", "edge_http_port", "edge_https_port"];
    for (const check of ownPorts) {
      const found = report.find((one) => one.check === check);
      assert.match(found?.detail ?? "", /served by Mooring/, check);
    }
  });

  async function runDoctor(lines: string) {
    const output = await run(`${lines} || true`);
    return (JSON.parse(output) as { findings: { check: string; status: string; detail: string }[] })
      .findings;
  }
});

/** A resolver, and the servers of acme.example, in one. */
async function startDns(zone: readonly Answer[]): Promise<ScriptedDns> {
  const own = [ns("acme.example", "ns1.acme.example"), a("ns1.acme.example", "127.0.0.1")];
  const address = a("edge.example.com", "127.0.0.1");
  // With the wildcard record of EDGE_TARGETS=unique.
  const edge = ({ name, type }: { readonly name: string; readonly type: string }) => {
    const isTarget = name.endsWith(".edge.example.com");
    const records = isTarget ? [cname(name, "edge.example.com"), address] : [address];
    const answer = answerFrom(records, { soa: "example.com" })({ name, type });
    if (!isTarget || type !== "A") return answer;
    return { ...answer, answers: [cname(name, "edge.example.com"), address] };
  };
  return startScriptedDns({
    address: "127.0.0.1",
    port: await freePort(),
    behave: (question) => {
      if (!`.${question.name}`.endsWith(".acme.example")) return edge(question);
      const answer = answerFrom([...own, ...zone], { soa: "acme.example" })(question);
      const isAlias = answer.answers?.some(({ type }) => type === "CNAME") === true;
      if (!isAlias || question.type === "CNAME") return answer;
      const target = edge({ name: "edge.example.com", type: question.type });
      return { ...target, answers: [...(answer.answers ?? []), ...(target.answers ?? [])] };
    },
  });
}

async function visit(hostname: string, port: number, ca: string): Promise<string> {
  const sent = request({
    host: "127.0.0.1",
    port,
    servername: hostname,
    headers: { host: hostname },
    ca,
    agent: false,
  });
  const [response] = await Promise.all([once(sent, "response"), sent.end()]);
  return text(response[0]);
}
