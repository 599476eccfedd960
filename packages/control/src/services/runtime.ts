import type { Guard } from "@mooring/egress";
import type { Vault } from "@mooring/vault";
import type { Config } from "../config.ts";
import type { Batch } from "../db/engine/loader.ts";
import type { Database } from "../db/engine/pool.ts";
import type { Transactions } from "../db/engine/transaction.ts";
import type { ConnectionWithCertificate, ScopedId } from "../db/queries/connection-reads.ts";
import type { Clock } from "../domain/clock.ts";
import type { DomainConnectClient } from "../domain/domain-connect.ts";
import type { Plan } from "../domain/plan.ts";
import type { Logger } from "../log.ts";
import type { DnsView } from "./dns-view.ts";
import type { ProviderTraffic } from "./dns-write/traffic.ts";
import type { RecentDomainFacts } from "./domains/expiring-cache.ts";
import type { TokenKeys } from "./tokens/token-keys.ts";

/** What one process holds for all its verbs; made once in the composition root and passed down. */
export interface Runtime extends Transactions {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly plans: readonly Plan[];
  readonly tokenKeys: TokenKeys;
  /** Guarded outgoing HTTP. */
  readonly egress: Guard;
  /** The same for webhook receivers, whose owners may be let into private ranges. */
  readonly webhookEgress: Guard;
  readonly dns: DnsView;
  /** The DNS providers whose asynchronous Domain Connect flow this installation may use. */
  readonly domainConnectClients: readonly DomainConnectClient[];
  /** Connections that clients poll, read in batches. */
  readonly connections: Batch<ScopedId, ConnectionWithCertificate>;
  /** The rate limits of calls to DNS providers, and the zones that they listed recently. */
  readonly providerTraffic: ProviderTraffic;
  /** What checks of domains have read recently. */
  readonly domainFacts: RecentDomainFacts;
}
