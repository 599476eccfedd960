import { type ApplicationEdge, readApplicationEdge } from "./application-edge.ts";

/** What a tenant has set for an application, as the database and the snapshot have it. */
export interface StoredApplication {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: "test" | "live";
  /** Null until the tenant has set it. */
  readonly originUrl: string | null;
  readonly originHostHeader: "preserve" | "origin";
  readonly edge: unknown;
}

/** What a tenant has set for an application; all its hosts share one object. */
export interface Application extends StoredApplication {
  readonly edge: ApplicationEdge;
}

export function toApplication(stored: StoredApplication): Application {
  return { ...stored, edge: readApplicationEdge(stored.edge) };
}
