import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { launch } from "@mooring/testing/dns/dns-servers";
import { startAcceleratedEdge } from "@mooring/testing/edge/accelerator/accelerated-edge";
import { leafFor, startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { createAuthority } from "../../packages/edge/src/x509/authority.ts";

/** A reverse proxy that terminates TLS for `hostname` and forwards to the origin. */
export interface Front {
  readonly name: "ours" | "accelerated" | "Caddy" | "nginx";
  readonly port: number;
  /** The root certificate, in a file. */
  readonly caFile: string;
}

export interface Fronts {
  readonly all: readonly [ours: Front, accelerated: Front, caddy: Front, nginx: Front];
  /** Rejects unless the name is promoted, and HAProxy has served requests to it itself. */
  confirmAcceleration(): Promise<void>;
  stop(): Promise<void>;
}

/** Has no address in DNS: each client is given that of the front. */
export const hostname = "shop.localhost";
/** The name whose origin speaks gRPC, where there is one. */
export const grpcHostname = "grpc.localhost";

export interface OriginPorts {
  readonly web: number;
  /** Null without a gRPC server. */
  readonly grpc: number | null;
}

/**
 * Ours, ours behind HAProxy that the name is promoted to, and Caddy and nginx with their defaults,
 * in front of one origin. HAProxy, Caddy and nginx are those of Debian's packages.
 */
export async function startFronts(origins: OriginPorts): Promise<Fronts> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-strangers-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    for (const one of stops.reverse()) await one();
  };
  const addEdge = async (name: Front["name"], edge: TestEdge): Promise<Front> => {
    stops.push(() => edge.close());
    const connectionId = "0198c0de-0000-7000-8000-000000000001";
    edge.hosts.set(hostname, { originUrl: `http://127.0.0.1:${origins.web}`, connectionId });
    if (origins.grpc !== null) {
      edge.hosts.set(grpcHostname, { originUrl: `h2c://127.0.0.1:${origins.grpc}` });
    }
    const caFile = path.join(directory, `${name}.pem`);
    await writeFile(caFile, edge.authority.certificatePem);
    return { name, port: edge.httpsPort, caFile };
  };
  try {
    const ours = await addEdge("ours", await startTestEdge());
    const fast = await startAcceleratedEdge();
    const accelerated = await addEdge("accelerated", fast);
    await fast.promote(hostname);
    const now = Date.now();
    const authority = await createAuthority({
      commonName: "Strangers",
      notBefore: new Date(now - 3_600_000),
      notAfter: new Date(now + 86_400_000),
    });
    const leaf = await leafFor(authority, { hostnames: [hostname, grpcHostname] });
    const files = {
      caFile: path.join(directory, "ca.pem"),
      cert: path.join(directory, "cert.pem"),
      key: path.join(directory, "key.pem"),
    };
    await writeFile(files.caFile, authority.certificatePem);
    await writeFile(files.cert, leaf.cert);
    await writeFile(files.key, leaf.key);
    const launchFront = async (
      name: "Caddy" | "nginx",
      configure: typeof caddy,
    ): Promise<Front> => {
      const port = await freePort();
      const folder = path.join(directory, name);
      await mkdir(folder);
      const command = await configure(folder, { ...files, port, origins });
      const server = launch(command, name, folder);
      stops.push(() => server.stop());
      await server.during(until(() => accepts(port), `${name} to listen`));
      return { name, port, caFile: files.caFile };
    };
    return {
      all: [
        ours,
        accelerated,
        await launchFront("Caddy", caddy),
        await launchFront("nginx", nginx),
      ],
      async confirmAcceleration() {
        assert.equal(fast.promotion.isPromoted(hostname), true, `${hostname} is not promoted`);
        assert.ok((await fast.served()) > 0, "HAProxy has served nothing itself");
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface FrontFiles {
  readonly cert: string;
  readonly key: string;
  readonly port: number;
  readonly origins: OriginPorts;
}

async function caddy(folder: string, files: FrontFiles): Promise<[string, ...string[]]> {
  const { web, grpc } = files.origins;
  const proxy = (port: number, transport: object) => [
    { handler: "reverse_proxy", upstreams: [{ dial: `127.0.0.1:${port}` }], ...transport },
  ];
  const h2c = { transport: { protocol: "http", versions: ["h2c"] }, flush_interval: -1 };
  const grpcRoutes =
    grpc === null ? [] : [{ match: [{ host: [grpcHostname] }], handle: proxy(grpc, h2c) }];
  const config = {
    admin: { disabled: true },
    logging: { logs: { default: { level: "ERROR" } } },
    apps: {
      http: {
        servers: {
          secure: {
            listen: [`127.0.0.1:${files.port}`],
            automatic_https: { disable: true },
            routes: [...grpcRoutes, { handle: proxy(web, {}) }],
            tls_connection_policies: [{}],
          },
        },
      },
      tls: { certificates: { load_files: [{ certificate: files.cert, key: files.key }] } },
    },
  };
  const file = path.join(folder, "caddy.json");
  await writeFile(file, JSON.stringify(config));
  return ["env", `HOME=${folder}`, "caddy", "run", "--config", file];
}

async function nginx(folder: string, files: FrontFiles): Promise<[string, ...string[]]> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join("\n  ");
  const file = path.join(folder, "nginx.conf");
  // As its documentation configures a proxy that also forwards WebSockets and trailing parts at
  // once.
  await writeFile(
    file,
    `daemon off;
user root;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  ${temporary}
  map $http_upgrade $connection_upgrade { default upgrade; "" ""; }
  server {
    listen 127.0.0.1:${files.port} ssl http2;
    server_name ${hostname};
    ssl_certificate ${files.cert};
    ssl_certificate_key ${files.key};
    client_max_body_size 0;
    location / {
      proxy_pass http://127.0.0.1:${files.origins.web};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
  }
  ${files.origins.grpc === null ? "" : nginxGrpc(files, files.origins.grpc)}
}
`,
  );
  return ["nginx", "-e", `${folder}/error.log`, "-c", file];
}

function nginxGrpc({ port, cert, key }: FrontFiles, grpcPort: number): string {
  return `server {
    listen 127.0.0.1:${port} ssl http2;
    server_name ${grpcHostname};
    ssl_certificate ${cert};
    ssl_certificate_key ${key};
    client_max_body_size 0;
    location / { grpc_pass grpc://127.0.0.1:${grpcPort}; }
  }`;
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
