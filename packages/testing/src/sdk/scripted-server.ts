import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Step = (response: ServerResponse, request: ReceivedRequest) => void;

/**
 * A server on loopback that responds to each request with the next step and records the requests.
 */
export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export async function scriptedServer(...steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      const step = steps[requests.push(one) - 1] ?? answer(500, { unexpected: requests.length });
      step(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Step {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

export function failure(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Step {
  const error = { code, message: `failed with ${code}`, details: { why: code } };
  return answer(status, { error }, { "x-request-id": "ref-1", ...headers });
}

/** Closes the connection before a response. */
export const hangUp: Step = (response) => response.destroy();

/** Sends headers and half a body, and then nothing. */
export const stallHalfway: Step = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"data":');
};
