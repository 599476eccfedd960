import {
  createAnswerer,
  type RunningNameServer,
  startNameServer,
  type ValidationZone,
} from "@mooring/dns/lookup";
import {
  assertConfined,
  type Clock,
  type Listener,
  listen,
  repeatEvery,
  startDatabaseClock,
} from "@mooring/postgres";
import type { Log } from "../config/settings.ts";
import { openPool } from "../db/pool.ts";
import { validationChannel } from "../db/validation.ts";
import { startOperational } from "../metrics/operational.ts";
import { createNameServerRegistry } from "./metrics.ts";
import { createPublishedNames, type PublishedNames } from "./published-names.ts";

export interface NameServerParts {
  readonly zone: ValidationZone;
  readonly hosts: readonly string[];
  readonly port: number;
  /** Answers a second to one network; 0 for no limit. */
  readonly ratePerNetwork: number;
  /** Health and metrics; null for none. */
  readonly internal: { readonly host: string; readonly port: number } | null;
  readonly databaseUrl: string;
  /** `host:port` of a pooler in front of the database; null for none. */
  readonly databasePooler?: string | null;
  readonly log: Log;
  readonly clock?: Clock;
}

const role = "mooring_dns";
const connections = 2;
/**
 * The floor under notifications: a value shows, and a removed one is gone, within this and a read.
 */
const pollMs = 500;

/** Starts a name server of the validation zone. It reads what is public now and nothing else. */
export async function startValidationServer(parts: NameServerParts): Promise<RunningNameServer> {
  const { log, databaseUrl, databasePooler: pooler = null } = parts;
  const onLost = (error: unknown): void => log.warn({ err: error }, "database connection lost");
  const pool = openPool(databaseUrl, onLost, { connections, role, pooler });
  const measured = await startDatabaseClock(pool, { log });
  const clock = parts.clock ?? measured;
  await assertConfined(pool);
  const onError = (error: unknown): void => log.warn({ err: error }, "validation names not read");
  const names = createPublishedNames(pool, clock, onError);
  await names.load();
  const server = await startNameServer({
    hosts: parts.hosts,
    port: parts.port,
    ratePerNetwork: parts.ratePerNetwork,
    answer: createAnswerer(parts.zone, names),
    onError: (error) => log.error({ err: error }, "name server socket failed"),
  });
  const subscription = subscribe(parts, names, onError);
  const poll = repeatEvery(pollMs, () => names.catchUp(), { onError });
  const registry = createNameServerRegistry(server.stats, () => names.size);
  const operational =
    parts.internal === null
      ? null
      : await startOperational(parts.internal, {
          health: () => ({ status: "ok", workers: 1, serving: 1 }),
          metricsText: () => registry.metrics(),
        });
  return {
    port: server.port,
    stats: server.stats,
    async close() {
      await Promise.all([server.close(), operational?.close()]);
      await poll.stop();
      await subscription.close();
      measured.stop();
      await pool.end();
    },
  };
}

function subscribe(
  { databaseUrl, log }: NameServerParts,
  names: PublishedNames,
  onError: (error: unknown) => void,
): Listener {
  return listen({
    url: databaseUrl,
    channels: [validationChannel],
    applicationName: "mooring_dns_listen",
    role,
    onNotification: (_channel, label) => names.changed(label),
    onConnected: () => void names.catchUp().catch(onError),
    onError: (error) => log.warn({ err: error }, "notifications interrupted, polling instead"),
  });
}
