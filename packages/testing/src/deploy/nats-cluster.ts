import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import { natsAnswers, natsSecrets, natsSettings } from "./nats-server.ts";

/**
 * Three of Debian's NATS servers as one cluster, with the settings of `deploy/nats`, on loopback.
 */
export interface NatsCluster {
  readonly names: readonly string[];
  /** As `NATS_URL` of issuers. */
  readonly url: string;
  /** As `NATS_URL` of edges. */
  readonly edgeUrl: string;
  /** Ends a server at once, as a crash does, or as an operator does. */
  stop(name: string, signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Starts it again with what it has stored. */
  start(name: string): Promise<void>;
  close(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly port: number;
  readonly routePort: number;
}

export async function startNatsCluster(): Promise<NatsCluster> {
  const directory = await mkdtemp(path.join(tmpdir(), "nats-cluster-"));
  const members: Member[] = [];
  for (const name of ["one", "two", "three"]) {
    members.push({ name, port: await freePort(), routePort: await freePort() });
  }
  const routes = members.map(({ routePort }) => `nats://127.0.0.1:${routePort}`);
  const running = new Map<string, ChildProcess>();
  const start = async (name: string): Promise<void> => {
    const member = members.find((one) => one.name === name);
    if (member === undefined) throw new RangeError(`no server ${name}`);
    const { port, routePort } = member;
    const own = ["--addr", "127.0.0.1", "--port", String(port), "--server_name", name];
    const cluster = ["--cluster_name", "mooring", "--cluster", `nats://127.0.0.1:${routePort}`];
    const args = ["--config", natsSettings, ...own, ...cluster, "--routes", routes.join(",")];
    const env = { NATS_STORE_DIR: path.join(directory, name), ...natsSecrets };
    running.set(name, spawn("/usr/sbin/nats-server", args, { env, stdio: "ignore" }));
    await until(() => natsAnswers(port), `NATS server ${name} answers`);
  };
  const stop = async (name: string, signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const child = running.get(name);
    running.delete(name);
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  for (const { name } of members) await start(name);
  const urlFor = (user: string, password: string): string =>
    members.map(({ port }) => `nats://${user}:${password}@127.0.0.1:${port}`).join(",");
  return {
    names: members.map(({ name }) => name),
    url: urlFor("issuer", natsSecrets.NATS_ISSUER_PASSWORD),
    edgeUrl: urlFor("edge", natsSecrets.NATS_EDGE_PASSWORD),
    start,
    stop,
    async close() {
      for (const { name } of members) await stop(name, "SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}
