import { createPublicKey } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAcmeClient } from "../../../edge/src/acme/client.ts";
import { AcmeError } from "../../../edge/src/acme/error.ts";
import { createAuthority, issueLeaf } from "../../../edge/src/x509/authority.ts";
import { generateKey, keyToPem } from "../../../edge/src/x509/keys.ts";
import { createGuard } from "../../../egress/src/index.ts";
import { launch } from "../dns/dns-servers.ts";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";

export interface PebbleOptions {
  /** The ports on 127.0.0.1 at which it validates challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** The DNS server that it resolves names with, `ip:port`. */
  readonly dnsServer: string;
  /** Percentage of good nonces that it rejects. */
  readonly nonceReject?: number;
  readonly certificateSeconds?: number;
  /** Roots in addition to the first. */
  readonly alternateRoots?: number;
  /** External accounts that it knows; when there are any, every account needs one. */
  readonly externalAccounts?: Readonly<Record<string, string>>;
}

export interface Pebble {
  readonly directoryUrl: string;
  /** The CA certificate of its HTTPS listeners. */
  readonly caPem: string;
  /** Reaches loopback only and trusts `caPem`. */
  readonly fetch: typeof globalThis.fetch;
  /** Orders for any name since the first start, counted from its log. */
  orders(): number;
  /** The root of the issued certificates; each start makes another. */
  root(): Promise<string>;
  /** Stops it and starts it on the same ports, without its accounts and orders. */
  restart(changes?: { readonly nonceReject?: number }): Promise<void>;
  stop(): Promise<void>;
}

interface Setup {
  readonly options: PebbleOptions;
  readonly port: number;
  readonly managementPort: number;
  readonly caPem: string;
  readonly certificate: string;
  readonly key: string;
}

const dayMs = 86_400_000;

/**
 * Runs pebble from the Debian package of that name. Parallel orders can make it stop answering
 * POSTs for good: order one after the other, and start one pebble per test file.
 */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const setup: Setup = {
    options,
    port: await freePort(),
    managementPort: await freePort(),
    ...(await listenerCertificate()),
  };
  const directoryUrl = `https://127.0.0.1:${setup.port}/dir`;
  const { fetch } = createGuard({ allow: ["127.0.0.0/8"], tls: { ca: setup.caPem } });

  let orders = 0;
  const begin = async (nonceReject: number): Promise<{ readonly stop: () => Promise<void> }> => {
    const started = await start(setup, nonceReject, directoryUrl, fetch);
    started.child.stdout?.on("data", (text: string) => {
      orders += text.match(/Added order "/g)?.length ?? 0;
    });
    return started;
  };
  let server = await begin(options.nonceReject ?? 0);
  return {
    directoryUrl,
    caPem: setup.caPem,
    fetch,
    orders: () => orders,
    root: async () => {
      const answer = await fetch(`https://127.0.0.1:${setup.managementPort}/roots/0`);
      return answer.text();
    },
    restart: async (changes = {}) => {
      await server.stop();
      const nonceReject = changes.nonceReject ?? options.nonceReject ?? 0;
      server = await begin(nonceReject);
    },
    stop: () => server.stop(),
  };
}

async function start(
  setup: Setup,
  nonceReject: number,
  directoryUrl: string,
  fetch: typeof globalThis.fetch,
): Promise<ReturnType<typeof launch>> {
  const folder = await mkdtemp(join(tmpdir(), "pebble-"));
  await writeFile(join(folder, "cert.pem"), setup.certificate);
  await writeFile(join(folder, "key.pem"), setup.key, { mode: 0o600 });
  await writeFile(join(folder, "pebble.json"), JSON.stringify(createConfig(setup, folder)));
  const server = launch(
    [
      "env",
      "PEBBLE_VA_NOSLEEP=1",
      "PEBBLE_AUTHZREUSE=0",
      `PEBBLE_WFE_NONCEREJECT=${nonceReject}`,
      `PEBBLE_ALTERNATE_ROOTS=${setup.options.alternateRoots ?? 0}`,
      "pebble",
      "-config",
      join(folder, "pebble.json"),
      "-dnsserver",
      setup.options.dnsServer,
    ],
    "pebble",
    folder,
  );
  try {
    await server.during(waitUntilReady(directoryUrl, fetch));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * Ready means that a signed POST gets an answer, also a refusal; GETs are answered even when it
 * hangs.
 */
async function waitUntilReady(directoryUrl: string, fetch: typeof globalThis.fetch): Promise<void> {
  const accountKey = await generateKey();
  const client = createAcmeClient({
    directoryUrl,
    accountKey,
    fetch,
    clock: { now: () => new Date() },
    timings: { tries: 1, requestTimeoutMs: 2_000, noncePauseMs: 0 },
  });
  const isReady = async (): Promise<boolean> => {
    try {
      await client.account();
      return true;
    } catch (error) {
      return error instanceof AcmeError && error.kind === "problem";
    }
  };
  await until(isReady, "pebble to answer a POST");
}

function createConfig(setup: Setup, folder: string): object {
  const { options, port, managementPort } = setup;
  return {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: join(folder, "cert.pem"),
      privateKey: join(folder, "key.pem"),
      httpPort: options.httpPort,
      tlsPort: options.tlsPort,
      ocspResponderURL: "",
      externalAccountBindingRequired: options.externalAccounts !== undefined,
      externalAccountMACKeys: options.externalAccounts ?? {},
      certificateValidityPeriod: options.certificateSeconds ?? 3_600,
    },
  };
}

async function listenerCertificate(): Promise<Pick<Setup, "caPem" | "certificate" | "key">> {
  const now = Date.now();
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + 30 * dayMs) };
  const authority = await createAuthority({ commonName: "pebble's listeners", ...validity });
  const key = await generateKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const certificate = await issueLeaf(authority, {
    addresses: ["127.0.0.1"],
    publicKey,
    ...validity,
  });
  return { caPem: authority.certificatePem, certificate, key: keyToPem(key) };
}
