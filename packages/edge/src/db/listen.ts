import pg from "pg";

export interface Listener {
  close(): Promise<void>;
}

const probeEveryMs = 5_000;
const timeoutMs = 5_000;
const retryMs = 1_000;

/**
 * Hears several channels on one dedicated connection that is made anew when it breaks or falls
 * silent. `onConnected` runs after each connect: what was announced in between has been missed.
 */
export function listen(options: {
  readonly url: string;
  readonly channels: readonly string[];
  readonly onNotification: (channel: string, payload: string) => void;
  readonly onConnected: () => void;
  readonly onError: (error: unknown) => void;
}): Listener {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const next = (ms: number, step: () => Promise<void>): void => {
    if (isClosed) return;
    timer = setTimeout(() => void step(), ms);
  };

  const open = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: "mooring_edge_listen",
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      options: "-c role=mooring_edge",
    });
    fresh.on("error", options.onError);
    fresh.on("notification", ({ channel, payload }) =>
      options.onNotification(channel, payload ?? ""),
    );
    await fresh.connect();
    for (const channel of options.channels)
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    return fresh;
  };

  const connect = async (): Promise<void> => {
    try {
      client = await open();
      options.onConnected();
      next(probeEveryMs, probe);
    } catch (error) {
      options.onError(error);
      next(retryMs, connect);
    }
  };

  const probe = async (): Promise<void> => {
    try {
      await client?.query("select 1");
      next(probeEveryMs, probe);
    } catch (error) {
      options.onError(error);
      client?.end().catch(() => undefined); // broken already
      client = null;
      next(0, connect);
    }
  };

  void connect();
  return {
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => undefined); // going away either way
    },
  };
}
