/** A hostname that is held by a connection, with what an edge needs to serve it. */
export interface Host {
  /** Lower-case A-label, no trailing dot. */
  readonly hostname: string;
  /** Grows with every claim of the name: what was made for an older one is not this one's. */
  readonly epoch: number;
  readonly environment: "test" | "live";
  readonly connectionId: string;
  readonly applicationId: string;
  readonly tenantId: string;
  readonly registrableDomain: string;
  /** Null until the tenant has said where its product is. */
  readonly originUrl: string | null;
  readonly originHostHeader: "preserve" | "origin";
}

/** The known hosts, in memory. An unknown name costs no query. */
export interface HostTable {
  /** Null for a name that nobody holds. Asked on every handshake and again on every request. */
  get(hostname: string): Host | null;
  readonly size: number;
}
