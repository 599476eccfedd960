import { mkdtemp, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../dns/dns-servers.ts";
import { until } from "../processes/until.ts";

export interface CaddyOptions {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Where `/internal/*` is served, `host:port`. */
  readonly internal: string;
  readonly directoryUrl: string;
  /** The CA certificate of the directory's HTTPS listener. */
  readonly caPem: string;
}

const caddyfile = join(import.meta.dirname, "../../../../deploy/caddy/Caddyfile");

/** Runs caddy from the Debian package with the Caddyfile that we ship, on loopback only. */
export async function startCaddy(options: CaddyOptions): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "caddy-"));
  await writeFile(join(folder, "acme-ca.pem"), options.caPem);
  const further = [
    "admin off",
    "default_bind 127.0.0.1",
    `storage file_system ${join(folder, "storage")}`,
    `acme_ca_root ${join(folder, "acme-ca.pem")}`,
  ];
  await writeFile(join(folder, "options"), `${further.join("\n")}\n`);
  const server = launch(
    [
      "env",
      `HOME=${folder}`,
      `MOORING_INTERNAL=${options.internal}`,
      `ACME_DIRECTORY_URL=${options.directoryUrl}`,
      `HTTP_PORT=${options.httpPort}`,
      `HTTPS_PORT=${options.httpsPort}`,
      `CADDY_OPTIONS=${join(folder, "options")}`,
      "caddy",
      "run",
      "--config",
      caddyfile,
      "--adapter",
      "caddyfile",
    ],
    "caddy",
    folder,
  );
  try {
    await server.during(until(() => accepts(options.httpsPort), "caddy to listen"));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

export interface OldCaddyOptions extends Omit<CaddyOptions, "internal"> {
  /** Where it asks whether a name may have a certificate. */
  readonly askUrl: string;
  /** Its storage, with certificates and keys. */
  readonly storage: string;
}

/** A caddy of somebody who does not know us, with on-demand certificates and a page of its own. */
export async function startOldCaddy(options: OldCaddyOptions): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "old-caddy-"));
  await writeFile(join(folder, "acme-ca.pem"), options.caPem);
  const lines = [
    "{",
    "admin off",
    "default_bind 127.0.0.1",
    `storage file_system ${options.storage}`,
    `http_port ${options.httpPort}`,
    `https_port ${options.httpsPort}`,
    `acme_ca ${options.directoryUrl}`,
    `acme_ca_root ${join(folder, "acme-ca.pem")}`,
    "on_demand_tls {",
    `ask ${options.askUrl}`,
    "}",
    "}",
    "https:// {",
    "tls {",
    "on_demand",
    "}",
    'respond "the old page"',
    "}",
  ];
  const file = join(folder, "Caddyfile");
  await writeFile(file, `${lines.join("\n")}\n`);
  const command = ["caddy", "run", "--config", file, "--adapter", "caddyfile"];
  const server = launch(["env", `HOME=${folder}`, ...command], "caddy", folder);
  try {
    await server.during(until(() => accepts(options.httpsPort), "caddy to listen"));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
