import pg from "pg";

/**
 * Hears notifications on one dedicated connection, for as long as the process lives. A connection
 * that breaks, or goes silent behind a half-open path, is made anew; what was announced meanwhile
 * is lost, which is why every listener also polls.
 */
export interface Listener {
  close(): Promise<void>;
}

const probeEveryMs = 5_000;
const probeTimeoutMs = 5_000;
const retryMs = 1_000;

export function listen(options: {
  readonly url: string;
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  readonly onError: (error: unknown) => void;
}): Listener {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const again = (ms: number, work: () => Promise<void>): void => {
    if (isClosed) return;
    timer = setTimeout(() => void work(), ms);
    timer.unref();
  };

  const drop = async (): Promise<void> => {
    const old = client;
    client = null;
    await old?.end().catch(() => undefined); // it is broken already
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: "mooring_listen",
      connectionTimeoutMillis: probeTimeoutMs,
      query_timeout: probeTimeoutMs,
      keepAlive: true,
    });
    next.on("error", options.onError);
    next.on("notification", (message) => options.onNotification(message.payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(options.channel)}`);
      client = next;
      if (isClosed) return await drop();
      again(probeEveryMs, probe);
    } catch (error) {
      options.onError(error);
      next.end().catch(() => undefined); // never connected, or broken
      again(retryMs, connect);
    }
  };

  const probe = async (): Promise<void> => {
    try {
      await client?.query("select 1");
      again(probeEveryMs, probe);
    } catch (error) {
      options.onError(error);
      await drop();
      again(0, connect);
    }
  };

  void connect();
  return {
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await drop();
    },
  };
}
