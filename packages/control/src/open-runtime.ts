import type { Resolver } from "@mooring/dns";
import { createGuard, type Guard } from "@mooring/egress";
import { assertConfined, startDatabaseClock } from "@mooring/postgres";
import { createVault } from "@mooring/vault";
import type { Config } from "./config.ts";
import { type DatabaseRole, openDatabase } from "./db/engine/pool.ts";
import { connectionReader } from "./db/queries/connection-reads.ts";
import type { Clock } from "./domain/clock.ts";
import { loadDomainConnectClients } from "./domain-connect-clients-file.ts";
import { createLogger, type Logger } from "./log.ts";
import { loadPlans } from "./plans-file.ts";
import { loadRootKeys } from "./root-keys.ts";
import { createDnsView } from "./services/dns-view.ts";
import { createProviderTraffic } from "./services/dns-write/traffic.ts";
import { createRecentDomainFacts } from "./services/domains/expiring-cache.ts";
import { checkRootKeys } from "./services/operator/check-root-keys.ts";
import type { Runtime } from "./services/runtime.ts";
import { createTokenKeys } from "./services/tokens/token-keys.ts";

/** What tests put in place of the real thing. */
export interface RuntimeOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Stands in for DNS as the network has it; sandbox names are not asked of it. */
  readonly resolver?: Resolver;
  /** Stands in for the way out to DNS providers. */
  readonly egress?: Guard;
  /** Stands in for the way out to receivers of webhooks. */
  readonly webhookEgress?: Guard;
}

export interface OpenedRuntime {
  readonly runtime: Runtime;
  close(): Promise<void>;
}

/** Everything a process shares, opened and checked: database role, keys, plans, clock. */
export async function openRuntime(
  config: Config,
  options: RuntimeOptions & {
    readonly url: string;
    readonly role: DatabaseRole;
    readonly name: string;
  },
): Promise<OpenedRuntime> {
  const log = options.log ?? createLogger({ level: config.LOG_LEVEL, name: options.name });
  const vault = createVault(loadRootKeys(config));
  const plans = loadPlans(config);
  const domainConnectClients = loadDomainConnectClients(config);
  const database = openDatabase({
    url: options.url,
    role: options.role,
    onError: (error) => log.warn({ err: error }, "idle database connection lost"),
  });
  try {
    const { tenant, system, transaction } = database;
    await assertConfined(database.pool);
    const measured = options.clock ? null : await startDatabaseClock(database.pool);
    const clock = options.clock ?? measured;
    if (!clock) throw new Error("no clock");
    // An operator's verbs seal nothing, and must work from a shell that has not got the keys.
    if (options.role !== "mooring_operator") await checkRootKeys({ clock, transaction, vault });
    const tokenKeys = createTokenKeys({ clock, database, transaction, vault });
    const egress = options.egress ?? createGuard({ allow: config.EGRESS_ALLOW });
    const webhookEgress =
      options.webhookEgress ??
      createGuard({ allow: config.EGRESS_ALLOW, allowPrivate: config.WEBHOOK_ALLOW_PRIVATE });
    const dns = createDnsView({ config, database, clock, egress, resolver: options.resolver });
    return {
      runtime: {
        config,
        database,
        tenant,
        system,
        transaction,
        clock,
        vault,
        log,
        plans,
        tokenKeys,
        egress,
        webhookEgress,
        dns,
        domainConnectClients,
        connections: connectionReader(database),
        providerTraffic: createProviderTraffic(),
        domainFacts: createRecentDomainFacts(clock),
      },
      async close() {
        measured?.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
