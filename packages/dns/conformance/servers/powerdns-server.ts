import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { createServer } from "node:tls";
import { launch } from "@mooring/testing/dns/dns-servers";
import { ownCertificate } from "@mooring/testing/egress/loopback";
import { freePort } from "@mooring/testing/processes/free-port";
import { parseData, presentData } from "../../src/presentation.ts";
import type { Fetch } from "../../src/providers/adapter/http.ts";
import { list, number, object, text } from "../../src/providers/adapter/json.ts";
import { type DnsRecord, parseRecord } from "../../src/record.ts";
import type { Backend } from "../simulator.ts";

const schemaFile = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
const apiKey = "real-pdns-key";
const startTimeoutMs = 10_000;

export interface PowerdnsServer {
  /** Where 127.0.0.1 answers for the zones. */
  readonly dnsPort: number;
  /** A backend whose zones are deleted when the next one is requested. */
  backend(): Promise<Backend>;
  stop(): Promise<void>;
}

/** Runs pdns_server from the Debian packages pdns-server and pdns-backend-sqlite3, on loopback. */
export async function startPowerdnsServer(): Promise<PowerdnsServer> {
  const folder = await mkdtemp(join(tmpdir(), "dns-powerdns-"));
  const database = new DatabaseSync(join(folder, "pdns.db"));
  database.exec(await readFile(schemaFile, "utf8"));
  database.close();
  const [dnsPort, webPort] = [await freePort(), await freePort()];
  await writeFile(join(folder, "pdns.conf"), configuration(folder, dnsPort, webPort));
  const server = launch(["pdns_server", `--config-dir=${folder}`], "powerdns", folder);
  const address = `http://127.0.0.1:${webPort}`;
  const call = apiCall(`${address}/api/v1/servers/localhost`);
  try {
    await server.during(untilReady(call));
  } catch (error) {
    await server.stop();
    throw error;
  }
  const front = await startTlsFront(webPort);
  return {
    dnsPort,
    async stop() {
      front.close();
      await server.stop();
    },
    backend: async () => {
      for (const { id } of await listZones(call)) await call("DELETE", `/zones/${id}`);
      return createBackend(address, front.fields, call);
    },
  };
}

interface TlsFront {
  readonly fields: { readonly api_url: string; readonly certificate_sha256: string };
  close(): void;
}

/** PowerDNS speaks no TLS; its documentation asks for a proxy in front. */
async function startTlsFront(webPort: number): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const server = createServer(ownCertificate, (socket) => {
    const far = connect(webPort, "127.0.0.1");
    sockets.add(socket).add(far);
    for (const one of [socket, far]) one.on("error", () => undefined);
    socket.pipe(far).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { raw } = new X509Certificate(ownCertificate.cert);
  return {
    fields: {
      api_url: `https://127.0.0.1:${port}`,
      certificate_sha256: createHash("sha256").update(raw).digest("hex"),
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function configuration(folder: string, dnsPort: number, webPort: number): string {
  return [
    "launch=gsqlite3",
    `gsqlite3-database=${folder}/pdns.db`,
    "gsqlite3-pragma-synchronous=0",
    "local-address=127.0.0.1",
    `local-port=${dnsPort}`,
    `socket-dir=${folder}`,
    "daemon=no",
    "guardian=no",
    "write-pid=no",
    "disable-syslog=yes",
    "api=yes",
    `api-key=${apiKey}`,
    "webserver=yes",
    "webserver-address=127.0.0.1",
    `webserver-port=${webPort}`,
    "webserver-allow-from=127.0.0.1",
    "",
  ].join("\n");
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

function apiCall(base: string): Call {
  return async (method, path, body) => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, { method, headers, ...content });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return answer === "" ? null : JSON.parse(answer);
  };
}

async function untilReady(call: Call): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const error = await call("GET", "/zones").then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return;
    if (Date.now() > deadline) throw error;
    await wait(20);
  }
}

async function listZones(call: Call): Promise<readonly { readonly id: string }[]> {
  return list(object({ id: text }))(await call("GET", "/zones"), "");
}

function createBackend(address: string, fields: TlsFront["fields"], call: Call): Backend {
  let writes = 0;
  const counting: Fetch = async (url, init) => {
    // The platform's fetch takes no certificate of its own.
    const response = await fetch(url.replace(fields.api_url, address), init);
    if (init.method !== "GET" && response.ok) writes += 1;
    return response;
  };
  return {
    credentials: { ...fields, api_key: apiKey },
    wrongCredentials: { ...fields, api_key: "another-pdns-key" },
    fetch: counting,
    missingZone: { id: "absent.example.", name: "absent.example", nameservers: [] },
    seed: async (zone, records) => {
      const old = (await listZones(call)).some(({ id }) => id === `${zone}.`);
      if (old) await call("DELETE", `/zones/${zone}.`);
      await call("POST", "/zones", {
        name: `${zone}.`,
        kind: "Native",
        nameservers: [],
        rrsets: groupSets(records),
      });
    },
    records: async (zone) => readZone(await call("GET", `/zones/${zone}.`)),
    writeCount: () => writes,
    fail: () => {
      throw new Error("a real server does not fail on request");
    },
    untilHanging: async () => undefined,
    close: async () => undefined,
  };
}

function groupSets(records: readonly DnsRecord[]): readonly unknown[] {
  const groups = Map.groupBy(records, ({ name, type }) => `${name} ${type}`);
  return [...groups.values()].map((group) => ({
    name: `${group[0]?.name}.`,
    type: group[0]?.type,
    ttl: group[0]?.ttl,
    records: group.map((record) => ({ content: presentData(record), disabled: false })),
  }));
}

const zoneDetail = object({
  rrsets: list(
    object({ name: text, type: text, ttl: number, records: list(object({ content: text })) }),
  ),
});

function readZone(answer: unknown): readonly DnsRecord[] {
  return zoneDetail(answer, "").rrsets.flatMap(({ name, type, ttl, records }) =>
    records.flatMap(({ content }): readonly DnsRecord[] => {
      const data = parseData(type, content, null);
      const parsed =
        data === null ? null : parseRecord({ name: name.slice(0, -1), type, ttl, ...data });
      return parsed?.ok === true ? [parsed.record] : [];
    }),
  );
}
