import { createHash } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inChromium } from "./browser.ts";
import { curlOptions, frontUrl, nghttp, python, runClient } from "./clients.ts";
import { inFirefox } from "./firefox.ts";
import { type Front, type Fronts, grpcHostname, hostname } from "./fronts.ts";
import { callGrpc } from "./grpc-server.ts";
import { type Row, throughAll } from "./table.ts";

/** A request that every client can send. */
interface MatrixRequest {
  readonly method: string;
  readonly target: string;
  /** The body is so many zeros; none is sent for null. */
  readonly size: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

const kib = 1_024;
const statuses = [
  200, 201, 202, 203, 206, 300, 400, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 415, 418,
  422, 429, 451, 500, 501, 503, 504,
];
const sizes = [0, 1, 16 * kib - 1, 16 * kib, 64 * kib, 64 * kib + 1, 1_024 * kib];
const uploads = [0, 1, 16 * kib, 64 * kib + 1, 1_024 * kib];
const targets = [
  "/echo?a=b",
  "/echo?a=b&a=c",
  "/echo?a=%20b%2Fc",
  "/echo?a=%C3%BC",
  "/echo?a;b",
  "/echo?a=b=c&&",
  `/echo?long=${"q".repeat(4_000)}`,
];
const fields: readonly Readonly<Record<string, string>>[] = [
  { "X-Custom": "one" },
  { "X-Custom": "with, commas; and = signs" },
  { "X-Long": "l".repeat(6_000) },
  { Authorization: "Basic YTpi" },
  { "If-None-Match": '"a", W/"b"' },
];

function request(method: string, target: string, more: Partial<MatrixRequest> = {}): MatrixRequest {
  return { method, target, size: null, headers: {}, ...more };
}

/** At least sixty, the same for every client. */
export const matrixRequests: readonly MatrixRequest[] = [
  ...["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => request(method, "/echo")),
  ...["POST", "PUT"].flatMap((method) => uploads.map((size) => request(method, "/echo", { size }))),
  ...statuses.map((status) => request("GET", `/reply?status=${status}&size=5`)),
  ...["", "&chunked"].flatMap((how) =>
    sizes.map((size) => request("GET", `/reply?size=${size}${how}`)),
  ),
  ...targets.map((target) => request("GET", target)),
  ...fields.map((headers) => request("GET", "/echo", { headers })),
];

/** Sends all of them through a front; an outcome for each. */
interface MatrixClient {
  readonly client: string;
  run(front: Front): Promise<readonly string[]>;
}

const clients = path.join(import.meta.dirname, "clients");

/** One line for each: method, target, size or `-`, and fields, with tabs between. */
async function writeRequests(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-matrix-"));
  const file = path.join(folder, "requests.tsv");
  const lines = matrixRequests.map(({ method, target, size, headers }) =>
    [
      method,
      target,
      size === null ? "-" : String(size),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ].join("\t"),
  );
  await writeFile(file, `${lines.join("\n")}\n`);
  return file;
}

/** The status, and what came as a body. */
function outcome(status: string, body: string): string {
  const sum = createHash("sha256").update(body).digest("hex").slice(0, 8);
  return `${status} ${Buffer.byteLength(body)} ${sum}`;
}

function headerOptions({ headers }: MatrixRequest): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
}

function curlClient(version: "1.1" | "2", bodies: ReadonlyMap<number, string>): MatrixClient {
  const send = async (front: Front, one: MatrixRequest): Promise<string> => {
    const { code, stdout } = await runClient("curl", [
      ...curlOptions(front),
      `--http${version}`,
      "--globoff",
      "--write-out",
      "\n%{http_code}",
      "--request",
      one.method,
      ...(one.size === null ? [] : ["--data-binary", `@${bodies.get(one.size)}`]),
      ...headerOptions(one),
      frontUrl(front, one.target),
    ]);
    if (code !== 0) return `failed: curl ${code}`;
    const at = stdout.lastIndexOf("\n");
    return outcome(stdout.slice(at + 1), stdout.slice(0, at));
  };
  return { client: `curl, HTTP/${version}`, run: (front) => sendAll((one) => send(front, one)) };
}

function nghttpClient(bodies: ReadonlyMap<number, string>): MatrixClient {
  const send = async (front: Front, one: MatrixRequest): Promise<string> => {
    const { stdout } = await nghttp(front, one.target, [
      "--null-out",
      ...(one.size === null ? [] : [`--data=${bodies.get(one.size)}`]),
      "--header",
      `:method: ${one.method}`,
      ...headerOptions(one).map((text) => (text.startsWith("--") ? text : lowerName(text))),
    ]);
    const status = /:status: (\d+)/.exec(stdout)?.[1] ?? "none";
    return `${status} ${/recv RST_STREAM/.test(stdout) ? "reset" : "complete"}`;
  };
  return { client: "nghttp", run: (front) => sendAll((one) => send(front, one)) };
}

/** HTTP/2 has field names in lower case. */
function lowerName(line: string): string {
  return line.replace(/^[^:]+/, (name) => name.toLowerCase());
}

async function sendAll(send: (one: MatrixRequest) => Promise<string>): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const one of matrixRequests) outcomes.push(await send(one));
  return outcomes;
}

/** A program that reads the file and prints a line for each request. */
function batchClient(client: string, command: readonly [string, ...string[]]): MatrixClient {
  return {
    client,
    async run(front) {
      const [program, ...args] = command;
      const base = `https://${hostname}:${front.port}`;
      const { stdout, stderr } = await runClient(program, [...args, base, front.caFile]);
      const lines = stdout.trim().split("\n");
      if (lines.length !== matrixRequests.length) throw new Error(`${client}: ${stdout} ${stderr}`);
      return lines.map((line) => line.replaceAll(String(front.port), "PORT"));
    },
  };
}

type InPage = (front: Front, script: string) => Promise<string>;

function browserClient(client: string, inPage: InPage): MatrixClient {
  const script = `(async () => {
    const outcomes = [];
    for (const { method, target, size, headers } of ${JSON.stringify(matrixRequests)}) {
      const body = size === null ? undefined : new Uint8Array(size);
      try {
        const response = await fetch(target, { method, headers, body, cache: "no-store" });
        const bytes = await response.arrayBuffer();
        const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        const hex = [...sum.subarray(0, 4)].map((one) => one.toString(16).padStart(2, "0")).join("");
        outcomes.push(response.status + " " + bytes.byteLength + " " + hex);
      } catch (error) {
        outcomes.push("failed: " + error.message);
      }
    }
    return outcomes.join("\\n");
  })()`;
  return { client, run: async (front) => (await inPage(front, script)).split("\n") };
}

/** curl, nghttp and httpx; their programs are small. */
export async function lightClients(): Promise<readonly MatrixClient[]> {
  const file = await writeRequests();
  const bodies = new Map<number, string>();
  for (const size of uploads) {
    const body = path.join(path.dirname(file), String(size));
    await writeFile(body, Buffer.alloc(size));
    bodies.set(size, body);
  }
  const httpx = (version: string): MatrixClient =>
    batchClient(`httpx, HTTP/${version}`, [python, `${clients}/httpx_batch.py`, file, version]);
  return [
    curlClient("1.1", bodies),
    curlClient("2", bodies),
    httpx("1.1"),
    httpx("2"),
    nghttpClient(bodies),
  ];
}

/** Go, Java and browsers, in the soak only. */
export async function heavyClients(): Promise<readonly MatrixClient[]> {
  const file = await writeRequests();
  const folder = path.dirname(file);
  const go = path.join(folder, "go-batch");
  const goEnv = ["env", `GOCACHE=${folder}/cache`, "GO111MODULE=off", "GOFLAGS="] as const;
  const source = `${clients}/batch/go_batch.go`;
  await compile([...goEnv, "/usr/lib/go-1.19/bin/go", "build", "-o", go, source]);
  await compile(["javac", "-d", folder, `${clients}/JavaBatch.java`]);
  const hosts = path.join(folder, "hosts");
  await writeFile(hosts, `127.0.0.1 ${hostname}\n`);
  const java = ["java", `-Djdk.net.hosts.file=${hosts}`, "-cp", folder, "JavaBatch", file] as const;
  return [
    ...["1.1", "2"].flatMap((version) => [
      batchClient(`Go, HTTP/${version}`, [go, file, version]),
      batchClient(`Java, HTTP/${version}`, [...java, version]),
    ]),
    browserClient("Chromium", inChromium),
    browserClient("Firefox", inFirefox),
  ];
}

async function compile([command, ...args]: readonly [string, ...string[]]): Promise<void> {
  const { code, stderr } = await runClient(command, args);
  if (code !== 0) throw new Error(`${command} failed: ${stderr}`);
}

/** The rows of one client. */
export async function runMatrix({ client, run }: MatrixClient, fronts: Fronts): Promise<Row[]> {
  const { ours, accelerated, caddy, nginx } = await throughAll(fronts, run);
  return matrixRequests.map(({ method, target, size, headers }, index) => ({
    client,
    name: `${method} ${target.slice(0, 60)} ${size ?? ""} ${Object.keys(headers)}`.trim(),
    ours: ours[index] ?? "",
    accelerated: accelerated[index] ?? "",
    caddy: caddy[index] ?? "",
    nginx: nginx[index] ?? "",
    isDivergence: false,
  }));
}

/** The calls of grpcio, all of them in grpc_client.py; the fronts must have a gRPC origin. */
export async function runGrpcMatrix(fronts: Fronts): Promise<Row[]> {
  const { ours, accelerated, caddy, nginx } = await throughAll(fronts, async ({ port, caFile }) => {
    const text = await callGrpc("matrix", { hostname: grpcHostname, port, caFile });
    return text.split("\n").map((line) => line.split("\t"));
  });
  return ours.map(([name = "", outcome = ""], index) => ({
    client: "grpcio",
    name,
    ours: outcome,
    accelerated: accelerated[index]?.[1] ?? "",
    caddy: caddy[index]?.[1] ?? "",
    nginx: nginx[index]?.[1] ?? "",
    isDivergence: false,
  }));
}
