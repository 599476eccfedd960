/**
 * Guarded outgoing connections. A URL chosen by somebody else is dialled only after every address of
 * its name has passed the policy, and the connection goes to exactly what was checked: one look-up
 * per attempt, no redirects, no proxies, and limits on time and size.
 */
export type { Agents } from "./agents.ts";
export type { Connect, Dial, Dialled, DialOptions, TlsOptions } from "./dial.ts";
export { EgressError, type EgressErrorKind } from "./egress-error.ts";
export { createGuard, type Guard, type GuardOptions } from "./guard.ts";
export type { EgressRequest, EgressResponse, Limits } from "./request.ts";
export type { CheckedAddress, CheckedResolver, Resolver } from "./policy.ts";
export { type SpecialPurpose, specialPurpose } from "./special-purpose.ts";
export type { Scheme, UrlRules } from "./policy.ts";
