import { createPublicKey } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createAcmeClient } from "../../packages/edge/src/acme/client.ts";
import { AcmeError } from "../../packages/edge/src/acme/error.ts";
import { createAuthority, issueLeaf } from "../../packages/edge/src/tls/authority.ts";
import { generateKey, keyToPem } from "../../packages/edge/src/tls/keys.ts";
import { createGuard } from "../../packages/egress/src/index.ts";
import { launch } from "./dns-servers.ts";
import { freePort } from "./free-port.ts";

export interface PebbleOptions {
  /** Where it validates; both ports must be served on 127.0.0.1 by whoever answers challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** The server that tells it every address, `ip:port`. */
  readonly dnsServer: string;
  /** Percentage of good nonces that it rejects. */
  readonly nonceReject?: number;
  readonly certificateSeconds?: number;
  /** Beside the first root. */
  readonly alternateRoots?: number;
  /** External accounts that it knows; with any, it wants one for every account. */
  readonly externalAccounts?: Readonly<Record<string, string>>;
}

export interface Pebble {
  readonly directoryUrl: string;
  /** What its own listeners are trusted by. */
  readonly caPem: string;
  /** Reaches loopback only and trusts `caPem`. */
  readonly fetch: typeof globalThis.fetch;
  /** Orders that it has taken since the first start, for whatever name, by its own count. */
  orders(): number;
  /** The root that it issues from; another after each start. */
  root(): Promise<string>;
  /** Stops it and starts it on the same ports: everything it knew is gone. */
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

const START_TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Runs pebble from the Debian package of that name. It may stop answering POSTs for good under
 * parallel orders: keep them in a row, and one pebble to a test file.
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
  await writeFile(join(folder, "pebble.json"), JSON.stringify(configOf(setup, folder)));
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

/** Ready means that a signed POST gets its answer, be it a refusal; GETs answer even when it hangs. */
async function waitUntilReady(directoryUrl: string, fetch: typeof globalThis.fetch): Promise<void> {
  const accountKey = await generateKey();
  const client = createAcmeClient({
    directoryUrl,
    accountKey,
    fetch,
    clock: { now: () => new Date() },
    timings: { tries: 1, requestTimeoutMs: 2_000, noncePauseMs: 0 },
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    try {
      await client.account();
      return;
    } catch (error) {
      if (error instanceof AcmeError && error.kind === "problem") return;
    }
    await wait(20);
  }
  throw new Error("pebble does not answer a POST in time");
}

function configOf(setup: Setup, folder: string): object {
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
  const validity = { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 30 * DAY_MS) };
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
