import { readFile } from "node:fs/promises";
import { request } from "node:https";
import type { TLSSocket } from "node:tls";
import type { DemoSettings } from "./state.ts";

export interface EdgeVisit {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  /** The issuer of the certificate and the end of its validity. */
  readonly issuer: string;
  readonly validTo: string;
}

const timeoutMs = 10_000;
const maxBytes = 262_144;

/** Requests the customer's site as a visitor would: over TLS, through the edge, trusting only the local root. */
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
        const certificate = peerOf(response.socket);
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
            ...certificate,
          }),
        );
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

function peerOf(socket: object): Pick<EdgeVisit, "issuer" | "validTo"> {
  const certificate = isTls(socket) ? socket.getPeerCertificate() : null;
  const issuer = certificate?.issuer.CN;
  return {
    issuer: Array.isArray(issuer) ? issuer.join(", ") : (issuer ?? ""),
    validTo: certificate?.valid_to ?? "",
  };
}

function isTls(socket: object): socket is TLSSocket {
  return "getPeerCertificate" in socket;
}
