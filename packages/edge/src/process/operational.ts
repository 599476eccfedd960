import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EdgeFigures } from "../metrics/metrics.ts";

/** down: nobody serves. degraded: some of the processes do not. */
export interface Health {
  readonly status: "ok" | "degraded" | "down";
  readonly workers: number;
  readonly serving: number;
}

/** What an edge tells about itself, be it one process or several. */
export interface Operation {
  health(): Health;
  figures(): EdgeFigures;
  /** Processes that ended unasked and were started again. */
  restarts(): number;
}

export interface RunningOperational {
  readonly port: number;
  close(): Promise<void>;
}

/** Health and metrics on a private port of their own; labels are fixed lists, never a hostname. */
export async function startOperational(
  at: { readonly host: string; readonly port: number },
  operation: Operation,
): Promise<RunningOperational> {
  const server = createServer((request, response) => {
    if (request.url === "/healthz") answerHealth(response, operation.health());
    else if (request.url === "/metrics") {
      response.setHeader("content-type", "text/plain; version=0.0.4");
      response.end(metricsText(operation));
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  server.listen(at.port, at.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function answerHealth(response: ServerResponse, health: Health): void {
  response.statusCode = health.status === "down" ? 503 : 200;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(health));
}

function metricsText(operation: Operation): string {
  const figures = operation.figures();
  const { serving } = operation.health();
  const lines = [
    ["mooring_edge_workers", "gauge", serving],
    ["mooring_edge_worker_restarts_total", "counter", operation.restarts()],
    ["mooring_edge_hosts", "gauge", figures.hosts],
    ["mooring_edge_resident_bytes", "gauge", figures.residentBytes],
    ["mooring_edge_connections", "gauge", figures.connections],
    ["mooring_edge_parked_handshakes", "gauge", figures.parked],
    ["mooring_edge_handshakes_total", "counter", figures.handshakes],
    ["mooring_edge_requests_total", "counter", figures.requests],
    ["mooring_edge_origin_errors_total", "counter", figures.originErrors],
    ["mooring_edge_origin_retries_total", "counter", figures.originRetries],
    ["mooring_edge_shed_total", "counter", figures.shed],
  ].map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}`);
  const text = [
    ...lines,
    ...labelled("mooring_edge_refused_total", "reason", figures.refused),
    ...labelled("mooring_edge_answered_total", "status", figures.answered),
    ...labelled("mooring_edge_certificates_total", "outcome", figures.certificates),
    ...Object.entries(figures.standing).flatMap(([name, value]) => [
      `# TYPE mooring_edge_certificates_${name} gauge`,
      `mooring_edge_certificates_${name} ${value}`,
    ]),
  ];
  return `${text.join("\n")}\n`;
}

function labelled(
  name: string,
  label: string,
  counts: Readonly<Record<string, number>>,
): readonly string[] {
  const lines = Object.entries(counts).map(([key, count]) => `${name}{${label}="${key}"} ${count}`);
  return [`# TYPE ${name} counter`, ...lines];
}
