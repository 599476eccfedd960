import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  connectPlain,
  connectTo,
  parseStatus,
  readAll,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import type { FrontOptions } from "./acceptance.ts";

const nobody: FrontOptions = {
  proxyProtocolFrom: null,
  trustedProxies: [],
  healthChecksFrom: [],
};

/** HAProxy and nginx from Debian's packages, in front of the edge. */
describe("behind a balancer", () => {
  let directory = "";
  let origin: TestOrigin;
  let edge: TestEdge;
  const children: ChildProcess[] = [];
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-front-"));
    origin = await startOrigin();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    }
    await edge.close();
    origin.received.splice(0);
  });
  after(async () => {
    await origin.close();
    await rm(directory, { recursive: true });
  });

  async function startEdge(
    front: Partial<FrontOptions>,
    limits: { readonly connectionsPerAddress?: number } = {},
  ): Promise<void> {
    edge = await startTestEdge({ front: { ...nobody, ...front }, limits });
    edge.hosts.set("shop.example", { originUrl: origin.url });
  }

  /** Runs the program until it listens on all of these ports. */
  async function run(command: readonly string[], ports: readonly number[]): Promise<void> {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
    children.push(child);
    for (const port of ports) await until(() => isOpen(port), `${program} on ${port}`);
  }

  async function startHaproxy(options: string): Promise<{ http: number; https: number }> {
    const [http, https] = [await freePort(), await freePort()];
    const file = path.join(directory, `haproxy-${https}.cfg`);
    const listen = (name: string, from: number, to: number): string =>
      `listen ${name}\n  bind 127.0.0.1:${from}\n  server edge 127.0.0.1:${to} ${options}\n`;
    await writeFile(
      file,
      `defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 30s\n  timeout server 30s\n${listen("https", https, edge.httpsPort)}${listen("http", http, edge.httpPort)}`,
    );
    await run(["haproxy", "-db", "-q", "-f", file], [http, https]);
    return { http, https };
  }

  async function startNginx(): Promise<{ http: number; https: number }> {
    const [http, https] = [await freePort(), await freePort()];
    const file = path.join(directory, `nginx-${https}.conf`);
    const server = (from: number, to: number): string =>
      `server { listen 127.0.0.1:${from}; proxy_pass 127.0.0.1:${to}; proxy_protocol on; }`;
    await writeFile(
      file,
      `load_module /usr/lib/nginx/modules/ngx_stream_module.so;\ndaemon off;\npid ${directory}/nginx.pid;\nerror_log stderr error;\nevents {}\nstream { ${server(https, edge.httpsPort)} ${server(http, edge.httpPort)} }\n`,
    );
    await run(["/usr/sbin/nginx", "-c", file, "-p", directory], [http, https]);
    return { http, https };
  }

  async function visitFrom(localAddress: string, port: number): Promise<number> {
    const socket = await connectTo(edge, "shop.example", { port, localAddress });
    const answer = readAll(socket);
    socket.write(request("shop.example"));
    return parseStatus(await answer);
  }

  const balancers = {
    "HAProxy with send-proxy": () => startHaproxy("send-proxy"),
    "HAProxy with send-proxy-v2": () => startHaproxy("send-proxy-v2"),
    "HAProxy with checksums and checks": () =>
      startHaproxy("send-proxy-v2 proxy-v2-options crc32c,unique-id check inter 200ms"),
    "nginx with proxy_protocol": startNginx,
  };
  for (const [name, start] of Object.entries(balancers)) {
    it(`${name}: the client's address reaches the origin, and both ports work`, async () => {
      await startEdge({ proxyProtocolFrom: [] });
      const front = await start();
      assert.equal(await visitFrom("127.0.0.41", front.https), 200);
      const [received] = origin.received;
      assert.equal(received?.headers["x-forwarded-for"], "127.0.0.41");
      assert.equal(received?.headers["x-real-ip"], "127.0.0.41");
      const plain = await connectPlain(front.http);
      const answer = readAll(plain);
      plain.write(request("shop.example"));
      assert.equal(parseStatus(await answer), 308);
    });
  }

  it("limits count the client and not the balancer", async () => {
    await startEdge({ proxyProtocolFrom: [] }, { connectionsPerAddress: 2 });
    const { https } = await startHaproxy("send-proxy-v2");
    const open = (localAddress: string) =>
      connectTo(edge, "shop.example", { port: https, localAddress });
    const [one, two, other] = [
      await open("127.0.0.51"),
      await open("127.0.0.51"),
      await open("127.0.0.52"),
    ];
    await assert.rejects(open("127.0.0.51"));
    for (const socket of [one, two, other]) socket.destroy();
  });

  it("what is refused is counted by its reason", async () => {
    await startEdge({ proxyProtocolFrom: [] }, { connectionsPerAddress: 1 });
    await assert.rejects(roundTrip(edge, "shop.example", request("shop.example")));
    assert.equal(edge.stats.refused.proxy_header, 1);
    const { https } = await startHaproxy("send-proxy-v2");
    const open = () => connectTo(edge, "shop.example", { port: https, localAddress: "127.0.0.51" });
    const socket = await open();
    const before = edge.stats.refused.address_limit;
    await assert.rejects(open());
    socket.destroy();
    assert.equal(edge.stats.refused.address_limit, before + 1);
  });

  /** A web server that ends TLS and proxies to the edge, naming the visitor in this field. */
  async function startProxy(named: string): Promise<number> {
    const port = await freePort();
    const file = path.join(directory, `proxy-${port}.conf`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join(" ");
    const location = `proxy_pass https://127.0.0.1:${edge.httpsPort}; proxy_bind 127.0.0.80; proxy_ssl_server_name on; proxy_ssl_name shop.example; proxy_set_header Host shop.example; proxy_set_header ${named};`;
    await writeFile(
      file,
      `daemon off;\npid ${directory}/proxy.pid;\nerror_log stderr error;\nevents {}\nhttp { access_log off; ${temporary} server { listen 127.0.0.1:${port}; location / { ${location} } } }\n`,
    );
    await run(["/usr/sbin/nginx", "-c", file, "-p", directory], [port]);
    return port;
  }

  /** The status that curl gets from an address of this machine, with a forged chain. */
  async function curlFrom(address: string, url: string, port: number): Promise<number> {
    const { stdout } = await promisify(execFile)("curl", [
      ...["-sk", "-o", "/dev/null", "-w", "%{http_code}", "--interface", address],
      ...["--connect-to", `shop.example::127.0.0.1:${port}`],
      ...["-H", "X-Forwarded-For: 198.51.100.1", "-H", "CF-Connecting-IP: 198.51.100.1", url],
    ]);
    return Number(stdout);
  }

  const rules = {
    deny: ["127.0.0.81/32"],
    rate_limit: { requests: 2, per_s: 86_400, by: "visitor" },
  };
  const fronts = {
    "nobody in front": {
      front: {},
      open: async () => ({ url: "https://shop.example/", port: edge.httpsPort }),
    },
    "nginx with proxy_protocol": {
      front: { proxyProtocolFrom: [] },
      open: async () => ({ url: "https://shop.example/", port: (await startNginx()).https }),
    },
    "nginx as a trusted proxy": {
      front: { trustedProxies: ["127.0.0.80"] },
      open: async () => ({
        url: "http://shop.example/",
        port: await startProxy("X-Forwarded-For $proxy_add_x_forwarded_for"),
      }),
    },
    "nginx as a CDN": {
      front: { findCdn: (address: string) => (address === "127.0.0.80" ? "cloudflare" : null) },
      open: async () => ({
        url: "http://shop.example/",
        port: await startProxy("CF-Connecting-IP $remote_addr"),
      }),
    },
  };
  for (const [name, { front, open }] of Object.entries(fronts)) {
    it(`rules are for the visitor and not for what it says about itself: ${name}`, async () => {
      await startEdge(front);
      edge.hosts.set("shop.example", { originUrl: origin.url, edge: rules });
      const { url, port } = await open();
      assert.equal(await curlFrom("127.0.0.81", url, port), 403);
      const statuses: number[] = [];
      for (let visit = 0; visit < 3; visit += 1) {
        statuses.push(await curlFrom("127.0.0.82", url, port));
      }
      assert.deepEqual(statuses, [200, 200, 429]);
      assert.equal(await curlFrom("127.0.0.83", url, port), 200);
    });
  }

  it("a connection without a header is closed, unless it is from elsewhere or a health check", async () => {
    await startEdge({ proxyProtocolFrom: [] });
    await assert.rejects(roundTrip(edge, "shop.example", request("shop.example")));
    await edge.close();
    await startEdge({ proxyProtocolFrom: ["127.0.0.60"] });
    assert.equal(await visitFrom("127.0.0.61", edge.httpsPort), 200);
    await assert.rejects(visitFrom("127.0.0.60", edge.httpsPort));
    const forged = await connectPlain(edge.httpPort);
    const answer = readAll(forged);
    forged.write(`PROXY TCP4 6.6.6.6 1.1.1.1 1 2\r\n${request("shop.example")}`);
    assert.equal(parseStatus(await answer), 400);
    await edge.close();
    await startEdge({ proxyProtocolFrom: [], healthChecksFrom: ["127.0.0.62"] });
    assert.equal(await visitFrom("127.0.0.62", edge.httpsPort), 200);
    // A balancer that checks from the address from which it passes visitors on.
    await edge.close();
    await startEdge({ proxyProtocolFrom: ["127.0.0.1"], healthChecksFrom: ["127.0.0.1"] });
    assert.equal(await visitFrom("127.0.0.1", edge.httpsPort), 200);
    const { https } = await startHaproxy("send-proxy-v2");
    assert.equal(await visitFrom("127.0.0.63", https), 200);
    assert.equal(origin.received.at(-1)?.headers["x-real-ip"], "127.0.0.63");
  });

  it("health checks are not limited, and neither is a trusted proxy, whose chain is continued", async () => {
    await startEdge(
      { healthChecksFrom: ["127.0.0.70"], trustedProxies: ["127.0.0.71"] },
      { connectionsPerAddress: 0 },
    );
    assert.equal(await visitFrom("127.0.0.70", edge.httpsPort), 200);
    const socket = await connectTo(edge, "shop.example", { localAddress: "127.0.0.71" });
    const answer = readAll(socket);
    socket.write(
      request("shop.example", "GET / HTTP/1.1", ["X-Forwarded-For: 6.6.6.6, 192.0.2.7"]),
    );
    assert.equal(parseStatus(await answer), 200);
    const { headers } = origin.received.at(-1) ?? assert.fail("nothing received");
    assert.equal(headers["x-forwarded-for"], "6.6.6.6, 192.0.2.7, 127.0.0.71");
    assert.equal(headers["x-real-ip"], "192.0.2.7");
    await assert.rejects(visitFrom("127.0.0.72", edge.httpsPort));
  });

  it("a CDN is not limited by its address, and names the visitor", async () => {
    await startEdge(
      { findCdn: (address) => (address === "127.0.0.73" ? "cloudflare" : null) },
      { connectionsPerAddress: 0 },
    );
    const socket = await connectTo(edge, "shop.example", { localAddress: "127.0.0.73" });
    const answer = readAll(socket);
    const named = ["CF-Connecting-IP: 192.0.2.7", "X-Forwarded-For: 6.6.6.6"];
    socket.write(request("shop.example", "GET / HTTP/1.1", named));
    assert.equal(parseStatus(await answer), 200);
    const { headers } = origin.received.at(-1) ?? assert.fail("nothing received");
    assert.equal(headers["x-forwarded-for"], "192.0.2.7, 127.0.0.73");
    assert.equal(headers["x-real-ip"], "192.0.2.7");
    assert.equal(headers["cf-connecting-ip"], undefined);
    await assert.rejects(visitFrom("127.0.0.74", edge.httpsPort));
  });
});

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}
