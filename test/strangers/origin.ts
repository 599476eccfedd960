import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface StrangersOrigin {
  readonly port: number;
  close(): Promise<void>;
}

const echoedFields = ["x-custom", "x-long", "authorization", "if-none-match"] as const;

/** The answers of the origin by path; every front forwards to it. */
const answers: Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
> = {
  "/length": (_, response) => {
    response.writeHead(200, { "content-length": "5" }).end("hello");
  },
  "/chunked": (_, response) => {
    response.write("he");
    response.end("llo");
  },
  "/events": (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    response.end("data: 2\n\n");
  },
  "/trailers": (_, response) => {
    response.writeHead(200, { trailer: "x-sum" });
    response.write("hello");
    response.addTrailers({ "x-sum": "42" });
    response.end();
  },
  "/204": (_, response) => {
    response.writeHead(204).end();
  },
  "/304": (_, response) => {
    response.writeHead(304, { etag: '"a"' }).end();
  },
  "/page": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>x</title>");
  },
  // As HTTP/1.0: the close ends the body. No date.
  "/close": (_, response) =>
    raw(response, "HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nhello"),
  "/999": (_, response) => raw(response, "HTTP/1.1 999 Denied\r\ncontent-length: 5\r\n\r\nhello"),
  "/twice": (_, response) =>
    raw(
      response,
      "HTTP/1.1 200 OK\r\nstrict-transport-security: max-age=1\r\n" +
        "strict-transport-security: max-age=2\r\ncontent-length: 5\r\n\r\nhello",
    ),
  // Answers before the upload has arrived.
  "/early": (request, response) => {
    response.writeHead(413).end("too large");
    request.resume();
  },
  "/size": (request, response) => {
    const hash = createHash("sha256");
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      hash.update(chunk);
    });
    request.on("end", () => response.end(`${size} ${hash.digest("hex").slice(0, 8)}`));
  },
  // What arrived: the line of the request, the fields that a case sets, and the body.
  "/echo": (request, response) => {
    const hash = createHash("sha256");
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      hash.update(chunk);
    });
    request.on("end", () => {
      const fields = echoedFields.map((name) => request.headers[name] ?? null);
      const { method, url } = request;
      const sum = hash.digest("hex").slice(0, 8);
      const text = JSON.stringify({ method, url, fields, size, sum });
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(text);
    });
  },
  // An answer as the query says: status, size, and whether its length is known.
  "/reply": (request, response) => {
    const query = new URL(request.url ?? "", "http://origin").searchParams;
    const body = Buffer.alloc(Number(query.get("size") ?? 0), "x");
    const status = Number(query.get("status") ?? 200);
    response.setHeader("content-type", "application/octet-stream");
    if (query.has("chunked")) {
      response.writeHead(status);
      for (let at = 0; at < body.length; at += 8_000) response.write(body.subarray(at, at + 8_000));
      response.end();
    } else response.writeHead(status, { "content-length": String(body.length) }).end(body);
  },
  "/headers": (request, response) => {
    response.end(JSON.stringify(request.headers));
  },
};

function raw(response: ServerResponse, bytes: string): void {
  response.socket?.end(bytes);
}

export async function startStrangersOrigin(): Promise<StrangersOrigin> {
  const sockets = new Set<Socket>();
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const answer = answers[(request.url ?? "").split("?")[0] ?? ""];
    if (answer === undefined) response.writeHead(404).end("no such path");
    else answer(request, response);
  });
  // Ignores the expectation, as old applications do; the body is awaited all the same.
  server.on("checkContinue", (request, response) => server.emit("request", request, response));
  server.on("upgrade", (request, socket: Socket) => echoWebSocket(request, socket));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Sends each short text frame back, unmasked (RFC 6455 §5.2), and closes when asked. The text
 * `protocol` is answered with what the front says in Via that its client spoke.
 */
function echoWebSocket(request: IncomingMessage, socket: Socket): void {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on("data", (frame: Buffer) => {
    const length = (frame[1] ?? 0) & 127;
    const mask = frame.subarray(2, 6);
    const payload = frame.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
    const isQuestion = Buffer.from(payload).toString() === "protocol";
    const answer = isQuestion ? Buffer.from(clientProtocol(request)) : payload;
    socket.write(Buffer.concat([Buffer.from([frame[0] ?? 0, answer.length]), answer]));
    if (((frame[0] ?? 0) & 15) === 8) socket.end();
  });
}

/** A front that does not say it speaks WebSockets over HTTP/1.1 only. */
function clientProtocol({ headers }: IncomingMessage): string {
  return headers.via?.startsWith("2.0 ") ? "HTTP/2" : "HTTP/1.1";
}
