import { DatabaseSync } from "node:sqlite";

export interface Account {
  readonly id: string;
  readonly shop: string;
  readonly email: string;
  readonly password: string;
}

export interface Domain {
  readonly connection: string;
  readonly account: string;
  readonly hostname: string;
  readonly state: string;
  readonly problem: string | null;
  readonly sequence: number;
}

/** Everything that the product knows, in one SQLite file. */
export interface Store {
  addAccount(account: Account): boolean;
  accountOf(email: string): Account | null;
  accountById(id: string): Account | null;
  addSession(hash: string, account: string, expiresAt: number): void;
  accountOfSession(hash: string, now: number): Account | null;
  endSession(hash: string): void;
  /** Ignores what is older than what is stored: events may arrive twice and out of order. */
  putDomain(domain: Domain): void;
  domain(connection: string): Domain | null;
  domainsOf(account: string): readonly Domain[];
}

const schema = `
  create table if not exists accounts (
    id text primary key, shop text not null, email text not null unique, password text not null) strict;
  create table if not exists sessions (
    hash text primary key, account text not null references accounts (id), expires_at integer not null) strict;
  create table if not exists domains (
    connection text primary key, account text not null, hostname text not null, state text not null,
    problem text, sequence integer not null) strict;
  create index if not exists domains_account on domains (account);
`;

export function openStore(file: string): Store {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; pragma foreign_keys = on; ${schema}`);
  const one = <T>(sql: string, ...values: (string | number)[]): T | null =>
    (database.prepare(sql).get(...values) as T | undefined) ?? null;
  return {
    addAccount({ id, shop, email, password }) {
      const added = database
        .prepare("insert into accounts values (?, ?, ?, ?) on conflict (email) do nothing")
        .run(id, shop, email, password);
      return added.changes === 1;
    },
    accountOf: (email) => one("select * from accounts where email = ?", email),
    accountById: (id) => one("select * from accounts where id = ?", id),
    addSession(hash, account, expiresAt) {
      database.prepare("insert into sessions values (?, ?, ?)").run(hash, account, expiresAt);
    },
    accountOfSession: (hash, now) =>
      one(
        `select accounts.* from sessions join accounts on accounts.id = sessions.account
         where sessions.hash = ? and sessions.expires_at > ?`,
        hash,
        now,
      ),
    endSession(hash) {
      database.prepare("delete from sessions where hash = ?").run(hash);
    },
    putDomain({ connection, account, hostname, state, problem, sequence }) {
      database
        .prepare(
          `insert into domains values (?, ?, ?, ?, ?, ?) on conflict (connection) do update
           set account = excluded.account, state = excluded.state, problem = excluded.problem,
             sequence = excluded.sequence
           where excluded.sequence > domains.sequence`,
        )
        .run(connection, account, hostname, state, problem, sequence);
    },
    domain: (connection) => one("select * from domains where connection = ?", connection),
    domainsOf: (account) =>
      database
        .prepare(
          "select * from domains where account = ? and state <> 'archived' order by hostname",
        )
        .all(account) as unknown as readonly Domain[],
  };
}
