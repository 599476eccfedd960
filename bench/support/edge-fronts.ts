import { mkdir, open, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  edgeAllocatorOptions,
  edgeNodeOptions,
} from "../../packages/cli/src/operator/serve/edge-process.ts";
import { measuredCore, otherCore, type Pinned, startPinned } from "./pinned.ts";

/** A reverse proxy that terminates TLS, alone on its core. */
export interface Front extends Pinned {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** The HAProxy in front of it, among its processes; absent where there is none. */
  readonly accelerator?: FrontAccelerator;
}

export interface FrontAccelerator {
  isPromoted(hostname: string): Promise<boolean>;
  /** Requests of promoted names that HAProxy has sent to origins. */
  served(): Promise<number>;
}

export interface FrontOptions {
  readonly directory: string;
  readonly address: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly originPort: number;
  /** Whether clients can resume TLS sessions. */
  readonly hasTickets: boolean;
}

const main = path.join(import.meta.dirname, "../edge-main.ts");

/**
 * Started like a worker of `mooring serve edge`; the second start uses the compile cache, as in
 * production.
 */
export async function startOurs(
  options: FrontOptions,
  env: Readonly<Record<string, string>>,
): Promise<Front> {
  const { directory, address, httpPort, httpsPort } = options;
  const settings = {
    ...edgeAllocatorOptions,
    ...env,
    NODE_COMPILE_CACHE: path.join(directory, "code"),
    EDGE_HOST: address,
    EDGE_HTTP_PORT: String(httpPort),
    EDGE_HTTPS_PORT: String(httpsPort),
    EDGE_SESSION_TICKETS: String(options.hasTickets),
    ORIGIN_ALLOW_PRIVATE: "true",
  };
  const start = (): Promise<Front> => {
    const command = [process.execPath, ...edgeNodeOptions(options.hasTickets), main];
    const pinned = startPinned(measuredCore, command, settings);
    const front = { ...pinned, name: "ours", address, port: httpsPort };
    // An accelerator of an earlier start may accept before this one does.
    return ready(front, () => pinned.output().includes("listening on"));
  };
  const first = await start();
  await first.stop();
  return start();
}

export async function startCaddy(
  options: FrontOptions,
  acme: { readonly directoryUrl: string; readonly caFile: string; readonly askUrl: string },
): Promise<Front> {
  const { directory, address, httpPort, httpsPort, originPort } = options;
  const upstream = { dial: `127.0.0.1:${originPort}` };
  const proxy = { handler: "reverse_proxy", upstreams: [upstream] };
  const issuer = {
    module: "acme",
    ca: acme.directoryUrl,
    trusted_roots_pem_files: [acme.caFile],
  };
  const config = {
    admin: { disabled: true },
    logging: { logs: { default: { level: "ERROR" } } },
    storage: { module: "file_system", root: path.join(directory, "storage") },
    apps: {
      http: {
        http_port: httpPort,
        https_port: httpsPort,
        servers: {
          secure: {
            listen: [`${address}:${httpsPort}`],
            routes: [{ handle: [proxy] }],
            tls_connection_policies: [{}],
          },
        },
      },
      tls: {
        session_tickets: { disabled: !options.hasTickets },
        automation: {
          on_demand: { ask: acme.askUrl },
          policies: [{ on_demand: true, issuers: [issuer] }],
        },
      },
    },
  };
  const file = path.join(directory, `caddy-${address}.json`);
  await writeFile(file, JSON.stringify(config));
  const pinned = startPinned(measuredCore, ["caddy", "run", "--config", file], { HOME: directory });
  return ready({ ...pinned, name: "Caddy", address, port: httpsPort });
}

/** One worker; certificates by name, each read from its file during the handshake. */
export async function startNginx(
  options: FrontOptions,
  certificates: string,
  mainName: string,
): Promise<Front> {
  const { address, httpsPort, originPort } = options;
  const server = (name: string, file: string): string => `server {
    listen ${address}:${httpsPort} ssl http2;
    server_name ${name};
    ssl_certificate ${certificates}/${file}.crt;
    ssl_certificate_key ${certificates}/${file}.key;
    location / {
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_buffering off;
      proxy_request_buffering off;
      client_max_body_size 0;
    }
  }`;
  const http = `ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_tickets ${options.hasTickets ? "on" : "off"};
  ssl_session_cache off;
  upstream origin { server 127.0.0.1:${originPort}; keepalive 64; keepalive_requests 1000000; }
  ${server("_", "$ssl_server_name")}
  ${server(mainName, mainName)}`;
  const command = await nginx(options.directory, `front-${address}`, http);
  const pinned = startPinned(measuredCore, command);
  return ready({ ...pinned, name: "nginx", address, port: httpsPort });
}

/** The size of the body at `/large/zeros`. */
export const largeBytes = 2 ** 30;

/**
 * Answers every request with the same body, and one path with a large one, on the core of the load.
 */
export async function startBenchOrigin(options: {
  readonly directory: string;
  readonly port: number;
  readonly body: string;
  /** Whether a connection serves one request only. */
  readonly isClosing?: boolean;
}): Promise<Pinned> {
  const { directory, port, body, isClosing = false } = options;
  await mkdir(path.join(directory, "large"), { recursive: true });
  const file = await open(path.join(directory, "large", "zeros"), "w");
  await file.truncate(largeBytes);
  await file.close();
  const http = `keepalive_requests 1000000000;
  keepalive_timeout ${isClosing ? 0 : 75};
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    sendfile on;
    location / { return 200 "${body}"; }
    location /large/ { root ${directory}; }
    location /stored/ { root ${directory}; dav_methods PUT; create_full_put_path on; }
  }`;
  const command = await nginx(directory, "origin", http);
  const pinned = startPinned(otherCore, command);
  await ready({ ...pinned, name: "origin", address: "127.0.0.1", port });
  return pinned;
}

async function nginx(directory: string, name: string, http: string): Promise<readonly string[]> {
  const folder = path.join(directory, `nginx-${name}`);
  await mkdir(folder, { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join("\n  ");
  const file = path.join(folder, "nginx.conf");
  await writeFile(
    file,
    `daemon off;
user root;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 8192; }
http {
  access_log off;
  ${temporary}
  ${http}
}
`,
  );
  return ["nginx", "-e", `${folder}/error.log`, "-c", file];
}

/** Resolves when the front listens; fails with its output. */
export async function ready(front: Front, isStarted = (): boolean => true): Promise<Front> {
  const deadline = performance.now() + 60_000;
  while (!(isStarted() && (await accepts(front)))) {
    if (performance.now() > deadline) {
      await front.stop();
      throw new Error(`${front.name} does not listen:\n${front.output()}`);
    }
    await delay(50);
  }
  return front;
}

function accepts({ address, port }: Front): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
