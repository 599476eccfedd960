import { constants } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

/**
 * Forward secret and authenticated only. 128 bits come first: the strength is the same in practice,
 * and a handshake costs less with SHA-256, which processors have instructions for, than with SHA-384.
 */
const cipherSuites = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

/**
 * The context of one certificate, as every handshake needs it. No tickets, and Node keeps no store
 * for session ids: a resumed session would skip the choice of name, so none can be resumed.
 */
export function createServerContext(pair: {
  readonly cert: string;
  readonly key: string;
}): SecureContext {
  return createSecureContext({
    cert: pair.cert,
    key: pair.key,
    minVersion: "TLSv1.2",
    ciphers: cipherSuites,
    secureOptions:
      constants.SSL_OP_NO_TICKET |
      constants.SSL_OP_NO_RENEGOTIATION |
      constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
  });
}
