import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";

const run = promisify(execFile);
const text = "line of a page that compresses well\n".repeat(30_000);

/** nginx as the origin: static files with ETag and ranges, and a redirect by its own name. */
async function startNginx(directory: string): Promise<{ readonly url: string; stop(): void }> {
  const port = await freePort();
  await writeFile(path.join(directory, "page.txt"), text);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join(" ");
  const file = path.join(directory, "nginx.conf");
  await writeFile(
    file,
    `daemon off; master_process off; pid ${directory}/pid; error_log stderr;
     events {}
     http { access_log off; ${temporary} types { text/plain txt; }
       server { listen 127.0.0.1:${port}; root ${directory};
         location = /moved { return 302 http://127.0.0.1:${port}/page.txt; } } }`,
  );
  const child = spawn("/usr/sbin/nginx", ["-c", file, "-p", directory], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/page.txt`).then(
      (answer) => answer.text().then(() => answer.ok),
      () => false,
    );
  await until(isUp, "nginx");
  return { url, stop: () => void child.kill() };
}

describe("a compressing edge in front of nginx", () => {
  let edge: TestEdge;
  let directory: string;
  let origin: { readonly url: string; stop(): void };
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-site-"));
    origin = await startNginx(directory);
    edge = await startTestEdge();
    await writeFile(path.join(directory, "ca.pem"), edge.authority.certificatePem);
    edge.hosts.set("shop.example", {
      originUrl: origin.url,
      originHostHeader: "origin",
      edge: { compress: true },
    });
  });
  after(async () => {
    await edge.close();
    origin.stop();
    await rm(directory, { recursive: true });
  });

  async function curl(...args: readonly string[]): Promise<string> {
    const options = [
      "--silent",
      "--show-error",
      "--max-time",
      "20",
      "--cacert",
      `${directory}/ca.pem`,
      "--connect-to",
      `shop.example:443:127.0.0.1:${edge.httpsPort}`,
    ];
    const { stdout } = await run("curl", [...options, ...args], { maxBuffer: 10_000_000 });
    return stdout;
  }

  it("is understood by curl, over both protocols, and sends far less", async () => {
    for (const version of ["--http1.1", "--http2"]) {
      const body = await curl(version, "--compressed", "https://shop.example/page.txt");
      assert.equal(body, text);
      const size = await curl(
        version,
        "--compressed",
        "--output",
        "/dev/null",
        "--write-out",
        "%{size_download}",
        "https://shop.example/page.txt",
      );
      assert.ok(Number(size) < text.length / 50, size);
    }
  });

  it("resumes a download and revalidates by the weakened tag", async () => {
    const page = "https://shop.example/page.txt";
    assert.equal(await curl("--range", "0-9", page), text.slice(0, 10));
    const head = await curl("--head", "--compressed", page);
    const etag = /^etag: (W\/"[^"]+")/im.exec(head)?.[1] ?? "";
    assert.match(head, /^vary: accept-encoding/im);
    const status = await curl(
      ...[
        "--compressed",
        "--header",
        `If-None-Match: ${etag}`,
        "--write-out",
        "%{http_code}",
        page,
      ],
    );
    assert.equal(status, "304");
  });

  it("leads curl to the client's host where nginx names its own", async () => {
    const url = "https://shop.example/moved";
    const to = await curl(
      "--location",
      "--output",
      "/dev/null",
      "--write-out",
      "%{url_effective}",
      url,
    );
    assert.equal(to, "https://shop.example/page.txt");
  });

  it("is understood by httpx", async () => {
    const script = `
import httpx, socket, ssl
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **named: real("127.0.0.1", *rest, **named)
context = ssl.create_default_context(cafile="${directory}/ca.pem")
for http2 in (False, True):
    with httpx.Client(verify=context, http2=http2) as client:
        url = "https://shop.example:${edge.httpsPort}/page.txt"
        answer = client.get(url, headers={"accept-encoding": "gzip"})
        print(answer.http_version, answer.headers["content-encoding"], len(answer.text))
`;
    const { stdout } = await run("/usr/bin/python3", ["-c", script]);
    assert.equal(stdout, `HTTP/1.1 gzip ${text.length}\nHTTP/2 gzip ${text.length}\n`);
  });
});
