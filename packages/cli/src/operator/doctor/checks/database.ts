import { type DatabaseInfo, inspectDatabase, inspectRootKeys } from "@mooring/control";
import {
  type Config,
  ConfigError,
  databaseProblem,
  databaseUrl,
  parseDatabaseUrl,
} from "@mooring/control/settings";
import { type Finding, fail, ok, warn } from "./finding.ts";

const oldestServer = 15;
const newestServer = 18;
/**
 * Decisions use the time of the database, so a difference only confuses people who compare logs.
 */
const tolerableSkewMs = 2_000;

/** Every check of the database. The facts are for other checks. */
export async function checkDatabase(config: Config): Promise<{
  readonly facts: DatabaseInfo | null;
  readonly findings: readonly Finding[];
}> {
  if (config.edgeFeed === "nats" && config.databaseUrl === null) {
    const detail = "none: with EDGE_FEED=nats an edge needs no database";
    return { facts: null, findings: [ok("database", detail)] };
  }
  let url: string;
  try {
    url = databaseUrl(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = "run `npm start` once, or set DATABASE_URL";
    return { facts: null, findings: [fail("database", error.problems.join(" "), fix)] };
  }
  try {
    const facts = await inspectDatabase(url);
    const findings = [
      ok("database", `${parseDatabaseUrl(url).server} answers`),
      checkServerVersion(facts),
      checkSchema(facts),
      checkRoles(facts),
      checkClock(facts),
    ];
    return { facts, findings };
  } catch (error) {
    const found = databaseProblem(error, url);
    if (!found) throw error;
    const isOurs = config.databaseUrl === null && found.problem.startsWith("nothing listens");
    const fix = isOurs ? "the local database is down: run `npm start`" : found.fix;
    return { facts: null, findings: [fail("database", found.problem, fix)] };
  }
}

export function checkServerVersion({ version }: Pick<DatabaseInfo, "version">): Finding {
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

export function checkSchema({ schema }: Pick<DatabaseInfo, "schema">): Finding {
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

export function checkRoles({ roles, schema, user }: DatabaseInfo): Finding {
  const name = "roles";
  const missing = roles.filter((role) => !role.exists).map((role) => role.name);
  if (missing.length > 0) {
    const fix =
      schema.actual === 0
        ? "run `mooring migrate`"
        : `create role ${missing.join(", ")} nologin (the migrations had made them)`;
    return fail(name, `there is no role ${missing.join(", ")}`, fix);
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

export function checkClock({ skewMs }: Pick<DatabaseInfo, "skewMs">): Finding {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
  if (Math.abs(skewMs) <= tolerableSkewMs) return ok("clock", `${seconds} s from the database's`);
  const side = skewMs > 0 ? "behind" : "ahead of";
  return warn(
    "clock",
    `this machine's clock is ${seconds} s ${side} the database's, whose time is used`,
    "run a time service (NTP) on both machines",
  );
}

/** Whether the root key opens what this database has sealed. */
export function checkSecretKey(config: Config, facts: DatabaseInfo | null): Finding {
  const name = "secret_key";
  try {
    const found = inspectRootKeys(config, facts);
    switch (found.kind) {
      case "right":
        return ok(name, `${found.keyIds.join(", ")}: this database's`);
      case "wrong":
        return fail(
          name,
          found.problem,
          "restore SECRET_KEY (or DATA_DIR/secret-key) from a backup",
        );
      case "unproven":
        return ok(
          name,
          `${found.keyIds.join(", ")}: readable; nothing has been sealed with it yet`,
        );
      case "absent":
        return absentKey(name, facts);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = "write it as id:base64 with 32 bytes; `mooring secrets generate` makes one";
    return fail(name, error.problems.join("; "), fix);
  }
}

function absentKey(name: string, facts: DatabaseInfo | null): Finding {
  if (facts?.keyChecks && facts.keyChecks.length > 0) {
    const ids = facts.keyChecks.map((check) => check.keyId).join(", ");
    return fail(
      name,
      `there is no root key here, and this database is sealed under ${ids}`,
      `set SECRET_KEY to the one with ${ids}`,
    );
  }
  return warn(
    name,
    "there is no root key; the first start generates one into DATA_DIR",
    "for production: `mooring secrets generate`, and set SECRET_KEY to what it prints",
  );
}
