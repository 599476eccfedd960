import type { CompiledQuery } from "kysely";
import pg from "pg";
import type { TenantScope } from "../domain/tenancy.ts";
import type { Database } from "./engine/pool.ts";
import { translateDatabaseError } from "./engine/transaction.ts";

/**
 * Reads of one tenant in a single round trip: begin, scope, queries and commit as one message. The
 * simple protocol takes no parameters, so that values stand in the text, escaped by the driver.
 * For the paths that every client takes all the time; everything else uses `inTenant`.
 */
export async function readInTenant(
  database: Database,
  scope: TenantScope,
  queries: readonly CompiledQuery[],
): Promise<readonly (readonly Record<string, unknown>[])[]> {
  const text = [
    "begin read only",
    `set local app.tenant = ${pg.escapeLiteral(scope.tenantId)}`,
    `set local app.environment = ${pg.escapeLiteral(scope.environment)}`,
    ...queries.map(inline),
    "commit",
  ].join(";\n");
  const client = await database.pool.connect().catch((error: unknown) => {
    throw translateDatabaseError(error);
  });
  let broken: Error | undefined;
  try {
    // Several statements give several results, which the driver's types do not tell.
    const results = (await client.query(text)) as unknown as readonly pg.QueryResult[];
    return results.slice(3, -1).map((result) => result.rows);
  } catch (error) {
    // The transaction may be open and aborted; such a connection is not given back.
    broken = error instanceof Error ? error : new Error("read failed");
    throw translateDatabaseError(error);
  } finally {
    client.release(broken);
  }
}

/** Puts the values of a compiled query where its parameters stand. */
function inline({ sql, parameters }: CompiledQuery): string {
  return sql.replace(/\$(\d+)/g, (_whole, position: string) =>
    literal(parameters[Number(position) - 1]),
  );
}

function literal(value: unknown): string {
  if (typeof value === "string") return pg.escapeLiteral(value);
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (value instanceof Date) return `${pg.escapeLiteral(value.toISOString())}::timestamptz`;
  throw new TypeError("a value of this kind cannot stand in a statement's text");
}
