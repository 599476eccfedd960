import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createSecureContext, createServer as createTlsServer, type TLSSocket } from "node:tls";
import { httpChallengePath } from "../../../edge/src/acme/authorization.ts";
import {
  acmeTlsAlpn,
  createTlsAlpnCertificate,
  type TlsAlpnCertificate,
} from "../../../edge/src/x509/acme-x509.ts";
import { startScriptedDns } from "../dns/scripted-dns.ts";
import { freePort } from "../processes/free-port.ts";

/**
 * Answers a CA's challenges on loopback, with a DNS server that resolves every name to 127.0.0.1.
 */
export interface AcmeResponders {
  readonly httpPort: number;
  readonly tlsPort: number;
  readonly dnsServer: string;
  answerHttp(token: string, keyAuthorization: string): void;
  answerTls(hostname: string, keyAuthorization: string): Promise<void>;
  /** Delays answers to HTTP-01 requests until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

export async function startAcmeResponders(): Promise<AcmeResponders> {
  const http = new Map<string, string>();
  const tls = new Map<string, TlsAlpnCertificate>();
  let gate = Promise.resolve();

  const httpServer = createHttpServer((request, response) => {
    const token = (request.url ?? "").replace(httpChallengePath, "");
    const answer = http.get(token);
    gate
      .then(() => response.writeHead(answer === undefined ? 404 : 200).end(answer))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const sockets = new Set<TLSSocket>();
  const tlsServer = createTlsServer(
    {
      ALPNProtocols: [acmeTlsAlpn],
      SNICallback: (name, done) => {
        const answer = tls.get(name);
        if (answer === undefined) return done(new Error("no challenge for this name"));
        const { certificatePem: cert, keyPem: key } = answer;
        done(null, createSecureContext({ cert, key }));
      },
    },
    (socket) => {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
      socket.end();
    },
  );
  tlsServer.on("tlsClientError", (_error, socket) => socket.destroy());

  const dns = await startScriptedDns({
    address: "127.0.0.1",
    port: await freePort(),
    behave: ({ name, type }) => ({
      answers: type === "A" ? [{ name, type: "A", ttl: 1, data: "127.0.0.1" }] : [],
    }),
  });
  return {
    httpPort: await listen(httpServer),
    tlsPort: await listen(tlsServer),
    dnsServer: `${dns.address}:${dns.port}`,
    answerHttp: (token, keyAuthorization) => {
      http.set(token, keyAuthorization);
    },
    answerTls: async (hostname, keyAuthorization) => {
      tls.set(hostname, await createTlsAlpnCertificate(hostname, keyAuthorization, new Date()));
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    stop: async () => {
      httpServer.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await Promise.all([close(httpServer), close(tlsServer), dns.stop()]);
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
