/**
 * What proves ownership of a hostname, in this order where several do: its TXT record, a CNAME of
 * the name itself to the connection's target, or the CNAME that delegates validation.
 */
export const proofMethods = ["txt", "cname", "delegation"] as const;
export type ProofMethod = (typeof proofMethods)[number];

/** `import`, `trust_dns`: an operator has answered for it. */
export const ownershipMethods = [...proofMethods, "import", "trust_dns"] as const;
export type OwnershipMethod = (typeof ownershipMethods)[number];

export interface Ownership {
  readonly method: OwnershipMethod;
  readonly provenAt: Date;
}
