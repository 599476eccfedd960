/** How processes get to the database and to the keys. */
export const accessDescriptions = {
  DATABASE_URL: {
    meaning:
      "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/name`. A primary and its standbys are a list, `postgres://user:password@one:5432,two:5432/name`: see [failover](operations.md#failover-of-the-database).",
    fallback: "the database of `serve all` and `npm start`, from `DATA_DIR`",
  },
  DATABASE_URL_API: {
    meaning:
      "The same server with a login for the API alone. `mooring migrate` makes the logins whose URLs it is given; see [logins](self-hosting.md#logins-and-keys-per-process). Likewise the next two.",
  },
  DATABASE_URL_WORKER: { meaning: "The login of the workers." },
  DATABASE_URL_EDGE: { meaning: "The login of the edges." },
  DATABASE_URL_DNS: { meaning: "The login of the name servers of the validation zone." },
  DATABASE_POOLER: {
    meaning:
      "`host:port` of a [PgBouncer](scale.md#pgbouncer) in transaction mode, in front of the server of `DATABASE_URL`. Statements go through it with the user and password of `DATABASE_URL`; migrations and LISTEN go to the server itself.",
  },
  SECRET_KEY: {
    meaning:
      "The root key that encrypts all sealed values; create one with `mooring secrets generate`. During a [rotation](operations.md#rotate-the-root-key) several, separated by commas: the first one seals.",
    fallback: "created in `DATA_DIR`; required in production",
  },
  SECRET_KEY_EDGE: {
    meaning:
      "The keys that an edge needs and no others, as `mooring secrets export --for edge` prints them. An edge with it needs no `SECRET_KEY`.",
  },
} as const;
