import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type ReadRequest, readRequests } from "./strict-reader.ts";

/** An origin that keeps what arrives, read twice: by Node's parser and by the strict reader. */
export interface WitnessOrigin {
  readonly url: string;
  /** The requests since the last call, and every way in which the two readers disagree. */
  take(): { readonly requests: readonly Arrived[]; readonly problems: readonly string[] };
  close(): Promise<void>;
}

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly names: readonly string[];
}

const maxConnectionBytes = 262_144;

/** A connection that the edge cuts within a request, and a method that Node does not know. */
const harmless = new Set(["HPE_INVALID_EOF_STATE", "HPE_INVALID_METHOD"]);

export async function startWitnessOrigin(): Promise<WitnessOrigin> {
  let requests: Arrived[] = [];
  let problems: string[] = [];
  const sockets = new Map<Socket, { bytes: string; byNode: Arrived[] }>();

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const arrived: Arrived = {
        method: request.method ?? "",
        url: request.url ?? "",
        body: Buffer.concat(chunks).toString("latin1"),
        headers: request.headers,
        names: request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
      };
      requests.push(arrived);
      const seen = sockets.get(request.socket);
      seen?.byNode.push(arrived);
      const isLong = (seen?.bytes.length ?? 0) > maxConnectionBytes;
      response.writeHead(200, isLong ? { connection: "close" } : {}).end("origin");
    });
  });
  server.on("connection", (socket: Socket) => {
    const seen = { bytes: "", byNode: [] as Arrived[] };
    sockets.set(socket, seen);
    socket.on("data", (chunk: Buffer) => {
      seen.bytes += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      const problem = disagreement(readRequests(seen.bytes), seen.byNode);
      if (problem !== null)
        problems.push(`${problem}: ${JSON.stringify(seen.bytes.slice(-2_000))}`);
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code?.startsWith("HPE_") && !harmless.has(error.code)) {
      problems.push(`Node's parser: ${error.code}`);
    }
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = { requests, problems };
      [requests, problems] = [[], []];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function disagreement(
  strict: { readonly requests: readonly ReadRequest[]; readonly isMalformed: boolean },
  byNode: readonly Arrived[],
): string | null {
  if (strict.isMalformed) return "malformed bytes";
  // The last one may have been cut after Node had read its end, or before.
  const count = Math.min(strict.requests.length, byNode.length);
  if (Math.abs(strict.requests.length - byNode.length) > 1) return "another number of requests";
  for (let index = 0; index < count; index += 1) {
    const [one, other] = [strict.requests[index], byNode[index]];
    const isSame =
      one?.method === other?.method && one?.target === other?.url && one?.body === other?.body;
    if (!isSame) return `request ${index} is read differently`;
  }
  return null;
}
