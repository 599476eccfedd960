import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";

/** Files of the server's certificate, and of the CA of its clients. */
export interface NatsTls {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientCaFile: string;
}

/** Debian's NATS server with the settings of `deploy/nats`, on loopback. */
export interface NatsServer {
  /** For issuers. */
  readonly url: string;
  /** For edges, which may only read and ask. */
  readonly edgeUrl: string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again, with what it stored, or with nothing. */
  start(options?: { readonly isEmpty: boolean }): Promise<void>;
  close(): Promise<void>;
}

export const natsSettings = path.resolve(
  import.meta.dirname,
  "../../../../deploy/nats/nats-server.conf",
);

export const natsSecrets = {
  NATS_ISSUER_PASSWORD: "issuer-password",
  NATS_EDGE_PASSWORD: "edge-password",
} as const;

export async function startNatsServer(tls: NatsTls | null = null): Promise<NatsServer> {
  const directory = await mkdtemp(path.join(tmpdir(), "nats-"));
  const port = await freePort();
  let child: ChildProcess | null = null;

  const start = async ({ isEmpty } = { isEmpty: false }): Promise<void> => {
    if (isEmpty) await rm(path.join(directory, "jetstream"), { recursive: true, force: true });
    const args = ["--config", natsSettings, "--addr", "127.0.0.1", "--port", String(port)];
    const env = { NATS_STORE_DIR: directory, ...natsSecrets };
    child = spawn("/usr/sbin/nats-server", [...args, ...tlsArgs(tls)], { env, stdio: "ignore" });
    await until(() => natsAnswers(port), "the NATS server answers");
  };
  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url: `nats://issuer:${natsSecrets.NATS_ISSUER_PASSWORD}@127.0.0.1:${port}`,
    edgeUrl: `nats://edge:${natsSecrets.NATS_EDGE_PASSWORD}@127.0.0.1:${port}`,
    kill,
    start,
    async close() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function tlsArgs(tls: NatsTls | null): readonly string[] {
  if (tls === null) return [];
  const own = ["--tlscert", tls.certFile, "--tlskey", tls.keyFile];
  return ["--tlsverify", ...own, "--tlscacert", tls.clientCaFile];
}

/** It sends INFO to every client when JetStream is ready. */
export function natsAnswers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isUp: boolean): void => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("data", (data) => end(data.toString("latin1").startsWith("INFO ")));
    socket.once("error", () => end(false));
  });
}
