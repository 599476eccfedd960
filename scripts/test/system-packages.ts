import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

/** Files that tests need, where `*` stands for the machine's kind, and their Debian packages. */
const needed: Readonly<Record<string, string>> = {
  "/usr/sbin/knotd": "knot",
  "/usr/bin/kzonesign": "knot-dnssecutils",
  "/usr/sbin/named": "bind9",
  "/usr/bin/pebble": "pebble",
  "/usr/bin/nsupdate": "bind9-dnsutils",
  "/usr/lib/postgresql/15/bin/pg_dump": "postgresql-15",
  "/usr/sbin/pdns_server": "pdns-server",
  "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql": "pdns-backend-sqlite3",
  "/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql": "pdns-backend-pgsql",
  "/usr/bin/sqlite3": "sqlite3",
  "/usr/bin/chromium": "chromium",
  "/usr/bin/caddy": "caddy",
  "/usr/bin/promtool": "prometheus",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/sbin/pgbouncer": "pgbouncer",
  "/usr/sbin/nats-server": "nats-server",
  "/usr/sbin/nginx": "nginx",
  "/usr/lib/nginx/modules/ngx_stream_module.so": "libnginx-mod-stream",
  "/usr/bin/docker-compose": "docker-compose",
  "/usr/bin/curl": "curl",
  "/usr/bin/openssl": "openssl",
  "/usr/bin/nghttp": "nghttp2-client",
  "/usr/sbin/nghttpd": "nghttp2-server",
  "/usr/lib/python3/dist-packages/grpc/__init__.py": "python3-grpcio",
  "/usr/bin/faketime": "faketime",
  "/usr/lib/python3/dist-packages/httpx/__init__.py": "python3-httpx",
  "/usr/lib/python3/dist-packages/h2/__init__.py": "python3-h2",
  "/usr/lib/python3/dist-packages/websockets/__init__.py": "python3-websockets",
  "/usr/lib/python3/dist-packages/django/__init__.py": "python3-django",
  "/usr/lib/python3/dist-packages/jwt/__init__.py": "python3-jwt",
  "/usr/lib/python3/dist-packages/cryptography/__init__.py": "python3-cryptography",
};

/** Large ones, for the soak only. */
const neededBySoak: Readonly<Record<string, string>> = {
  "/usr/lib/go-1.19/bin/go": "golang-1.19-go",
  "/usr/bin/javac": "openjdk-17-jdk-headless",
  "/usr/bin/firefox-esr": "firefox-esr",
  "/usr/bin/slowhttptest": "slowhttptest",
  "/usr/bin/testssl": "testssl.sh",
  "/usr/lib/*/libnss_wrapper.so": "libnss-wrapper",
  "/usr/bin/puma": "puma",
  "/usr/bin/patroni": "patroni",
  "/usr/bin/etcd": "etcd-server",
  "/usr/lib/python3/dist-packages/etcd/__init__.py": "python3-etcd",
  "/usr/share/rubygems-integration/all/specifications/railties-*.gemspec": "ruby-railties",
  "/usr/bin/php": "php-cli",
  "/usr/share/php/Illuminate/autoload.php": "php-laravel-framework",
};

/** Installs missing packages as root; otherwise fails with the command to run. */
export function ensureSystemPackages(): Promise<void> {
  return ensureAll(needed);
}

export function ensureSoakPackages(): Promise<void> {
  return ensureAll(neededBySoak);
}

async function ensureAll(packages: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(packages)
    .filter(([file]) => globSync(file).length === 0)
    .map(([, name]) => name);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    throw new Error(`tests need these Debian packages; run as root: ${command}`);
  }
  console.log(`installing ${missing.join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const line of ["apt-get update -q", command]) {
    const [program = "", ...args] = line.split(" ");
    const { status, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${line} failed: ${stderr.slice(-500)}`);
  }
}
