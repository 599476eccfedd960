import {
  createSecureServer,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";

export type H2Listener = (
  stream: ServerHttp2Stream,
  headers: Readonly<Record<string, string>>,
  raw: readonly string[],
) => void;

export interface H2Origin {
  /** `h2c://`, or `https://` with a certificate. */
  readonly url: string;
  readonly port: number;
  readonly connections: () => number;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  close(): Promise<void>;
}

export interface H2OriginOptions {
  readonly settings?: Settings;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** An HTTP/2 server of Node's that handles every stream by `onStream`. */
export async function startH2Origin(
  onStream: H2Listener,
  { settings = {}, tls }: H2OriginOptions = {},
): Promise<H2Origin> {
  const server: Http2Server =
    tls === undefined ? createServer({ settings }) : createSecureServer({ settings, ...tls });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
    session.on("close", () => sessions.delete(session));
  });
  server.on("stream", (stream, headers, _flags, raw: unknown) => {
    stream.on("error", () => undefined);
    onStream(stream, headers as Record<string, string>, raw as readonly string[]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "h2c" : "https"}://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    sessions,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
