import { randomUUID } from "node:crypto";
import type { Resolver } from "@mooring/dns";
import { createGuard, type Guard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import { assertConfined, startDatabaseClock } from "@mooring/postgres";
import { createVault } from "@mooring/vault";
import type { Config } from "../config/config.ts";
import { loadDomainConnectClients, loadPlans } from "../config/files.ts";
import { loadRootKeys } from "../config/root-keys.ts";
import { firstConnection } from "../db/engine/first-connection.ts";
import { type DatabaseRole, openDatabase } from "../db/engine/pool.ts";
import { applicationLoader } from "../db/queries/applications/applications.ts";
import { certificateLoader } from "../db/queries/certificates/certificates.ts";
import { connectionPageLoader } from "../db/queries/connections/connection-pages.ts";
import { connectionLoader } from "../db/queries/connections/read-connections.ts";
import { registrationLoader } from "../db/queries/registrations/registrations.ts";
import { createDnsView } from "../services/dns-view.ts";
import { createProviderTraffic } from "../services/dns-write/traffic.ts";
import { createEdgeTargets } from "../services/edge-targets.ts";
import { createExpiringCache, createRecentDomainFacts } from "../services/expiring-cache.ts";
import { checkRootKeys } from "../services/operator/check-root-keys.ts";
import { createTokenKeys } from "../services/operator/signing-keys.ts";
import { createCursorKey } from "../services/paging.ts";
import type { Runtime } from "../services/runtime.ts";
import { createLogger, type Logger } from "./log.ts";

/** What tests replace. */
export interface RuntimeOptions {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Instead of the DNS of the network; sandbox names are not resolved with it. */
  readonly resolver?: Resolver;
  /** Instead of the guard for requests to DNS providers. */
  readonly egress?: Guard;
  /** Instead of the guard for requests to webhook receivers. */
  readonly webhookEgress?: Guard;
}

interface ProcessOptions extends RuntimeOptions {
  readonly url: string;
  readonly role: DatabaseRole;
  readonly name: string;
  /** How many processes share what DNS servers may be asked; 1 by default. */
  readonly processes?: () => number;
}

export interface OpenedRuntime {
  readonly runtime: Runtime;
  close(): Promise<void>;
}

/** Opens and checks what all parts of a process share: database role, keys, plans, clock. */
export async function openRuntime(config: Config, options: ProcessOptions): Promise<OpenedRuntime> {
  const log = options.log ?? createLogger({ level: config.logLevel, name: options.name });
  const vault = createVault(loadRootKeys(config));
  const plans = loadPlans(config);
  const domainConnectClients = loadDomainConnectClients(config);
  const database = openDatabase({
    url: options.url,
    role: options.role,
    pooler: config.databasePooler,
    onError: (error) => log.warn({ err: error }, "idle database connection lost"),
  });
  try {
    const { tenant, system, transaction } = database;
    await firstConnection(database.pool);
    await assertConfined(database.pool);
    const measured = options.clock ? null : await startDatabaseClock(database.pool, { log });
    const clock = options.clock ?? measured;
    if (!clock) throw new Error("no clock");
    // An operator's verbs seal nothing, and must work from a shell without the keys.
    if (options.role !== "mooring_operator") await checkRootKeys({ clock, transaction, vault });
    const tokenKeys = createTokenKeys({ clock, database, transaction, vault });
    const outgoing = { allow: config.egressAllow, nameServers: config.egressResolvers };
    const egress = options.egress ?? createGuard(outgoing);
    const webhookEgress =
      options.webhookEgress ??
      createGuard({ ...outgoing, allowPrivate: config.webhookAllowPrivate });
    const { resolver, processes } = options;
    const dns = createDnsView({ config, database, clock, egress, resolver, processes });
    return {
      runtime: {
        config,
        database,
        tenant,
        system,
        transaction,
        clock,
        vault,
        instance: randomUUID(),
        log,
        plans,
        tokenKeys,
        egress,
        webhookEgress,
        dns,
        targets: createEdgeTargets({ config, dns, clock, log }),
        domainConnectClients,
        connections: connectionLoader(database),
        registrations: registrationLoader(database),
        applications: applicationLoader(database),
        certificates: certificateLoader(database),
        connectionPages: connectionPageLoader(database),
        providerTraffic: createProviderTraffic(),
        cursorKey: createCursorKey(vault),
        summaries: createExpiringCache({ maxEntries: 1_000, nowMs: () => performance.now() }),
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
