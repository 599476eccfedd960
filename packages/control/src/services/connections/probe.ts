import { once } from "node:events";
import type { Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import type { Guard } from "@mooring/egress";
import type { Probe } from "../../domain/probe.ts";
import { readPeer } from "./peer-certificate.ts";

export interface ProbeTarget {
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly port: number;
  /** Roots to trust, in PEM; Node's own when undefined. */
  readonly ca: readonly string[] | undefined;
  readonly now: Date;
}

const connectTimeoutMs = 3_000;

/**
 * Connects to each address with the hostname as SNI. Valid when every address that answers shows a
 * certificate that a browser would take: trusted chain, this very name, not expired.
 */
export async function probeCertificate(
  guard: Pick<Guard, "dial">,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<Probe> {
  const seen = await Promise.all(
    target.addresses.map((address) => probeAddress(guard, target, address, signal)),
  );
  return (
    seen.find(({ outcome }) => outcome === "invalid") ??
    seen.find(({ outcome }) => outcome === "valid") ?? { outcome: "unknown" }
  );
}

async function probeAddress(
  guard: Pick<Guard, "dial">,
  target: ProbeTarget,
  address: string,
  signal: AbortSignal,
): Promise<Probe> {
  const { port } = target;
  const dialled = await guard
    .dial({ host: address, port, signal, connectTimeoutMs })
    // Unreachable, refused by the guard, or over time: nothing was seen there.
    .catch(() => null);
  if (dialled === null) return { outcome: "unknown" };
  try {
    const secured = await greet(dialled.socket, target, signal);
    return readPeer(secured.getPeerX509Certificate(), target);
  } catch (error) {
    // An edge that is still obtaining the certificate keeps the handshake waiting.
    if (signal.aborted) return { outcome: "unknown" };
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { outcome: "invalid", reason: code };
  } finally {
    dialled.socket.destroy();
  }
}

async function greet(
  socket: Socket,
  { hostname, ca }: ProbeTarget,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connect({
    socket,
    servername: hostname,
    ALPNProtocols: ["h2", "http/1.1"],
    // Said aloud because an environment variable can change the default.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca: [...ca] }),
  });
  // After the wait below nobody listens for errors any more; the socket is destroyed then.
  secured.on("error", () => undefined);
  await once(secured, "secureConnect", { signal });
  return secured;
}
