import { mkdtemp, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Pair } from "../../acme/openssl-pki.ts";
import { launch } from "../../dns/dns-servers.ts";
import { freePort } from "../../processes/free-port.ts";
import { until } from "../../processes/until.ts";

/** A web server that nobody here wrote; it answers every request with its own name. */
export interface OriginServer {
  readonly port: number;
  /** At once, as a crash. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface OriginTlsFiles {
  readonly server: Pair;
  /** Clients must show a certificate of this CA. */
  readonly clientCa: Pair;
}

/** nginx in one process, over http, or over https for clients with a certificate. */
export async function startNginx(
  name: string,
  options: { readonly port?: number; readonly tls?: OriginTlsFiles } = {},
): Promise<OriginServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-nginx-"));
  const port = options.port ?? (await freePort());
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const { tls } = options;
  const secured =
    tls === undefined
      ? ""
      : `ssl_certificate ${tls.server.certFile}; ssl_certificate_key ${tls.server.keyFile};
         ssl_client_certificate ${tls.clientCa.certFile}; ssl_verify_client on;`;
  const text = tls === undefined ? name : `${name} $ssl_server_name $ssl_client_s_dn`;
  const file = path.join(folder, "nginx.conf");
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 512; }
     http {
       access_log off; ${temporary} keepalive_requests 100000;
       server {
         listen 127.0.0.1:${port}${tls === undefined ? "" : " ssl"};
         ${secured}
         location / { default_type text/plain; return 200 "${text}"; }
       }
     }`,
  );
  return await run(["nginx", "-e", `${folder}/error.log`, "-c", file], { name, folder, port });
}

export async function startCaddy(name: string): Promise<OriginServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-caddy-"));
  const port = await freePort();
  const handle = [{ handler: "static_response", status_code: 200, body: name }];
  const server = {
    listen: [`127.0.0.1:${port}`],
    routes: [{ handle }],
    automatic_https: { disable: true },
  };
  const config = { admin: { disabled: true }, apps: { http: { servers: { origin: server } } } };
  const file = path.join(folder, "caddy.json");
  await writeFile(file, JSON.stringify(config));
  const command = ["env", `HOME=${folder}`, "caddy", "run", "--config", file] as const;
  return await run(command, { name, folder, port });
}

async function run(
  command: readonly [string, ...string[]],
  about: { readonly name: string; readonly folder: string; readonly port: number },
): Promise<OriginServer> {
  const server = launch(command, about.name, about.folder);
  await server.during(until(() => accepts(about.port), `${about.name} to listen`));
  return {
    port: about.port,
    async kill() {
      server.child.kill("SIGKILL");
      await server.stop();
    },
    stop: server.stop,
  };
}

export function accepts(port: number, address = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
