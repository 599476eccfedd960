import { type ApplicationEdge, readApplicationEdge } from "./application-edge.ts";
import { type Origin, type OriginTls, readOrigins, readOriginTls } from "./application-origins.ts";

/** What a tenant has set for an application, as the database and the snapshot have it. */
export interface StoredApplication {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: "test" | "live";
  /** Null until the tenant has set it. */
  readonly originUrl: string | null;
  readonly originHostHeader: "preserve" | "origin";
  readonly edge?: unknown;
  readonly origins?: unknown;
  readonly originTls?: unknown;
  /** The key of the certificate for the origins, sealed by the control plane. */
  readonly sealedClientKey?: string | null;
  /** The operator has suspended the tenant; absent in what an older release has stored. */
  readonly isSuspended?: boolean;
}

/** What a tenant has set for an application; all its hosts share one object. */
export interface Application extends StoredApplication {
  readonly edge: ApplicationEdge;
  /** The first is `originUrl`; none until the tenant has set it. */
  readonly origins: readonly Origin[];
  readonly originTls: OriginTls;
  readonly sealedClientKey: string | null;
  /** Its names are served by the maintenance page alone. */
  readonly isSuspended: boolean;
}

export function toApplication(stored: StoredApplication): Application {
  return {
    ...stored,
    edge: readApplicationEdge(stored.edge),
    origins: readOrigins(stored.originUrl, stored.origins),
    originTls: readOriginTls(stored.originTls),
    sealedClientKey: stored.sealedClientKey ?? null,
    isSuspended: stored.isSuspended ?? false,
  };
}
