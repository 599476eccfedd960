import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { byVariable } from "../../../control/src/config/config.ts";
import { loadRootKeys } from "../../../control/src/config/root-keys.ts";
import type { RunningEdge } from "../../../edge/src/process/start-edge.ts";
import type { Caller } from "../clients/connecting.ts";
import { visit } from "../clients/visit.ts";
import { call, textOf } from "../control/http.ts";
import { freePort } from "../processes/free-port.ts";
import { type LifecycleApp, startLifecycle } from "../processes/lifecycle-app.ts";
import { startWholeEdge } from "./whole-edge.ts";

/** API, worker and an edge for names of the sandbox, where `validation.test` is delegated. */
export interface SandboxEdge {
  readonly life: LifecycleApp;
  readonly edge: RunningEdge;
  /** A tenant with an application whose origin answers with its own name and the host. */
  tenant(name: string, listener?: RequestListener): Promise<Caller>;
  /** The body of the page at the edge. */
  page(hostname: string): Promise<string>;
  /** From then on nobody serves or renews anything. */
  stopEdge(): Promise<void>;
  close(): Promise<void>;
}

export async function startSandboxEdge(
  env: Readonly<Record<string, string>> = {},
): Promise<SandboxEdge> {
  const httpsPort = await freePort();
  const life = await startLifecycle({
    env: {
      VALIDATION_ZONE: "validation.test",
      ORIGIN_ALLOW_PRIVATE: "true",
      EDGE_HTTPS_PORT: String(httpsPort),
      ...env,
    },
  });
  const { app } = life;
  const edge = await startWholeEdge({
    settings: {
      ...byVariable(app.config),
      ASK_URL: `${app.api.url}/internal/ask`,
      EDGE_HTTP_PORT: 0,
    },
    databaseUrl: app.databaseUrl,
    rootKeys: loadRootKeys(app.config),
    resolvers: ["127.0.0.1:9"],
    caaNames: () => ["letsencrypt.org"],
    log: app.operator.log,
    clock: app.clock,
    limits: { shedDelayMs: Number.POSITIVE_INFINITY, refuseDelayMs: Number.POSITIVE_INFINITY },
  });
  let root: string | null = null;
  let visits = 0;
  let stopped: Promise<void> | null = null;
  const stopEdge = (): Promise<void> => {
    stopped ??= edge.close();
    return stopped;
  };
  const origins: { closeAllConnections(): void; close(): void }[] = [];
  return {
    life,
    edge,
    async tenant(
      name,
      listener = (incoming, response) => void response.end(`${name} ${incoming.headers.host}`),
    ) {
      const origin = createServer(listener);
      await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
      origins.push(origin);
      const { port } = origin.address() as AddressInfo;
      const { keys } = await app.tenant(name);
      const body = { name, origin_url: `http://127.0.0.1:${port}` };
      const made = await call(app.api.url, "/v1/applications", { key: keys.test, body });
      assert.equal(made.status, 201, made.text);
      return { base: app.api.url, key: keys.test, applicationId: textOf(made, "id") };
    },
    async page(hostname) {
      root ??= (await call(app.api.url, "/sandbox/ca.pem")).text;
      // Every visitor has another address: the edge limits the connections of one.
      visits += 1;
      const from = `127.0.8.${1 + (visits % 250)}`;
      return (await visit(edge.httpsPort, hostname, root, from)).body;
    },
    stopEdge,
    async close() {
      await stopEdge();
      await life.close();
      for (const origin of origins) {
        origin.closeAllConnections();
        origin.close();
      }
    },
  };
}
