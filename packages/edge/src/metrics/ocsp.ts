/**
 * What responders said about certificates, and why they said nothing: no answer, or one that cannot
 * be believed.
 */
export type OcspResult = "good" | "revoked" | "unknown" | "unreachable" | "invalid";

export type OcspStats = Record<OcspResult, number>;

export function createOcspStats(): OcspStats {
  return { good: 0, revoked: 0, unknown: 0, unreachable: 0, invalid: 0 };
}
