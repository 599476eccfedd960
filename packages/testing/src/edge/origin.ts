import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer, type Server as NetServer, type Socket } from "node:net";

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly trailers: IncomingMessage["trailers"];
  readonly body: string;
}

export interface TestOrigin {
  readonly url: string;
  readonly port: number;
  /** Requests whose head has arrived, also of a method that Node does not know. */
  readonly begun: () => number;
  /** Requests that arrived completely. */
  readonly received: ReceivedRequest[];
  /** Bytes that no parser could read as a request. */
  readonly malformed: () => number;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A real HTTP server that records each complete request and responds 200, or by `answer`. */
export async function startOrigin(answer?: RequestListener): Promise<TestOrigin> {
  const received: ReceivedRequest[] = [];
  let begun = 0;
  let malformed = 0;
  const server = createServer((request, response) => {
    begun += 1;
    if (answer !== undefined) {
      answer(request, response);
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        trailers: request.trailers,
        body: Buffer.concat(chunks).toString("latin1"),
      });
      response.end("origin");
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    // A connection cut by the edge is no malformed request.
    const isCut = error.code === "HPE_INVALID_EOF_STATE";
    const isUnknownMethod = error.code === "HPE_INVALID_METHOD" && isRequest(error.rawPacket);
    if (isUnknownMethod) begun += 1;
    else if (error.code?.startsWith("HPE_") && !isCut) malformed += 1;
    socket.destroy();
  });
  return { received, begun: () => begun, malformed: () => malformed, ...(await listenOn(server)) };
}

/** Node's server knows some methods only (RFC 9110 §9.1: any token is one). */
function isRequest(packet: Buffer | undefined): boolean {
  const start = packet?.toString("latin1") ?? "";
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.1\r\nhost: /i.test(start);
}

/** A TCP server, for responses that HTTP servers do not send. */
export async function startRawOrigin(
  onConnection: (socket: Socket) => void,
): Promise<Pick<TestOrigin, "url" | "port" | "connections" | "close">> {
  return await listenOn(createTcpServer(onConnection));
}

async function listenOn(
  server: Server | NetServer,
): Promise<Pick<TestOrigin, "url" | "port" | "connections" | "close">> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    // The edge cuts connections on purpose.
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP listener");
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    connections: () => connections,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
