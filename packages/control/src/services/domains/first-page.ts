import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { isIPv6 } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Guard } from "@mooring/egress";

export interface PageTarget {
  readonly address: string;
  readonly port: number;
  /** The name that is asked for; null where the machine itself is meant. */
  readonly hostname: string | null;
  readonly isTls: boolean;
}

/** The answer to a browser that asks for `/`, and the certificate it came with. */
export interface FirstPage {
  readonly status: number;
  /** Where a redirect goes; null for other answers. */
  readonly location: string | null;
  /** SHA-256 of the certificate, in lower-case hexadecimal; null without TLS. */
  readonly fingerprint: string | null;
  /** The headers of the answer, those of one name joined by line breaks. */
  readonly headers: Readonly<Record<string, string>>;
}

const timeoutMs = 5_000;

/**
 * Asks one address for the first page of a name; null when it does not answer. Any certificate will
 * do.
 */
export async function firstPage(
  guard: Pick<Guard, "dial">,
  target: PageTarget,
  signal: AbortSignal,
): Promise<FirstPage | null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const { address: host, port, hostname } = target;
  const options = { host, port, signal: limited, connectTimeoutMs: timeoutMs };
  const dialled = await guard.dial(options).catch(() => null);
  if (dialled === null) return null;
  try {
    const tls = target.isTls
      ? connectTls({
          socket: dialled.socket,
          servername: hostname ?? "",
          rejectUnauthorized: false,
        })
      : null;
    tls?.on("error", () => undefined);
    if (tls !== null) await once(tls, "secureConnect", { signal: limited });
    const fingerprint = normalizeFingerprint(tls?.getPeerX509Certificate()?.fingerprint256);
    const socket = tls ?? dialled.socket;
    const sent = request({
      createConnection: () => socket,
      headers: {
        host: hostname ?? hostHeader(host, port),
        "user-agent": "mooring",
        connection: "close",
      },
      path: "/",
      signal: limited,
    });
    sent.end();
    const [response] = (await once(sent, "response", { signal: limited })) as [IncomingMessage];
    response.destroy();
    return {
      status: response.statusCode ?? 0,
      location: response.headers.location ?? null,
      fingerprint,
      headers: joinedHeaders(response),
    };
  } catch {
    return null; // closed, no TLS, no HTTP, or too slow: for a browser it does not answer
  } finally {
    dialled.socket.destroy();
  }
}

function normalizeFingerprint(text: string | undefined): string | null {
  return text === undefined ? null : text.replaceAll(":", "").toLowerCase();
}

function hostHeader(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

function joinedHeaders({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(headersDistinct);
  return Object.fromEntries(entries.map(([name, values]) => [name, (values ?? []).join("\n")]));
}
