/**
 * Guarded outgoing connections. A URL chosen by a customer is dialled only after every address of
 * its name has passed the policy, and the connection goes to exactly the checked addresses: one
 * check per attempt, no redirects, no proxies, and limits on time and size.
 */
export { parseAddress } from "./address.ts";
export type { Connect, Dial, Dialled, DialOptions, TlsOptions } from "./dial.ts";
export { createEdgeEndpoints, type EdgeEndpoints } from "./edge-endpoints.ts";
export {
  answerProbe,
  askProbe,
  deriveProbeKey,
  type ProbeListener,
  type ProbeOutcome,
  type ProbeQuestion,
  type ProbeReply,
  readProbeNonce,
} from "./edge-probe.ts";
export { EgressError, type EgressErrorKind } from "./egress-error.ts";
export { createGuard, type Guard, type GuardOptions, permitsAddress } from "./guard.ts";
export {
  checkOriginUrl,
  findOriginRefusal,
  findOriginUrlFault,
  type OriginUrl,
  parseOriginUrl,
} from "./origin-url.ts";
export {
  deriveOwnershipTokenKey,
  ownershipToken,
  ownershipTokenUrl,
  readOwnershipTokenId,
} from "./ownership-token.ts";
export type { CheckedAddress, CheckedResolver, Resolver, Scheme, UrlRules } from "./policy.ts";
export type { EgressRequest, EgressResponse, FetchRules, Limits } from "./request.ts";
export { TooManyNames } from "./resolve/cached-resolver.ts";
export { parseRetryAfter } from "./retry-after.ts";
export { type SpecialPurpose, specialPurpose } from "./special-purpose.ts";
