import { readFile } from "node:fs/promises";
import { request } from "node:https";
import type { TLSSocket } from "node:tls";
import type { DemoSettings } from "./state.ts";

export interface EdgeVisit {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly certificate: ServedCertificate;
}

/** What the edge proved in the handshake, which was checked against the local root. */
export interface ServedCertificate {
  readonly names: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly serialNumber: string;
  readonly fingerprint: string;
  readonly protocol: string;
}

const timeoutMs = 10_000;
const maxBytes = 262_144;

/**
 * Requests the customer's site as a visitor would: over TLS, through the edge, trusting only the
 * local root.
 */
export async function visitThroughEdge(
  settings: DemoSettings,
  hostname: string,
): Promise<EdgeVisit> {
  const ca = await readFile(settings.rootFile);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: settings.edgeAddress,
        port: settings.edgePort,
        servername: hostname,
        headers: { host: `${hostname}:${settings.edgePort}` },
        ca,
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
      },
      (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        const certificate = readPeer(response.socket);
        response.on("data", (part: Buffer) => {
          size += part.length;
          if (size > maxBytes) sent.destroy(new Error("the page is too large for a preview"));
          parts.push(part);
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "text/plain",
            body: Buffer.concat(parts),
            certificate,
          }),
        );
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

function readPeer(socket: object): ServedCertificate {
  if (!isTls(socket)) throw new Error("the edge did not answer over TLS");
  const certificate = socket.getPeerCertificate();
  const issuer = certificate.issuer.CN;
  return {
    names: (certificate.subjectaltname ?? "").replaceAll("DNS:", ""),
    issuer: Array.isArray(issuer) ? issuer.join(", ") : (issuer ?? ""),
    validFrom: new Date(certificate.valid_from).toISOString(),
    validTo: new Date(certificate.valid_to).toISOString(),
    serialNumber: certificate.serialNumber,
    fingerprint: certificate.fingerprint256,
    protocol: socket.getProtocol() ?? "",
  };
}

function isTls(socket: object): socket is TLSSocket {
  return "getPeerCertificate" in socket;
}
