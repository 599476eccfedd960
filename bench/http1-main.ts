import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { createGuard } from "@mooring/egress";
import { Pool } from "undici";
import { defaultLimits } from "../packages/edge/src/config/limits.ts";
import { toApplication } from "../packages/edge/src/hosts/application.ts";
import type { Host } from "../packages/edge/src/hosts/host.ts";
import { H1Connection } from "../packages/edge/src/http/h1/connection.ts";
import { createStats } from "../packages/edge/src/metrics/metrics.ts";
import { forward } from "../packages/edge/src/proxy/forward/forward.ts";
import { createRequestLimits } from "../packages/edge/src/proxy/limits/request-limits.ts";
import { createOrigins } from "../packages/edge/src/proxy/origin/origins.ts";
import { createOriginPools } from "../packages/edge/src/proxy/origin/pools.ts";
import { rejectionPage } from "../packages/edge/src/proxy/response/error-page.ts";

/**
 * `http1-main.ts codec|node PORT ORIGIN`: a plain HTTP/1.1 reverse proxy, by the edge's codec or by
 * node:http and undici. Both add the same forwarding fields and drop hop-by-hop fields.
 */
const [kind, port, origin = ""] = process.argv.slice(2);
const server = kind === "codec" ? codecProxy() : nodeProxy();
server.listen(Number(port), "127.0.0.1");
process.once("SIGTERM", () => process.exit(0));

function codecProxy() {
  const host: Host = {
    hostname: "bench.example",
    epoch: 1,
    environment: "live",
    connectionId: "bench",
    applicationId: "bench",
    tenantId: "bench",
    registrableDomain: "bench.example",
    own: null,
  };
  const application = toApplication({
    id: "bench",
    tenantId: "bench",
    environment: "live",
    originHostHeader: "preserve",
    originUrl: origin,
    edge: {},
  });
  const limits = { ...defaultLimits, requestsPerConnection: Number.MAX_SAFE_INTEGER };
  const guard = createGuard({ allowPrivate: true });
  const ignore = (): void => undefined;
  const pools = createOriginPools({ guard, limits, tls: {}, tlsOf: () => null });
  const context = {
    pools,
    origins: createOrigins(pools, "bench", { warn: ignore }),
    limits,
    limitsOf: createRequestLimits(limits),
    stats: createStats(),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    assertion: () => null,
    outcomes: { succeeded: ignore, failed: ignore },
    loopId: "bench",
    client: (_: unknown, address: string) => ({ address, forwardedFor: address, forwarded: null }),
  };
  return createTcpServer({ noDelay: true }, (socket) => {
    new H1Connection(socket, {
      remoteAddress: socket.remoteAddress ?? "",
      limits,
      handle: (exchange) => forward(exchange, { host, application }, context),
      onRejected: ({ status }) => rejectionPage(status, "bench", []),
      wire: null,
      areReadsLimited: true,
      sharedReads: null,
      onOverspent: ignore,
      isCurrent: () => true,
    });
  });
}

const hopByHop = new Set([
  "connection",
  "host",
  "keep-alive",
  "te",
  "transfer-encoding",
  "upgrade",
]);

function nodeProxy() {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  return createServer({ noDelay: true }, (request, response) => {
    const { method = "GET", url: path = "/" } = request;
    pool.dispatch(
      { method, path, headers: forwardedFields(request), body: findBody(request) },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status, headers) => writeHead(response, status, headers),
        onResponseData: (controller, chunk) => {
          if (response.write(chunk)) return;
          controller.pause();
          response.once("drain", () => controller.resume());
        },
        onResponseEnd: () => response.end(),
        onResponseError: () => response.destroy(),
      },
    );
  });
}

function findBody(request: IncomingMessage): IncomingMessage | null {
  const { headers } = request;
  const hasBody = "content-length" in headers || "transfer-encoding" in headers;
  return hasBody ? request : null;
}

function forwardedFields(request: IncomingMessage): string[] {
  const { rawHeaders, socket } = request;
  const address = socket.remoteAddress ?? "";
  const fields = ["host", "bench.example"];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!hopByHop.has(name.toLowerCase())) fields.push(name, rawHeaders[index + 1] ?? "");
  }
  fields.push("x-forwarded-for", address, "x-forwarded-proto", "https");
  fields.push("x-forwarded-host", "bench.example", "x-real-ip", address);
  fields.push("via", "1.1 bench", "cdn-loop", "bench");
  return fields;
}

function writeHead(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name)) response.setHeader(name, value);
  }
  response.writeHead(status);
}
