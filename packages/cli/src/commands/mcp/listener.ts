import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { exitCode } from "../../action.ts";
import { CommandFailure } from "../explain.ts";
import { problem, sendJson } from "./confirm-requests.ts";

export interface Listener {
  /** Without a path. */
  readonly url: string;
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Tells the operator of a defect; the client learns only that its request failed. */
export type Report = (error: unknown) => void;

/** An HTTP listener; port 0 takes a free one. */
export async function listen(
  host: string,
  port: number,
  handle: Handle,
  report: Report,
): Promise<Listener> {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      report(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, problem("internal", "The request failed."));
    });
  });
  server.listen(port, host);
  await Promise.race([
    once(server, "listening"),
    once(server, "error").then(([cause]) => refuse(cause)),
  ]);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${bound}`,
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, "close");
    },
  };
}

function refuse(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new CommandFailure(`cannot listen: ${reason}`, {
    code: "unavailable",
    exitCode: exitCode.unavailable,
  });
}
