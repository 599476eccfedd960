import {
  curl,
  curlOptions,
  frontUrl,
  httpx,
  nghttp,
  rawBytes,
  runClient,
  webSocket,
  webSocketOverH2,
} from "./clients.ts";
import type { Front } from "./fronts.ts";

/** What one client does, and what it sees; the same for every front. */
export interface StrangerCase {
  readonly client: string;
  readonly name: string;
  run(front: Front): Promise<string>;
  /** Set where ours differs from both others on purpose; the reason is in docs/divergences.md. */
  readonly isDivergence?: true;
}

const bodies = {
  "/length": "a body with its length",
  "/chunked": "a chunked body",
  "/close": "a body of HTTP/1.0, ended by the close",
  "/events": "an event stream",
  "/204": "204 without a body",
} as const;

function bodyCases(): StrangerCase[] {
  return Object.entries(bodies).flatMap(([target, name]): StrangerCase[] => [
    { client: "curl, HTTP/1.1", name, run: (front) => curl(front, "1.1", target) },
    { client: "curl, HTTP/2", name, run: (front) => curl(front, "2", target) },
    { client: "httpx, HTTP/1.1", name, run: (front) => httpx(front, target, { http2: false }) },
    { client: "httpx, HTTP/2", name, run: (front) => httpx(front, target, { http2: true }) },
    {
      client: "nghttp",
      name,
      run: async (front) => lastFrame((await nghttp(front, target)).stdout),
    },
  ]);
}

/** How the stream of the request ended, by nghttp's log of frames. */
function lastFrame(log: string): string {
  const received = [...log.matchAll(/recv (HEADERS|DATA|RST_STREAM) frame <([^>]*)>([^[]*)/g)]
    .map(([, type, about, rest]) => ({ type, about, rest }))
    .filter(({ about }) => !/stream_id=0$/.test(about ?? ""));
  const last = received.at(-1);
  if (last === undefined) return "failed: no frame";
  if (last.type === "RST_STREAM") return `reset ${/error_code=(\w+)/.exec(last.rest ?? "")?.[1]}`;
  return /END_STREAM/.test(last.rest ?? "") ? "END_STREAM" : "no end";
}

const expectUpload = ["--header", "Expect: 100-continue", "--expect100-timeout", "3"];
const bigUpload = ["--data-binary", `@/usr/bin/curl`, "--header", "Expect:"];

function uploadCases(): StrangerCase[] {
  return [
    {
      client: "httpx, HTTP/1.1",
      name: "a chunked upload of 1 MiB",
      run: (front) => httpx(front, "/size", { http2: false, method: "POST", upload: true }),
    },
    {
      client: "httpx, HTTP/2",
      name: "an upload of 1 MiB without a length",
      run: (front) => httpx(front, "/size", { http2: true, method: "POST", upload: true }),
    },
    ...(["1.1", "2"] as const).flatMap((version): StrangerCase[] => [
      {
        client: `curl, HTTP/${version}`,
        name: "an upload with 100-continue, which the origin ignores",
        run: (front) => curl(front, version, "/size", ["--data", "hello", ...expectUpload]),
      },
      {
        client: `curl, HTTP/${version}`,
        name: "an early answer to an upload",
        run: (front) => curl(front, version, "/early", bigUpload),
      },
    ]),
    {
      client: "Python ssl",
      name: "chunk extensions in a request",
      run: (front) =>
        rawBytes(
          front,
          "POST /size HTTP/1.1\r\nHost: shop.localhost\r\nConnection: close\r\n" +
            'Transfer-Encoding: chunked\r\n\r\n5;a=b;c="d"\r\nhello\r\n0;last\r\n\r\n',
        ),
    },
  ];
}

/** What the origin received, by the given reading of its header fields. */
async function received(
  front: Front,
  version: "1.1" | "2",
  args: readonly string[],
  read: (headers: Readonly<Record<string, string>>) => string,
): Promise<string> {
  const answer = await curl(front, version, "/headers", args);
  if (!answer.startsWith("200 ")) return answer.split("\n")[0]?.slice(0, 3) ?? "";
  return read(JSON.parse(answer.slice(4)));
}

function header(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => ["--header", line]);
}

function headerCases(version: "1.1" | "2"): StrangerCase[] {
  const client = `curl, HTTP/${version}`;
  const many = Array.from({ length: 200 }, (_, index) => `X-${index}: 1`);
  return [
    {
      client,
      name: "a header name with an underscore",
      run: (front) =>
        received(front, version, header("X_Tenant: 7"), (seen) => seen["x_tenant"] ?? "dropped"),
    },
    {
      client,
      name: "a header name with a dot",
      run: (front) =>
        received(front, version, header("X.Tenant: 7"), (seen) => seen["x.tenant"] ?? "dropped"),
    },
    {
      client,
      name: "200 header fields",
      run: (front) =>
        received(front, version, header(...many), (seen) => `${many.length} ${seen["x-199"]}`),
    },
    {
      client,
      name: "Host and X-Forwarded-Host with a port",
      run: (front) =>
        received(front, version, [], (seen) =>
          [seen["host"], seen["x-forwarded-host"]]
            .map((value) => (value?.endsWith(`:${front.port}`) ? "with" : "without"))
            .join(" "),
        ),
    },
    {
      client,
      name: "a forged X-Forwarded-For",
      run: (front) =>
        received(front, version, header("X-Forwarded-For: 6.6.6.6"), (seen) =>
          seen["x-forwarded-for"]?.includes("6.6.6.6") ? "forwarded" : "dropped",
        ),
    },
    {
      client,
      name: "a forged X_Forwarded_For",
      run: (front) =>
        received(front, version, header("X_Forwarded_For: 6.6.6.6"), (seen) =>
          seen["x_forwarded_for"] === undefined ? "dropped" : "forwarded",
        ),
    },
    {
      client,
      name: "a head of 20 KB",
      isDivergence: true,
      run: (front) =>
        received(
          front,
          version,
          header(
            `X-A: ${"a".repeat(7_000)}`,
            `X-B: ${"b".repeat(7_000)}`,
            `X-C: ${"c".repeat(6_000)}`,
          ),
          () => "200",
        ),
    },
    {
      client,
      name: "another Host than in the handshake",
      isDivergence: true,
      run: async (front) =>
        (await curl(front, version, "/length", header("Host: other.example"))).slice(0, 3),
    },
    {
      client,
      name: "TRACE",
      run: async (front) =>
        (await curl(front, version, "/length", ["--request", "TRACE"])).slice(0, 3),
    },
    {
      client,
      name: "status 999",
      run: async (front) => curl(front, version, "/999"),
    },
    {
      client,
      name: "two lines of Strict-Transport-Security",
      run: async (front) => {
        const answer = await curl(front, version, "/twice", ["--head", "--request", "GET"]);
        return `${answer.match(/^strict-transport-security: /gim)?.length ?? 0} lines`;
      },
    },
    {
      client,
      name: "Date when the origin sends none",
      run: async (front) => {
        const answer = await curl(front, version, "/twice", ["--head", "--request", "GET"]);
        return /^date: .* GMT\r?$/im.test(answer) ? "added" : "missing";
      },
    },
    {
      client,
      name: "304",
      run: (front) => curl(front, version, "/304"),
    },
    {
      client,
      name: "HEAD",
      run: async (front) => {
        const answer = await curl(front, version, "/length", ["--head"]);
        return `${answer.slice(0, 3)} ${/^content-length: (\d+)/im.exec(answer)?.[1]}`;
      },
    },
  ];
}

function otherCases(): StrangerCase[] {
  const get = "GET /length HTTP/1.1\r\nHost: shop.localhost\r\n";
  return [
    {
      client: "nghttp",
      name: "trailers",
      run: async (front) => {
        const { stdout } = await nghttp(front, "/trailers", ["--header", "te: trailers"]);
        return `${/x-sum: 42/.test(stdout) ? "with" : "without"}, ${lastFrame(stdout)}`;
      },
    },
    {
      client: "nghttp",
      name: "a cookie in crumbs",
      run: async (front) => {
        const crumbs = ["a=1", "b=2", "c=3"].flatMap((crumb) => ["--header", `cookie: ${crumb}`]);
        const { stdout } = await nghttp(front, "/headers", crumbs);
        return /"cookie":"([^"]*)"/.exec(stdout)?.[1] ?? "missing";
      },
    },
    {
      client: "h2load",
      name: "400 requests, 20 at once on each of 4 connections",
      run: async (front) => {
        const connectTo = `--connect-to=127.0.0.1:${front.port}`;
        const args = ["-n", "400", "-c", "4", "-m", "20", connectTo, frontUrl(front, "/chunked")];
        const { stdout } = await runClient("h2load", args);
        return /(\d+) succeeded, (\d+) failed/.exec(stdout)?.[0] ?? "failed";
      },
    },
    {
      client: "curl, HTTP/1.0",
      name: "two requests with keep-alive",
      run: async (front) => {
        const once = ["--output", "/dev/null", frontUrl(front, "/length")];
        const { stdout } = await runClient("curl", [
          ...curlOptions(front),
          "--http1.0",
          "--no-alpn",
          "--header",
          "Connection: keep-alive",
          "--write-out",
          "%{http_code} on %{num_connects} new connections; ",
          ...once,
          ...once,
        ]);
        return stdout.trim();
      },
    },
    { client: "websockets", name: "an echo", run: webSocket },
    {
      client: "python-h2",
      name: "a WebSocket over HTTP/2 (RFC 8441)",
      isDivergence: true,
      run: webSocketOverH2,
    },
    {
      client: "Python ssl",
      name: "both Content-Length and Transfer-Encoding",
      run: (front) =>
        rawBytes(
          front,
          "POST /size HTTP/1.1\r\nHost: shop.localhost\r\nConnection: close\r\nContent-Length: 5\r\n" +
            "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ),
    },
    {
      client: "Python ssl",
      name: "two pipelined requests",
      run: (front) => rawBytes(front, `${get}\r\n${get}Connection: close\r\n\r\n`),
    },
    {
      client: "Python ssl",
      name: "a header name with a blank before the colon",
      run: (front) => rawBytes(front, `${get}X-A : b\r\nConnection: close\r\n\r\n`),
    },
  ];
}

/** The clients that are small enough to run with every test. */
export const lightCases: readonly StrangerCase[] = [
  ...bodyCases(),
  ...uploadCases(),
  ...headerCases("1.1"),
  ...headerCases("2"),
  ...otherCases(),
];
