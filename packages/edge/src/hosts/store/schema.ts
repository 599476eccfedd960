import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Of the tables and of what is in their columns; a store of another version is made again. */
export const storeVersion = 3;

export const schema = `
  pragma user_version = ${storeVersion};
  create table hosts (hostname text primary key, value text not null, checksum integer not null,
    round integer not null) without rowid;
  create table applications (id text primary key, value text not null, checksum integer not null,
    round integer not null) without rowid;
  create table changes (sequence integer primary key, kind text not null, name text not null);
  create table state (number integer primary key check (number = 1), value text not null,
    checksum integer not null);
  create table filter (number integer primary key check (number = 1), sequence integer not null,
    bytes blob not null, checksum integer not null);`;

const statements = {
  state: "select value, checksum from state",
  saveState: "insert or replace into state (number, value, checksum) values (1, ?, ?)",
  host: "select value, checksum, round from hosts where hostname = ?",
  insertHost: "insert or ignore into hosts (hostname, value, checksum, round) values (?, ?, ?, ?)",
  updateHost: "update hosts set value = ?, checksum = ?, round = ? where hostname = ?",
  touchHost: "update hosts set round = ? where hostname = ?",
  deleteHost: "delete from hosts where hostname = ?",
  names: "select hostname from hosts where hostname > ? order by hostname limit ?",
  rounds: "select hostname, round from hosts where hostname > ? order by hostname limit ?",
  rows: "select hostname, value, checksum from hosts where hostname > ? order by hostname limit ?",
  application: "select value, checksum from applications where id = ?",
  putApplication:
    "insert or replace into applications (id, value, checksum, round) values (?, ?, ?, ?)",
  deleteApplication: "delete from applications where id = ?",
  oldApplications: "select id from applications where round <> ?",
  changes: "select sequence, kind, name from changes where sequence > ? order by sequence",
  log: "insert into changes (sequence, kind, name) values (?, ?, ?)",
  trim: "delete from changes where sequence <= ?",
  filter: "select sequence, bytes, checksum from filter",
  saveFilter:
    "insert or replace into filter (number, sequence, bytes, checksum) values (1, ?, ?, ?)",
} as const;

export type Statements = Readonly<Record<keyof typeof statements, StatementSync>>;

export function prepareStatements(database: DatabaseSync): Statements {
  const prepared = Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(prepared) as Statements;
}
