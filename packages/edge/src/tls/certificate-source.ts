import type { SecureContext } from "node:tls";
import type { Host } from "../hosts/host.ts";

/** Why a handshake gets no certificate; each becomes an alert and a closed connection. */
export type Refusal = "unavailable" | "overloaded" | "timeout";

/** What a handshake needs of certificates; `certificates/serve` implements it. */
export interface HandshakeCertificates {
  /** The context in memory; null when `contextFor` would have to ask the feed. */
  cached(host: Host): SecureContext | null;
  /**
   * The context for a known host: a stored certificate, or one that is ordered now and waited for,
   * bounded in number and time. Never a context of an older epoch.
   */
  contextFor(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal>;
  /** As `contextFor`, but only stored certificates: an overloaded edge starts no new order. */
  existing(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal>;
  /** The OCSP response to staple with the context; null when there is none. */
  staple(context: SecureContext): Buffer | null;
  /** The self-signed certificate for an open TLS-ALPN-01 challenge; null when none is open. */
  challengeContext(hostname: string): Promise<SecureContext | null>;
}
