import { type DatabaseFacts, inspectDatabase } from "@mooring/control";
import { type Config, ConfigError, databaseProblem, databaseUrl } from "@mooring/control/settings";
import { type Finding, fail, ok, warn } from "./finding.ts";

const oldestServer = 15;
const newestServer = 18;
/** Time is taken from the database, so a difference only misleads people who compare logs. */
const tolerableSkewMs = 2_000;

/** Everything that is asked of the database; the facts serve other checks too. */
export async function checkDatabase(config: Config): Promise<{
  readonly facts: DatabaseFacts | null;
  readonly findings: readonly Finding[];
}> {
  let url: string;
  try {
    url = databaseUrl(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = "run `npm start` once, or set DATABASE_URL";
    return { facts: null, findings: [fail("database", error.problems.join(" "), mend)] };
  }
  try {
    const facts = await inspectDatabase(url);
    const findings = [
      ok("database", `${new URL(url).host} answers`),
      checkServerVersion(facts),
      checkSchema(facts),
      checkRoles(facts),
      checkClock(facts),
    ];
    return { facts, findings };
  } catch (error) {
    const found = databaseProblem(error, url);
    if (!found) throw error;
    const isOurs = config.DATABASE_URL === null && found.problem.startsWith("nothing listens");
    const mend = isOurs ? "the local database is down: run `npm start`" : found.mend;
    return { facts: null, findings: [fail("database", found.problem, mend)] };
  }
}

export function checkServerVersion({ version }: Pick<DatabaseFacts, "version">): Finding {
  const name = "server_version";
  if (version < oldestServer) {
    return fail(
      name,
      `PostgreSQL ${version} is too old`,
      `use PostgreSQL ${oldestServer} or newer`,
    );
  }
  if (version > newestServer) {
    return warn(
      name,
      `PostgreSQL ${version} is newer than any that this release was tested with`,
      `prefer PostgreSQL ${oldestServer} to ${newestServer}`,
    );
  }
  return ok(name, `PostgreSQL ${version}`);
}

export function checkSchema({ schema }: Pick<DatabaseFacts, "schema">): Finding {
  const { expected, actual } = schema;
  if (actual === expected) return ok("schema", `version ${actual}`);
  if (actual < expected) {
    const state = actual === 0 ? "the database is empty" : `the schema is at version ${actual}`;
    return fail("schema", `${state}, version ${expected} is needed`, "run `mooring migrate`");
  }
  return fail(
    "schema",
    `the schema is at version ${actual}, and this release knows ${expected}`,
    "a newer release has migrated this database: run that one",
  );
}

export function checkRoles({ roles, schema, user }: DatabaseFacts): Finding {
  const name = "roles";
  const missing = roles.filter((role) => !role.exists).map((role) => role.name);
  if (missing.length > 0) {
    const mend =
      schema.actual === 0
        ? "run `mooring migrate`"
        : `create role ${missing.join(", ")} nologin (the migrations had made them)`;
    return fail(name, `there is no role ${missing.join(", ")}`, mend);
  }
  const free = roles.filter((role) => !role.isConfined).map((role) => role.name);
  if (free.length > 0) {
    return fail(
      name,
      `row security does not bind ${free.join(", ")}: tenants would see each other`,
      free.map((role) => `alter role ${role} nosuperuser nobypassrls;`).join(" "),
    );
  }
  const withheld = roles.filter((role) => !role.isGranted).map((role) => role.name);
  if (withheld.length > 0) {
    return fail(
      name,
      `the user ${user} may not act as ${withheld.join(", ")}`,
      `grant ${withheld.join(", ")} to ${user};`,
    );
  }
  return ok(name, `bound by row security, and ${user} may act as each`);
}

export function checkClock({ skewMs }: Pick<DatabaseFacts, "skewMs">): Finding {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
  if (Math.abs(skewMs) <= tolerableSkewMs) return ok("clock", `${seconds} s from the database's`);
  const side = skewMs > 0 ? "behind" : "ahead of";
  return warn(
    "clock",
    `this machine's clock is ${seconds} s ${side} the database's, which is the one that counts`,
    "run a time service (NTP) on both machines",
  );
}
