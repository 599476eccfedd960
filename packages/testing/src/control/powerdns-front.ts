import { createHash, X509Certificate } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { startPowerdns } from "../../../dns/conformance/simulators/powerdns.ts";
import type { DnsRecord, Resolver } from "../../../dns/src/index.ts";
import { ownCertificate } from "../egress/loopback.ts";

/** How a request is treated on its way to the simulator. */
type Treatment =
  | { readonly kind: "through" }
  /** Executed, with another status in the reply. */
  | { readonly kind: "after"; readonly status: number }
  /** Not executed; this is the reply. */
  | { readonly kind: "instead"; readonly status: number; readonly headers?: Record<string, string> }
  /** Executed with another body; with `isSilent` there is no reply. */
  | { readonly kind: "altered"; readonly body: string; readonly isSilent?: boolean }
  /** The simulator's reply without its record sets. */
  | { readonly kind: "emptied" }
  /** Neither executed nor answered. */
  | { readonly kind: "stalled" };

interface FrontRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A simulated PowerDNS whose replies a test can change. */
export interface PowerdnsFront {
  readonly fields: {
    readonly api_url: string;
    readonly api_key: string;
    readonly certificate_sha256: string;
  };
  /** Every request since the start. */
  readonly requests: readonly FrontRequest[];
  treat(treatment: (request: FrontRequest) => Treatment): void;
  seed(zone: string, records: readonly DnsRecord[]): Promise<void>;
  records(zone: string): Promise<readonly DnsRecord[]>;
  writeCount(): number;
  close(): Promise<void>;
}

/**
 * DNS in which every domain of two labels is delegated to this server, and nothing else is
 * answered.
 */
export function delegatedTo(host: string): Resolver {
  const failed = async () => ({ outcome: "failed", reason: "timeout" }) as const;
  return {
    findZone: async (name) => ({
      outcome: "found",
      zone: name.split(".").slice(-2).join("."),
      servers: [{ host, addresses: [] }],
    }),
    askServer: failed,
    resolve: failed,
  };
}

export async function startPowerdnsFront(): Promise<PowerdnsFront> {
  const backend = await startPowerdns();
  const requests: FrontRequest[] = [];
  let treat = (_request: FrontRequest): Treatment => ({ kind: "through" });
  const server = createServer(ownCertificate, (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(Object(error)));
  });
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    requests.push(request);
    const treatment = treat(request);
    if (treatment.kind === "stalled") return;
    if (treatment.kind === "instead") {
      response.writeHead(treatment.status, treatment.headers ?? {}).end("{}");
      return;
    }
    const far = await forward(request, treatment, String(incoming.headers["x-api-key"]));
    if (treatment.kind === "altered" && treatment.isSilent) return;
    const text = treatment.kind === "emptied" ? '{"rrsets":[]}' : await far.text();
    response.writeHead(treatment.kind === "after" ? treatment.status : far.status).end(text);
  };
  const forward = (request: FrontRequest, treatment: Treatment, key: string): Promise<Response> => {
    const body = treatment.kind === "altered" ? treatment.body : request.body;
    return backend.fetch(`${backend.credentials["api_url"]}${request.path.slice(1)}`, {
      method: request.method,
      headers: { "x-api-key": key },
      ...(body === "" ? {} : { body }),
    });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    fields: {
      api_url: `https://127.0.0.1:${port}`,
      api_key: backend.credentials["api_key"] ?? "",
      certificate_sha256: fingerprint(ownCertificate.cert),
    },
    requests,
    treat(next) {
      treat = next;
    },
    seed: (zone, records) => backend.seed(zone, records),
    records: (zone) => backend.records(zone),
    writeCount: () => backend.writeCount(),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await backend.close();
    },
  };
}

function fingerprint(certificate: string): string {
  return createHash("sha256").update(new X509Certificate(certificate).raw).digest("hex");
}

async function readRequest(incoming: IncomingMessage): Promise<FrontRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks).toString("utf8");
  return { method: incoming.method ?? "GET", path: incoming.url ?? "/", body };
}
