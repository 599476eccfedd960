import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { HostTable } from "./host.ts";
import type { EdgeStats } from "./metrics.ts";
import type { EdgeSettings } from "./settings.ts";

/** Health and metrics on a private port of their own; labels are fixed lists, never a hostname. */
export async function startOperational(
  settings: EdgeSettings,
  parts: { readonly hosts: HostTable; readonly stats: EdgeStats },
): Promise<{ readonly port: number; close(): Promise<void> } | null> {
  if (settings.EDGE_INTERNAL_PORT === null) return null;
  const server = createServer((request, response) => {
    if (request.url === "/healthz") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status: "ok" }));
    } else if (request.url === "/metrics") {
      response.setHeader("content-type", "text/plain; version=0.0.4");
      response.end(metricsText(parts));
    } else {
      response.statusCode = 404;
      response.end();
    }
  });
  server.listen(settings.EDGE_INTERNAL_PORT, settings.EDGE_HOST);
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

function metricsText({
  hosts,
  stats,
}: {
  readonly hosts: HostTable;
  readonly stats: EdgeStats;
}): string {
  const lines = [
    ["mooring_edge_hosts", "gauge", hosts.size],
    ["mooring_edge_connections", "gauge", stats.connections],
    ["mooring_edge_parked_handshakes", "gauge", stats.parked],
    ["mooring_edge_handshakes_total", "counter", stats.handshakes],
    ["mooring_edge_requests_total", "counter", stats.requests],
    ["mooring_edge_origin_errors_total", "counter", stats.originErrors],
    ["mooring_edge_origin_retries_total", "counter", stats.originRetries],
    ["mooring_edge_shed_total", "counter", stats.shed],
  ].map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}`);
  const refused = Object.entries(stats.refused).map(
    ([reason, count]) => `mooring_edge_refused_total{reason="${reason}"} ${count}`,
  );
  return `${[...lines, "# TYPE mooring_edge_refused_total counter", ...refused].join("\n")}\n`;
}
