import type { TLSSocket } from "node:tls";

/** Node's own object behind a TLS socket. */
interface NativeTls {
  setOCSPResponse(response: Buffer): void;
}

/**
 * Gives a server's new socket the response to send if its client asks for one. Node's event for
 * this belongs to its TLS server, which the edge does not use, and suspends the handshake; the call
 * behind it takes the response beforehand.
 */
export function setStaple(socket: TLSSocket, response: Buffer): void {
  const { _handle: native } = socket as TLSSocket & { readonly _handle: NativeTls | null };
  // Null when the client has already disconnected.
  native?.setOCSPResponse(response);
}
