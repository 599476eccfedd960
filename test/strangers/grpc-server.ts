import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { python, runClient } from "./clients.ts";

const clientScript = path.join(import.meta.dirname, "clients/grpc_client.py");
const serverScript = path.join(import.meta.dirname, "servers/grpc_server.py");

/** A server of grpcio on a free port. */
export interface GrpcServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Without TLS, or with the files of a certificate and its key. */
export async function startGrpcServer(
  files: { readonly cert: string; readonly key: string } | null,
): Promise<GrpcServer> {
  const server: ChildProcess = spawn(python, [serverScript, JSON.stringify(files ?? {})], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const ended = exited.then(() => {
    throw new Error("the gRPC server ended before it listened");
  });
  const printed = server.stdout === null ? ended : once(server.stdout, "data");
  const [line] = await Promise.race([printed, ended]);
  ended.catch(() => undefined);
  return {
    port: Number(String(line)),
    async stop() {
      server.stdin?.end();
      await exited;
    },
  };
}

/** What grpcio's client sees of one kind of call. */
export async function callGrpc(
  name: string,
  target: { readonly hostname: string; readonly port: number; readonly caFile: string },
): Promise<string> {
  const { hostname, port, caFile } = target;
  const about = JSON.stringify({ case: name, calls: 1_000, hostname, port, ca: caFile });
  const { stdout, stderr } = await runClient(python, [clientScript, about]);
  return stdout.trim() || stderr.trim();
}
