import type { ProxiedChoice } from "../connections/front.ts";
import type { ProofMethod } from "../ownership/proof-methods.ts";
import type { Environment } from "../tenancy.ts";

export interface Application {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly name: string;
  /** Browser origins that may use this application's widget tokens. */
  readonly allowedOrigins: readonly string[];
  readonly recordTemplate: readonly TemplateRecord[];
  /** Where the edge proxies to; null until the tenant sets it. */
  readonly originUrl: string | null;
  readonly originHostHeader: "preserve" | "origin";
  /** All of them; the first is `originUrl`. */
  readonly origins: readonly Origin[];
  readonly originTls: OriginTls;
  readonly edge: StoredEdgeSettings;
  readonly brand: Brand | null;
  /** Whether customers may connect wildcards. */
  readonly wildcards: boolean;
  /** Whether names may stay behind a CDN that passes requests on to an edge. */
  readonly proxied: ProxiedChoice;
  /**
   * Whether what a customer's sign-in at their DNS provider gave is retained for their connection.
   */
  readonly keepOAuth: boolean;
  /** What may prove the ownership of a hostname; never empty. */
  readonly proofs: readonly ProofMethod[];
  readonly createdAt: Date;
}

/** How the application presents itself to its customers: in the widget, on the share page. */
export interface Brand {
  readonly name: string | null;
  readonly logoUrl: string | null;
  /** `#rrggbb` */
  readonly color: string | null;
  /** `https:` or `mailto:` */
  readonly supportUrl: string | null;
}

export interface Origin {
  readonly url: string;
  /** Its share of the requests; 0 takes some only while no other does. */
  readonly weight: number;
}

/** TLS to the origins, as PEM and names; the private key of the certificate is stored sealed. */
export interface OriginTls {
  readonly ca: string | null;
  readonly clientCertificate: string | null;
  readonly serverName: string | null;
  readonly verifyName: string | null;
}

export const defaultOriginTls: OriginTls = {
  ca: null,
  clientCertificate: null,
  serverName: null,
  verifyName: null,
};

/**
 * How the edge serves the application: the keys that are set. `services/edge-settings.ts` knows
 * them.
 */
export type StoredEdgeSettings = Readonly<Record<string, unknown>>;

/** A record with placeholders, as in `{{hostname}}`; see `record-template.ts`. */
export interface TemplateRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number | null;
  readonly priority: number | null;
}

/** A delegated DNS credential of an application, without its secret, which is stored sealed. */
export interface Credential {
  readonly id: string;
  readonly applicationId: string;
  readonly provider: string;
  readonly name: string;
  readonly zone: string | null;
  readonly last4: string;
  readonly lastUsedAt: Date | null;
  readonly lastError: string | null;
  /**
   * Whose it is, when a customer's sign-in gave it; null: for every connection of the application.
   */
  readonly connectionIds: readonly string[] | null;
  readonly createdAt: Date;
}
