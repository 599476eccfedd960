import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface CurlClient {
  /** A curl that has HTTP/3. */
  readonly curl: string;
  readonly port: number;
  /** The file of the trusted root. */
  readonly ca: string;
}

export interface CurlAnswer {
  /** As `200`; `000` without an answer. */
  readonly status: string;
  /** As `3`; `0` without an answer. */
  readonly version: string;
  readonly altSvc: string;
  readonly body: string;
}

/** Visits a name of an edge on loopback, as if at the usual port. */
export async function visitByCurl(
  { curl, port, ca }: CurlClient,
  hostname: string,
  resource: string,
  ...options: readonly string[]
): Promise<CurlAnswer> {
  const written = "\n%{http_code} %{http_version} %header{alt-svc}";
  const usual = ["-s", "--max-time", "60", "--cacert", ca, "-w", written];
  const named = ["--resolve", `${hostname}:${port}:127.0.0.1`, "-H", `host: ${hostname}`];
  const url = `https://${hostname}:${port}${resource}`;
  const child = spawn(curl, [...usual, ...named, ...options, url], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  const end = output.lastIndexOf("\n");
  const [status = "", version = "", ...altSvc] = output.slice(end + 1).split(" ");
  return { status, version, altSvc: altSvc.join(" "), body: output.slice(0, end) };
}
