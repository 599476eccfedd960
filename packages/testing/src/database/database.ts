import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * Test databases: each test file gets its own copy of a migrated template, which takes tens of
 * milliseconds. The server comes from the test command, through the environment.
 */
export async function createTemplate(
  serverUrl: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<string> {
  // Faster; tests of crashes start their own servers.
  await onServer(serverUrl, "alter system set synchronous_commit = off");
  await onServer(serverUrl, "select pg_reload_conf()");
  const name = `template_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, `create database ${name}`);
  await migrate(databaseOn(serverUrl, name));
  return name;
}

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env["TEST_DATABASE_URL"];
  const template = process.env["TEST_TEMPLATE"];
  if (!serverUrl || !template) {
    throw new Error("tests with a database are run by `npm test -- <part of the file's path>`");
  }
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, `create database ${name} template ${template}`);
  return {
    url: databaseOn(serverUrl, name),
    name,
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** An empty database, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env["TEST_DATABASE_URL"] ?? "";
  const name = `empty_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, `create database ${name}`);
  return {
    url: databaseOn(serverUrl, name),
    name,
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
