import { connectPrimary, parseServers } from "@mooring/postgres";
import type pg from "pg";

/** What the login of each process may act as: the roles that its statements use, and no other. */
export const loginRoles = {
  /** `mooring_worker` for verbs that cross tenants, such as a verify of a hostname that is held. */
  api: ["mooring_api", "mooring_worker"],
  worker: ["mooring_worker"],
  /** It has the login of the edges. */
  issuer: ["mooring_edge"],
  edge: ["mooring_edge"],
  dns: ["mooring_dns"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type LoginName = keyof typeof loginRoles;

const everyRole = [
  "mooring_api",
  "mooring_worker",
  "mooring_edge",
  "mooring_dns",
  "mooring_operator",
];

/**
 * Makes the login of a process as its URL says, or gives it that password and exactly these roles.
 * Needs a user that may create roles; safe to repeat.
 */
export async function provideLogin(ownerUrl: string, login: LoginName, url: string): Promise<void> {
  const { username, password } = new URL(parseServers(url)[0]);
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  if (secret === "") throw new Error(`the URL of the ${login}'s login has no password`);
  const client = await connectPrimary(ownerUrl, { application_name: "mooring_migrate" });
  try {
    await refuseOwner(client, name);
    const { rows } = await client.query<{ is_unbound: boolean }>(
      "select rolsuper or rolbypassrls as is_unbound from pg_roles where rolname = $1",
      [name],
    );
    // PostgreSQL 15 lets only a superuser name these attributes of a role that exists.
    if (rows[0]?.is_unbound) {
      await execute(client, "alter role %I nosuperuser nobypassrls", [name]);
    }
    const verb = rows.length === 0 ? "create" : "alter";
    await execute(client, `${verb} role %I login nocreaterole password %L`, [name, secret]);
    const granted: readonly string[] = loginRoles[login];
    for (const role of everyRole) {
      const statement = granted.includes(role) ? "grant %I to %I" : "revoke %I from %I";
      await execute(client, statement, [role, name]);
    }
  } finally {
    await client.end();
  }
}

/** Taking the owner's rights away from itself would end the service. */
async function refuseOwner(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>("select session_user as owner");
  if (name === "" || rows[0]?.owner === name) {
    throw new Error(`the login of a process must be another user than ${rows[0]?.owner}`);
  }
}

/** Names and passwords cannot be parameters of such statements; the server quotes them. */
async function execute(client: pg.Client, text: string, values: readonly string[]): Promise<void> {
  const placeholders = values.map((_, index) => `$${index + 2}::text`).join(", ");
  const { rows } = await client.query<{ statement: string }>(
    `select format($1, ${placeholders}) as statement`,
    [text, ...values],
  );
  await client.query(rows[0]?.statement ?? "");
}

export interface LoginFacts {
  readonly user: string;
  /** A superuser, or exempt from row security: it can read everything. */
  readonly isUnbound: boolean;
  /** The process roles that it may act as. */
  readonly roles: readonly string[];
  /** Tables with secrets that it can read, by its own rights or by a role that it may act as. */
  readonly secrets: readonly string[];
}

/** Where secrets are, sealed or hashed. */
const secretTables = [
  "acme_accounts",
  "api_keys",
  "certificates",
  "credentials",
  "domain_connect_grants",
  "domain_connect_keys",
  "local_ca",
  "signing_keys",
  "webhook_endpoints",
];

/** What a login could read; changes nothing. */
export async function inspectLogin(url: string): Promise<LoginFacts> {
  const client = await connectPrimary(url, { connectionTimeoutMillis: 5_000 });
  try {
    const { rows } = await client.query<LoginFacts>(
      `with mine as (select oid, rolname from pg_roles where pg_has_role(session_user, oid, 'MEMBER'))
       select session_user as user,
         exists (select from pg_roles where rolname = session_user and (rolsuper or rolbypassrls))
           as "isUnbound",
         array(select rolname::text from mine where rolname = any ($1) order by rolname) as roles,
         array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
           where n.nspname = 'public' and c.relname = any ($2)
             and exists (select from mine where has_table_privilege(mine.oid, c.oid, 'SELECT'))
           order by c.relname) as secrets`,
      [everyRole, secretTables],
    );
    const [facts] = rows;
    if (facts === undefined) throw new Error("the server did not say who is connected");
    return facts;
  } finally {
    await client.end();
  }
}
