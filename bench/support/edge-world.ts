import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import { startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { createVault } from "@mooring/vault";
import { loadRootKeys, readConfig } from "../../packages/control/src/index.ts";
import { certificateKeyContext } from "../../packages/edge/src/index.ts";
import { startAccelerated } from "./accelerated-front.ts";
import { type BenchDatabase, benchZone, openBenchDatabase } from "./bench-database.ts";
import {
  type BenchCertificate,
  makeCertificates,
  writeForCaddy,
  writeForNginx,
} from "./edge-certificates.ts";
import {
  type Front,
  type FrontOptions,
  startBenchOrigin,
  startCaddy,
  startNginx,
  startOurs,
} from "./edge-fronts.ts";
import { otherCore } from "./pinned.ts";

/** Our edge, Caddy and nginx in front of one origin, with the same certificates. */
export interface EdgeWorld {
  /** Without session tickets, so that every handshake is a full one. */
  readonly fronts: readonly Front[];
  /** Starts our edge once more, behind an accelerator. */
  accelerated(): Promise<Front>;
  /** Starts all four again, with session tickets. */
  resuming(): Promise<readonly Front[]>;
  readonly originPort: number;
  /** The names for which all fronts have certificates. */
  readonly names: readonly string[];
  /**
   * A name that resolves to the front, may have a certificate and has none yet. For ours, its row
   * is pending from now on, as after a successful check, without a notification.
   */
  newName(front: Front, index: number): Promise<string>;
  close(): Promise<void>;
}

const addresses = { ours: "127.0.5.1", caddy: "127.0.5.2", nginx: "127.0.5.3" } as const;
const acceleratedAddress = "127.0.5.7";
const ticketAddresses = { ours: "127.0.5.4", caddy: "127.0.5.5", nginx: "127.0.5.6" } as const;
const acceleratedTicketAddress = "127.0.5.8";
const bodyBytes = 1_024;
const newOurs = (index: number): string => `n${index}.ours.example`;
const newCaddys = (index: number): string => `n${index}.caddy.example`;

type Closers = (() => Promise<unknown>)[];

/** Stops everything that it started, also when a later start fails. `ownOrigin` is a port. */
export async function startEdgeWorld(
  certificateCount: number,
  newNames: number,
  ownOrigin: number | null = null,
): Promise<EdgeWorld> {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    for (const stop of closers.reverse()) await stop();
  };
  try {
    return { ...(await open({ certificateCount, newNames, ownOrigin }, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: {
    readonly certificateCount: number;
    readonly newNames: number;
    readonly ownOrigin: number | null;
  },
  closers: Closers,
): Promise<Omit<EdgeWorld, "close">> {
  const { certificateCount, newNames, ownOrigin } = options;
  // Child processes inherit the other core, unless they are pinned to the measured one.
  execFileSync("/usr/bin/taskset", ["--cpu-list", "--pid", String(otherCore), String(process.pid)]);
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-edge-"));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  const track = <T extends { stop(): Promise<unknown> }>(started: T): T => {
    closers.push(() => started.stop());
    return started;
  };
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const originPort = ownOrigin ?? (await freePort());
  const at = (address: string, hasTickets = false): FrontOptions => ({
    directory,
    address,
    httpPort,
    httpsPort,
    originPort,
    hasTickets,
  });
  const dns = track(await startDns());
  const dnsServer = `${dns.address}:${dns.port}`;
  const pebble = track(await startPebble({ httpPort, tlsPort: httpsPort, dnsServer }));
  const ask = track(await startAsk());
  if (ownOrigin === null) {
    track(await startBenchOrigin({ directory, port: originPort, body: body() }));
  }
  const names = Array.from(
    { length: certificateCount },
    (_, index) => `h${index + 1}.${benchZone}`,
  );
  const certificates = await makeCertificates(names);
  const caFile = path.join(directory, "acme-ca.pem");
  await writeFile(caFile, pebble.caPem);
  const database = await openDatabase(certificates, originPort, closers);
  await holdNewNames(
    database,
    Array.from({ length: newNames }, (_, index) => newOurs(index)),
  );
  await writeForNginx(path.join(directory, "certificates"), certificates);
  await writeForCaddy(path.join(directory, "storage"), pebble.directoryUrl, certificates);
  const acme = { directoryUrl: pebble.directoryUrl, caFile, askUrl: ask.url };
  const env = { ...database.env, ...oursEnv(acme, dnsServer) };
  const files = path.join(directory, "certificates");
  const startFronts = async (
    at: Readonly<Record<keyof typeof addresses, FrontOptions>>,
  ): Promise<readonly Front[]> => [
    track(await startOurs(at.ours, env)),
    track(await startCaddy(at.caddy, acme)),
    track(await startNginx(at.nginx, files, names[0] ?? "")),
  ];
  const fronts = await startFronts({
    ours: at(addresses.ours),
    caddy: at(addresses.caddy),
    nginx: at(addresses.nginx),
  });
  const startFast = async (options: FrontOptions): Promise<Front> =>
    track(await startAccelerated(options, env));
  const resuming = async (): Promise<readonly Front[]> => [
    ...(await startFronts({
      ours: at(ticketAddresses.ours, true),
      caddy: at(ticketAddresses.caddy, true),
      nginx: at(ticketAddresses.nginx, true),
    })),
    await startFast(at(acceleratedTicketAddress, true)),
  ];
  const accelerated = (): Promise<Front> => startFast(at(acceleratedAddress));
  const newName = async (front: Front, index: number): Promise<string> => {
    if (front.name !== "ours") return newCaddys(index);
    await requestCertificate(database, newOurs(index));
    return newOurs(index);
  };
  return { fronts, accelerated, resuming, originPort, names, newName };
}

function oursEnv(
  acme: { readonly directoryUrl: Pebble["directoryUrl"]; readonly caFile: string; askUrl: string },
  dnsServer: string,
): Readonly<Record<string, string>> {
  return {
    ASK_URL: acme.askUrl,
    ACME_DIRECTORY_URL: acme.directoryUrl,
    ACME_CA_FILE: acme.caFile,
    DNS_RESOLVERS: dnsServer,
    DNS_AUTHORITATIVE_PORT: dnsServer.split(":")[1] ?? "",
    EDGE_CNAME: `edge.ours.example`,
    EDGE_IPV4: addresses.ours,
    EGRESS_ALLOW: "127.0.0.0/8",
  };
}

function body(): string {
  return "0123456789abcdef".repeat(bodyBytes / 16);
}

/** Two delegated zones: `….ours.example` resolves to ours, `….caddy.example` to Caddy. */
async function startDns() {
  const server = "127.0.5.9";
  return startScriptedDns({
    address: server,
    port: await freePort(),
    behave: (question) => {
      const isOurs = question.name.endsWith("ours.example");
      const zone = isOurs ? "ours.example" : "caddy.example";
      const host = `ns1.${zone}`;
      const records = [ns(zone, host), a(host, server)];
      if (question.name !== zone && question.name !== host) {
        records.push(a(question.name, isOurs ? addresses.ours : addresses.caddy));
      }
      return answerFrom(records, { soa: zone })(question);
    },
  });
}

/** Allows every name at once, for both fronts that ask. */
async function startAsk(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end('{"allow":true}');
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/ask`, stop };
}

async function openDatabase(
  certificates: readonly BenchCertificate[],
  originPort: number,
  closers: Closers,
): Promise<BenchDatabase> {
  const database = await openBenchDatabase();
  closers.push(() => database.close());
  await database.fill(certificates.length);
  const { session } = database;
  await session.query("update applications set origin_url = $1", [
    `http://127.0.0.1:${originPort}`,
  ]);
  const { rows } = await session.query<{ tenant_id: string }>(
    "select tenant_id from claims limit 1",
  );
  const tenantId = rows[0]?.tenant_id ?? "";
  const vault = createVault(loadRootKeys(readConfig(database.env)), {
    purposes: ["certificate_key"],
  });
  const sealed = certificates.map(({ hostname, key }) =>
    vault.seal("certificate_key", certificateKeyContext(tenantId, hostname), key),
  );
  await session.query(
    `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status, ca, issuer,
       chain, sealed_key, not_before, not_after, renew_at, issued_at, issue_id, registrable_domain, created_at)
     select c.hostname, c.connection_id, c.tenant_id, c.environment, c.epoch, 'issued', 'Bench', 'bench',
       n.chain, n.sealed, now() - interval '1 day', now() + interval '89 days', now() + interval '60 days',
       now(), gen_random_uuid(), '${benchZone}', now()
     from unnest($1::text[], $2::text[], $3::text[]) n (hostname, chain, sealed) join claims c using (hostname)`,
    [certificates.map((one) => one.hostname), certificates.map((one) => one.chain), sealed],
  );
  return database;
}

/** Connections with correct records and claims, without a certificate row. */
async function holdNewNames({ session }: BenchDatabase, names: readonly string[]): Promise<void> {
  await session.query(
    `with made as (
       insert into connections (id, tenant_id, environment, application_id, hostname, registrable_domain, kind,
         setup_type, state, challenge, may_use_credentials, desired_records, phase_started_at, created_at)
       select gen_random_uuid(), tenant_id, environment, application_id, name, name, kind, setup_type,
         'issuing_cert', 'service-verify=x', true, '[]', now(), now()
       from unnest($1::text[]) name, (select * from connections limit 1) one
       returning id, tenant_id, environment, hostname)
     insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
     select hostname, id, tenant_id, environment, nextval('claim_epochs'), now() from made`,
    [names],
  );
}

async function requestCertificate({ session }: BenchDatabase, hostname: string): Promise<void> {
  await session.query(
    `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status,
       registrable_domain, due_at, created_at)
     select hostname, connection_id, tenant_id, environment, epoch, 'pending', hostname, now(), now()
     from claims where hostname = $1`,
    [hostname],
  );
}
