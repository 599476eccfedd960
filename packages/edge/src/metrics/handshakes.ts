import { TimeCounts } from "./histogram.ts";

/** Why a handshake was refused. */
export type HandshakeRefusal =
  | "malformed_hello"
  | "no_server_name"
  | "unknown_name"
  | "hello_timeout"
  | "handshake_failed"
  | "handshake_timeout"
  | "certificate_unavailable"
  | "parked_limit";

/** `challenge`: a TLS-ALPN-01 validation. `disconnected`: the client closed before the end. */
export type HandshakeResult =
  | HandshakeRefusal
  | "completed"
  | "resumed"
  | "challenge"
  | "disconnected";

/** From the accepted connection to the end of its handshake, by result. */
export type HandshakeTimes = Readonly<Record<HandshakeResult, TimeCounts>>;

export function createHandshakeTimes(): HandshakeTimes {
  return {
    completed: new TimeCounts(),
    resumed: new TimeCounts(),
    challenge: new TimeCounts(),
    disconnected: new TimeCounts(),
    malformed_hello: new TimeCounts(),
    no_server_name: new TimeCounts(),
    unknown_name: new TimeCounts(),
    hello_timeout: new TimeCounts(),
    handshake_failed: new TimeCounts(),
    handshake_timeout: new TimeCounts(),
    certificate_unavailable: new TimeCounts(),
    parked_limit: new TimeCounts(),
  };
}

/** A resumed handshake is a completed one; a label of its own distinguishes it. */
export function handshakeLabels(result: string): Readonly<Record<"result" | "resumed", string>> {
  const isResumed = result === "resumed";
  return { result: isResumed ? "completed" : result, resumed: String(isResumed) };
}
