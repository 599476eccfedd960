import { type ClientRequestArgs, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent, type RequestOptions } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Dial, TlsOptions } from "./dial.ts";
import { EgressError } from "./egress-error.ts";
import { checkPort } from "./url.ts";

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

type Created = (error: Error | null, stream: Duplex) => void;

/**
 * Agents for code that speaks `node:http` itself. Every request gets a new, newly checked connection
 * (no keep-alive), and proxy settings of the environment are not looked at.
 */
export function createAgents(dial: Dial, tls: TlsOptions): Agents {
  const http = new HttpAgent({ keepAlive: false });
  http.createConnection = (options, callback) => {
    open(dial, options, undefined, callback);
    return undefined;
  };
  const https = new HttpsAgent({ keepAlive: false });
  https.createConnection = (options: RequestOptions, callback?: Created) => {
    open(dial, options, { ...tls, ...tlsOf(options) }, callback);
    return undefined;
  };
  return { http, https };
}

function open(
  dial: Dial,
  options: ClientRequestArgs,
  tls: TlsOptions | undefined,
  callback: Created | undefined,
): void {
  connection(dial, options, tls).then(
    (socket) => callback?.(null, socket),
    // The agent ignores the stream beside an error; this one was never connected.
    (error: Error) => callback?.(error, new Socket()),
  );
}

async function connection(
  dial: Dial,
  options: ClientRequestArgs,
  tls: TlsOptions | undefined,
): Promise<Socket> {
  if (options.socketPath !== undefined && options.socketPath !== null) {
    throw new EgressError("refused_url", "a local socket is not an address on the network");
  }
  const host = options.host ?? "";
  const port = Number(options.port ?? (tls === undefined ? 80 : 443));
  checkPort(port);
  const { socket } = await dial({ host, port, ...(tls === undefined ? {} : { tls }) });
  return socket;
}

function tlsOf(options: RequestOptions): TlsOptions {
  const { ca, cert, key, servername } = options;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
  };
}
