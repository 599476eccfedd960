import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Pair } from "../acme/openssl-pki.ts";
import { launch } from "../dns/dns-servers.ts";
import { until } from "../processes/until.ts";
import { accepts } from "./http/origin-servers.ts";

export interface PreviousServerOptions {
  readonly address: string;
  readonly port: number;
  readonly certificate: Pair;
}

/** nginx where a site was before its move: it answers over https, with `old` and the host. */
export interface PreviousServer {
  /** As an operator does it: no new connections, what is under way is finished. */
  switchOff(): Promise<void>;
}

export async function startPreviousServer(options: PreviousServerOptions): Promise<PreviousServer> {
  const { address, port, certificate } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "mooring-previous-server-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(" ");
  const file = path.join(folder, "nginx.conf");
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     ${process.getuid?.() === 0 ? "user root;" : ""}
     events { worker_connections 1024; }
     http {
       access_log off; ${temporary} keepalive_requests 100000;
       server {
         listen ${address}:${port} ssl backlog=1024;
         ssl_certificate ${certificate.certFile}; ssl_certificate_key ${certificate.keyFile};
         location / { default_type text/plain; return 200 "old $host"; }
       }
     }`,
  );
  const server = launch(["nginx", "-e", `${folder}/error.log`, "-c", file], "nginx", folder);
  await server.during(until(() => accepts(port, address), "nginx to listen"));
  return {
    async switchOff() {
      if (server.child.exitCode !== null) return;
      const ended = once(server.child, "exit");
      server.child.kill("SIGQUIT");
      await ended;
      await server.stop();
    },
  };
}
