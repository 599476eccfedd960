import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

export interface SystemProgram {
  /** The file that tests need, where `*` stands for the machine's kind. */
  readonly file: string;
  /** The Debian package that has it. */
  readonly package: string;
  /** Parts of a string by which a source names it, beside its path and `"name"`. */
  readonly namedBy?: readonly string[];
}

const pythonPackages = "/usr/lib/python3/dist-packages";

/** What tests of the world tier need. */
export const worldPrograms: readonly SystemProgram[] = [
  { file: "/usr/sbin/knotd", package: "knot" },
  { file: "/usr/bin/kzonesign", package: "knot-dnssecutils" },
  { file: "/usr/sbin/named", package: "bind9" },
  { file: "/usr/bin/pebble", package: "pebble" },
  { file: "/usr/bin/nsupdate", package: "bind9-dnsutils" },
  {
    file: "/usr/lib/postgresql/15/bin/pg_dump",
    package: "postgresql-15",
    namedBy: ["/usr/lib/postgresql/"],
  },
  { file: "/usr/sbin/pdns_server", package: "pdns-server" },
  {
    file: "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql",
    package: "pdns-backend-sqlite3",
  },
  {
    file: "/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql",
    package: "pdns-backend-pgsql",
    namedBy: ["gpgsql-"],
  },
  { file: "/usr/bin/sqlite3", package: "sqlite3" },
  { file: "/usr/bin/chromium", package: "chromium" },
  { file: "/usr/bin/caddy", package: "caddy" },
  { file: "/usr/bin/promtool", package: "prometheus" },
  {
    file: "/usr/sbin/haproxy",
    package: "haproxy",
    namedBy: [
      "@mooring/testing/edge/accelerator/accelerated-edge",
      "replaceTestEdge(startPromotedEdge)",
    ],
  },
  { file: "/usr/sbin/debootstrap", package: "debootstrap" },
  { file: "/usr/sbin/pgbouncer", package: "pgbouncer" },
  { file: "/usr/sbin/nats-server", package: "nats-server" },
  { file: "/usr/sbin/nginx", package: "nginx" },
  { file: "/usr/lib/nginx/modules/ngx_stream_module.so", package: "libnginx-mod-stream" },
  { file: "/usr/bin/docker-compose", package: "docker-compose" },
  // Shell blocks of the documents use it.
  { file: "/usr/bin/curl", package: "curl", namedBy: ['spawn("bash"'] },
  { file: "/usr/bin/jq", package: "jq", namedBy: ["| jq "] },
  { file: "/usr/bin/openssl", package: "openssl" },
  { file: "/usr/bin/nghttp", package: "nghttp2-client" },
  { file: "/usr/bin/h2load", package: "nghttp2-client" },
  { file: "/usr/sbin/nghttpd", package: "nghttp2-server" },
  { file: "/usr/bin/faketime", package: "faketime", namedBy: ["libfaketimeMT"] },
  { file: "/usr/bin/python3", package: "python3" },
  { file: "/usr/bin/systemd-socket-activate", package: "systemd" },
  { file: "/usr/bin/systemd-analyze", package: "systemd" },
  {
    file: `${pythonPackages}/grpc/__init__.py`,
    package: "python3-grpcio",
    namedBy: ["grpc_client.py", "grpc_server.py"],
  },
  {
    file: `${pythonPackages}/httpx/__init__.py`,
    package: "python3-httpx",
    namedBy: ["httpx_client.py", "import httpx"],
  },
  {
    file: `${pythonPackages}/h2/__init__.py`,
    package: "python3-h2",
    namedBy: ["h2_websocket_client.py", "import h2"],
  },
  {
    file: `${pythonPackages}/websockets/__init__.py`,
    package: "python3-websockets",
    namedBy: ["websockets_client.py", "import websockets"],
  },
  { file: "/usr/bin/ruby", package: "ruby" },
  { file: "/usr/bin/php", package: "php-cli" },
  ...["django", "jwt", "cryptography"].map((name) => ({
    file: `${pythonPackages}/${name}/__init__.py`,
    package: `python3-${name}`,
    namedBy: ['"app.py"'],
  })),
];

/** What only the soak needs; large. */
export const soakPrograms: readonly SystemProgram[] = [
  { file: "/usr/lib/go-1.19/bin/go", package: "golang-1.19-go" },
  { file: "/usr/bin/javac", package: "openjdk-17-jdk-headless" },
  { file: "/usr/bin/firefox-esr", package: "firefox-esr" },
  { file: "/usr/bin/slowhttptest", package: "slowhttptest" },
  { file: "/usr/bin/testssl", package: "testssl.sh" },
  { file: "/usr/lib/*/libnss_wrapper.so", package: "libnss-wrapper" },
  { file: "/usr/bin/puma", package: "puma" },
  { file: "/usr/bin/patroni", package: "patroni" },
  { file: "/usr/bin/etcd", package: "etcd-server" },
  {
    file: `${pythonPackages}/etcd/__init__.py`,
    package: "python3-etcd",
    namedBy: ["/usr/bin/patroni"],
  },
  {
    file: "/usr/share/rubygems-integration/all/specifications/railties-*.gemspec",
    package: "ruby-railties",
    namedBy: ["/usr/bin/puma"],
  },
  {
    file: "/usr/share/php/Illuminate/autoload.php",
    package: "php-laravel-framework",
    namedBy: ["/usr/bin/php"],
  },
];

/** Installs what is missing of the world tier; fails with the command to run where it cannot. */
export async function ensureSystemPackages(): Promise<void> {
  ensurePrograms(worldPrograms);
}

/** The same for what only the soak needs. */
export async function ensureSoakPackages(): Promise<void> {
  ensurePrograms(soakPrograms);
}

export function ensurePrograms(programs: readonly SystemProgram[]): void {
  const missing = findMissing(programs);
  if (missing.length === 0) return;
  if (!canInstall()) throw new Error(`run as root: ${installCommand(missing)}`);
  install(missing);
}

export function findMissing(programs: readonly SystemProgram[]): readonly SystemProgram[] {
  return programs.filter(({ file }) => globSync(file).length === 0);
}

/** As root on Debian. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

export function installCommand(missing: readonly SystemProgram[]): string {
  const packages = [...new Set(missing.map((program) => program.package))];
  return `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
}

function install(missing: readonly SystemProgram[]): void {
  const command = installCommand(missing);
  console.log(command);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const line of ["apt-get update -q", command]) {
    const [program = "", ...args] = line.split(" ");
    const { status, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${line} failed: ${stderr.slice(-500)}`);
  }
}
