/** The edge plane: certificates on demand by ACME, and the X.509 it needs. */
export { AcmeError, type AcmeErrorKind } from "./acme/acme-error.ts";
export { type RenewalInfo, renewalTime } from "./acme/ari.ts";
export {
  type Authorization,
  type Challenge,
  type ChallengeType,
  HTTP_CHALLENGE_PATH,
} from "./acme/authorization.ts";
export type { Download, Revocation } from "./acme/certificate.ts";
export { type AcmeClient, type AcmeClientOptions, createAcmeClient } from "./acme/client.ts";
export type { Directory } from "./acme/directory.ts";
export type { ExternalAccount } from "./acme/jws.ts";
export type { Order, OrderWishes } from "./acme/order.ts";
export { type CertificateErrorCode, errorCodeOf, type Problem } from "./acme/problem.ts";
export { PRODUCTION_TIMINGS, type Timings } from "./acme/timings.ts";
export type { Clock } from "./clock.ts";
export { type Authority, createAuthority, issueLeaf } from "./x509/authority.ts";
export { type Chain, type Leaf, misfitOf, parseChain } from "./x509/chain.ts";
export { createCsr } from "./x509/csr.ts";
export { generateKey, keyFromPem, keyToPem } from "./x509/keys.ts";
export {
  ACME_TLS_ALPN,
  createTlsAlpnCertificate,
  type TlsAlpnCertificate,
} from "./x509/tls-alpn.ts";
