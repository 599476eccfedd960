import type { KeyObject } from "node:crypto";
import type { Guard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { Config } from "../config/config.ts";
import type { Loader } from "../db/engine/loader.ts";
import type { Database } from "../db/engine/pool.ts";
import type { Transactions } from "../db/engine/transaction.ts";
import type { ConnectionPageRequest } from "../db/queries/connections/connection-pages.ts";
import type { ConnectionSummary } from "../db/queries/connections/connection-summary.ts";
import type {
  ConnectionWithCertificate,
  ScopedId,
} from "../db/queries/connections/read-connections.ts";
import type { Page } from "../db/queries/page.ts";
import type { Application } from "../domain/applications/application.ts";
import type { Plan } from "../domain/billing/plan.ts";
import type { ShownCertificate } from "../domain/certificates/certificate.ts";
import type { Connection } from "../domain/connections/connection.ts";
import type { ListedConnection } from "../domain/connections/listed-connection.ts";
import type { DomainConnectClient } from "../domain/domain-connect/domain-connect.ts";
import type { Registration } from "../domain/registrations/registration.ts";
import type { Logger } from "../process/log.ts";
import type { DnsView } from "./dns-view.ts";
import type { ProviderTraffic } from "./dns-write/traffic.ts";
import type { EdgeTargets } from "./edge-targets.ts";
import type { ExpiringCache, RecentDomainFacts } from "./expiring-cache.ts";
import type { TokenKeys } from "./operator/signing-keys.ts";

/**
 * What one process shares among all its verbs; created once in the composition root and passed
 * down.
 */
export interface Runtime extends Transactions {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  /** Tells this process from others; random at its start. */
  readonly instance: string;
  readonly log: Logger;
  readonly plans: readonly Plan[];
  readonly tokenKeys: TokenKeys;
  /** Guarded outgoing HTTP. */
  readonly egress: Guard;
  /** Guarded outgoing HTTP to webhook receivers, which may be allowed in private address ranges. */
  readonly webhookEgress: Guard;
  readonly dns: DnsView;
  /** Whether connections can have targets of their own. */
  readonly targets: EdgeTargets;
  /** The DNS providers whose asynchronous Domain Connect flow this installation may use. */
  readonly domainConnectClients: readonly DomainConnectClient[];
  /** Connections that clients poll; reads that arrive together share a round trip. */
  readonly connections: Loader<ScopedId, ConnectionWithCertificate>;
  /** Applications and certificates of connections that are being checked, likewise. */
  readonly applications: Loader<string, Application>;
  readonly certificates: Loader<Pick<Connection, "id" | "hostname">, ShownCertificate>;
  /** Pages of lists of connections, likewise. */
  readonly connectionPages: Loader<ConnectionPageRequest, Page<ListedConnection>>;
  /** What registries last said, by registered domain, likewise. */
  readonly registrations: Loader<string, Registration>;
  /** Limits calls to DNS providers, and caches their recent answers. */
  readonly providerTraffic: ProviderTraffic;
  /** The key that authenticates list cursors, by root key id; derived once. */
  readonly cursorKey: (rootKeyId: string) => KeyObject;
  /** Summaries that took long to count, by tenant and environment. */
  readonly summaries: ExpiringCache<ConnectionSummary>;
  /** What checks of domains have read recently. */
  readonly domainFacts: RecentDomainFacts;
}
