import type { SecureContext } from "node:tls";
import type { Host } from "./host.ts";

/** Why a handshake gets no certificate; each is an alert and a closed connection, never a default. */
export type Refusal = "unavailable" | "overloaded" | "timeout";

/** Where handshakes and challenges get their answers; contexts are made by `createServerContext`. */
export interface CertificateSource {
  /** What `contextFor` would give from memory; null when it would have to look further. */
  atHand(host: Host): SecureContext | null;
  /**
   * The context for a known host: 1. memory, 2. database, 3. permission, 4. the row is woken and
   * the handshake waits, bounded in number and time. A context of an older epoch is never given.
   */
  contextFor(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal>;
  /** As `contextFor`, but only what was obtained before: a busy edge begins nothing new. */
  existing(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal>;
  /** The self-made certificate that answers a TLS-ALPN-01 challenge; null when none is open. */
  challengeContext(hostname: string): Promise<SecureContext | null>;
  /** The key authorization that answers an HTTP-01 challenge; null when none is open. */
  challengeResponse(hostname: string, token: string): Promise<string | null>;
}
