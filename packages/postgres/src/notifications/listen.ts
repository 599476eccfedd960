import pg from "pg";
import { primaryClient } from "../primary.ts";
import { createServers, type Servers } from "../servers.ts";

export interface Listener {
  close(): Promise<void>;
}

const probeEveryMs = 5_000;
const timeoutMs = 5_000;
const reconnectAfterMs = 1_000;

/**
 * Subscribes to NOTIFY channels on a dedicated connection. The connection is probed and replaced
 * when it breaks or stops answering. Notifications sent while it is down are lost: a caller polls
 * as well, or reads again in `onConnected`, which runs after every connect.
 */
export function listen(options: {
  readonly url: string;
  readonly channels: readonly string[];
  readonly applicationName: string;
  /** The role to act as; the user of the URL when absent. */
  readonly role?: string;
  readonly onNotification: (channel: string, payload: string) => void;
  readonly onConnected?: () => void;
  readonly onError: (error: unknown) => void;
}): Listener {
  const servers = createServers(options.url);
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const schedule = (ms: number, step: () => Promise<void>): void => {
    if (isClosed) return;
    timer = setTimeout(() => void step(), ms);
    timer.unref();
  };

  const disconnect = async (): Promise<void> => {
    const old = client;
    client = null;
    await old?.end().catch(() => undefined); // broken already
  };

  const connect = async (): Promise<void> => {
    const next = createClient(servers, options);
    try {
      await next.connect();
      for (const channel of options.channels) {
        await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      }
      client = next;
      if (isClosed) return await disconnect();
      options.onConnected?.();
      schedule(probeEveryMs, probe);
    } catch (error) {
      options.onError(error);
      next.end().catch(() => undefined); // never connected, or broken
      schedule(reconnectAfterMs, connect);
    }
  };

  const probe = async (): Promise<void> => {
    try {
      await client?.query("select 1");
      schedule(probeEveryMs, probe);
    } catch (error) {
      options.onError(error);
      await disconnect();
      schedule(0, connect);
    }
  };

  void connect();
  return {
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await disconnect();
    },
  };
}

function createClient(servers: Servers, options: Parameters<typeof listen>[0]): pg.Client {
  const Client = servers.count === 1 ? pg.Client : primaryClient(servers);
  const client = new Client({
    connectionString: servers.current(),
    application_name: options.applicationName,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
  });
  client.on("error", options.onError);
  client.on("notification", ({ channel, payload }) =>
    options.onNotification(channel, payload ?? ""),
  );
  return client;
}
