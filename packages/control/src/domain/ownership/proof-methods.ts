/**
 * What proves ownership of a hostname, in this order where several do: its TXT record, a CNAME of
 * the name itself to the connection's target, or the CNAME that delegates validation.
 */
export const proofMethods = ["txt", "cname", "delegation"] as const;
export type ProofMethod = (typeof proofMethods)[number];

/**
 * An operator has answered for a name that leads to us: `import` with its certificate and key in
 * hand, `trust_dns` without.
 */
export const ownershipMethods = [...proofMethods, "import", "trust_dns"] as const;
export type OwnershipMethod = (typeof ownershipMethods)[number];

export interface Ownership {
  readonly method: OwnershipMethod;
  readonly provenAt: Date;
}
