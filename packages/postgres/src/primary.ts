import pg from "pg";
import { createServers, type Servers } from "./servers.ts";

/**
 * A standby reads only. Its code is that of a server that does not serve yet: it may be promoted
 * soon.
 */
export class StandbyError extends Error {
  readonly code = "57P03";

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    super(`${hostname}:${port || "5432"} is a standby, and no primary was found`);
  }
}

type ClientConstructor = new (config?: pg.ClientConfig) => pg.Client;

/**
 * A client of the server that is taken for the primary. It refuses a standby, also after a switch
 * of roles.
 */
export function primaryClient(servers: Servers): ClientConstructor {
  return class extends pg.Client {
    readonly #url: string;

    constructor(config?: pg.ClientConfig) {
      const url = servers.current();
      super({ ...config, connectionString: url });
      this.#url = url;
      // The driver's own signatures are overloads, which a class field can replace and a method
      // cannot.
      Object.assign(this, { connect: this.#connect.bind(this) });
    }

    #connect(callback?: (error: unknown) => void): Promise<void> | undefined {
      const connected = this.#connectPrimary();
      if (callback === undefined) return connected;
      connected.then(() => callback(null), callback);
      return undefined;
    }

    async #connectPrimary(): Promise<void> {
      try {
        await super.connect();
        const { rows } = await super.query<{ standby: boolean }>(
          "select pg_is_in_recovery() as standby",
        );
        if (rows[0]?.standby) throw new StandbyError(this.#url);
      } catch (error) {
        servers.fail(this.#url);
        super.end().catch(() => undefined); // never connected, or broken
        throw error;
      }
    }
  };
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: () => void,
) => void;

/** A pool whose connections go to the primary of several servers, wherever it moves. */
class PrimaryPool extends pg.Pool {
  readonly #servers: Servers;

  constructor(config: pg.PoolConfig, servers: Servers) {
    super({ ...config, Client: primaryClient(servers) });
    this.#servers = servers;
    const inherited = super.connect.bind(this) as () => Promise<pg.PoolClient>;
    const connect = (callback?: Connected): Promise<pg.PoolClient> | undefined => {
      const connected = this.#tryEach(inherited);
      if (callback === undefined) return connected;
      connected.then(
        (client) => callback(undefined, client, () => client.release()),
        (error: Error) => callback(error, undefined, () => undefined),
      );
      return undefined;
    };
    Object.assign(this, { connect });
  }

  /** A failure after which another server is taken for the primary is tried again there. */
  async #tryEach(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    for (let left = this.#servers.count; ; left -= 1) {
      const tried = this.#servers.current();
      try {
        return await connect();
      } catch (error) {
        if (left <= 1 || this.#servers.current() === tried) throw error;
      }
    }
  }
}

/** A pool of connections to the primary of the URL's servers. */
export function createPool(url: string, config: pg.PoolConfig): pg.Pool {
  const servers = createServers(url);
  if (servers.count === 1) return new pg.Pool({ ...config, connectionString: servers.current() });
  return new PrimaryPool(config, servers);
}

/** One connection to the primary of the URL's servers. The caller ends it. */
export async function connectPrimary(
  url: string,
  config: Omit<pg.ClientConfig, "connectionString"> = {},
): Promise<pg.Client> {
  const servers = createServers(url);
  const Client = servers.count === 1 ? pg.Client : primaryClient(servers);
  for (let left = servers.count; ; left -= 1) {
    const client = new Client({ ...config, connectionString: servers.current() });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (left <= 1) throw error;
    }
  }
}
