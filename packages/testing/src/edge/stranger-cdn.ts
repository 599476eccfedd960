import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Pair } from "../acme/openssl-pki.ts";
import { launch } from "../dns/dns-servers.ts";
import { until } from "../processes/until.ts";
import { accepts } from "./http/origin-servers.ts";

/**
 * One zone at a CDN, with the behaviour that Cloudflare documents for its proxy:
 *
 * - Encryption modes: `flexible` asks the origin over http whatever the visitor used; `full` and
 *   `strict` use the visitor's scheme, `full` with any certificate, `strict` with one of a trusted
 *   CA for the name. An origin whose TLS fails is answered with 525, a certificate that is refused
 *   with 526; an origin that is not reached with 522.
 * - "Always Use HTTPS" answers http with a redirect before anything else.
 * - The origin gets the visitor's Host, `CF-Connecting-IP` with the visitor's address,
 *   `X-Forwarded-For` with it appended, `X-Forwarded-Proto`, `CF-Visitor`, `CF-Ray`, `CDN-Loop`.
 * - Answers have `CF-Ray` and `CF-Cache-Status`: `DYNAMIC` for what is not eligible for the cache;
 *   with a rule that caches everything, `MISS` and then `HIT`, for a 404 three minutes by default.
 * - While a zone validates a certificate of its own, the CDN answers requests below
 *   `/.well-known/acme-challenge/` itself.
 */
export interface CdnZone {
  /** The address of the CDN at which visitors of the zone arrive, and from which it asks. */
  readonly address: string;
  readonly mode: "flexible" | "full" | "strict";
  readonly alwaysHttps?: boolean;
  readonly answersChallenges?: boolean;
  /** A rule that caches everything, also where the origin forbids it. */
  readonly cachesAll?: boolean;
  /** The origin leads elsewhere: a site that answers 404 to all. */
  readonly elsewhere?: boolean;
}

export interface CdnOptions {
  readonly zones: readonly CdnZone[];
  /** Of the CDN and of the origin alike. */
  readonly ports: readonly [http: number, https: number];
  readonly origin: string;
  /** What visitors see. */
  readonly certificate: Pair;
  /** The roots that `strict` trusts, in PEM. */
  readonly trusted: string;
}

export interface StrangerCdn {
  stop(): Promise<void>;
}

export async function startNginxCdn(options: CdnOptions): Promise<StrangerCdn> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-cdn-nginx-"));
  const roots = path.join(folder, "roots.pem");
  await writeFile(roots, options.trusted);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const file = path.join(folder, "nginx.conf");
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     ${process.getuid?.() === 0 ? "user root;" : ""}
     events { worker_connections 1024; }
     http {
       access_log off; ${temporary}
       proxy_cache_path ${folder}/cache keys_zone=everything:1m;
       proxy_http_version 1.1; proxy_connect_timeout 2s;
       ${options.zones.map((zone) => nginxZone(zone, options, roots)).join("\n")}
     }`,
  );
  const server = launch(["nginx", "-e", `${folder}/error.log`, "-c", file], "nginx", folder);
  await server.during(untilListening(options));
  return { stop: () => server.stop() };
}

function nginxZone(zone: CdnZone, options: CdnOptions, roots: string): string {
  const [http, https] = options.ports;
  const { address, mode } = zone;
  const shared = `
    proxy_bind ${address};
    proxy_set_header Host $http_host;
    proxy_set_header CF-Connecting-IP $remote_addr;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header CF-Visitor '{"scheme":"$scheme"}';
    proxy_set_header CF-Ray $request_id-FRA;
    proxy_set_header CDN-Loop "cloudflare; loops=1";
    add_header CF-Ray $request_id-FRA always;
    ${zone.cachesAll === true ? cacheEverything : "add_header CF-Cache-Status DYNAMIC always;"}`;
  const plain = `proxy_pass http://${options.origin}:${http};`;
  const verify =
    mode === "strict"
      ? `proxy_ssl_verify on; proxy_ssl_verify_depth 3; proxy_ssl_trusted_certificate ${roots};`
      : "proxy_ssl_verify off;";
  const secured = `proxy_pass https://${options.origin}:${https};
    proxy_ssl_server_name on; proxy_ssl_name $host; ${verify} error_page 502 =525 /525;`;
  const challenge =
    zone.answersChallenges === true
      ? "location /.well-known/acme-challenge/ { add_header CF-Ray x always; return 404; }"
      : "";
  const elsewhere = "add_header CF-Ray $request_id-FRA always; return 404;";
  const location = (way: string): string =>
    zone.elsewhere === true ? elsewhere : `${shared} ${way}`;
  const first =
    zone.alwaysHttps === true
      ? "location / { add_header CF-Ray x always; return 301 https://$http_host$request_uri; }"
      : `location / { ${location(plain)} }`;
  const { certFile, keyFile } = options.certificate;
  return `
    server { listen ${address}:${http}; server_name _; ${challenge} ${first} }
    server {
      listen ${address}:${https} ssl; server_name _;
      ssl_certificate ${certFile}; ssl_certificate_key ${keyFile};
      ${challenge}
      location = /525 { internal; add_header CF-Ray x always; return 525 "SSL handshake failed"; }
      location / { ${location(mode === "flexible" ? plain : secured)} }
    }`;
}

const cacheEverything = `
    proxy_cache everything; proxy_ignore_headers Cache-Control Expires Set-Cookie;
    proxy_cache_key all; proxy_cache_valid 200 2h; proxy_cache_valid 404 3m;
    add_header CF-Cache-Status $upstream_cache_status always;`;

/**
 * Caddy as a CDN that nobody knows, for zones in the mode `full`: its requests to the origin come
 * from an address that it does not publish, and its answers do not name it.
 */
export async function startCaddyCdn(options: CdnOptions): Promise<StrangerCdn> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-cdn-caddy-"));
  const file = path.join(folder, "Caddyfile");
  const [http, https] = options.ports;
  const { certFile, keyFile } = options.certificate;
  const site = ({ address }: CdnZone, scheme: "http" | "https"): string => `
    ${scheme}://:${scheme === "http" ? http : https} {
      bind ${address}
      ${scheme === "https" ? `tls ${certFile} ${keyFile}` : ""}
      reverse_proxy ${scheme}://${options.origin}:${scheme === "http" ? http : https} {
        ${scheme === "https" ? trustAll : ""}
      }
    }`;
  const sites = options.zones.flatMap((zone) => [site(zone, "http"), site(zone, "https")]);
  await writeFile(file, `{\n admin off\n auto_https off\n}\n${sites.join("\n")}\n`);
  const command = ["env", `HOME=${folder}`, "caddy", "run", "--config", file] as const;
  const server = launch([...command, "--adapter", "caddyfile"], "caddy", folder);
  await server.during(untilListening(options));
  return { stop: () => server.stop() };
}

const trustAll = `transport http {
          tls_insecure_skip_verify
          tls_server_name {http.request.host}
        }`;

function untilListening({ zones, ports }: CdnOptions): Promise<void> {
  return until(async () => {
    const open = await Promise.all(
      zones.flatMap(({ address }) => ports.map((port) => accepts(port, address))),
    );
    return open.every(Boolean);
  }, "the CDN to listen");
}
