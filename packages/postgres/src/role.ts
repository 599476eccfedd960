import type pg from "pg";

/**
 * Rejects when the role in effect is a superuser or bypasses row level security: FORCE ROW LEVEL
 * SECURITY protects nothing against such a role. When the role cannot be read, it rejects too,
 * unless `onUnreachable` is set, for a process that starts without the database.
 */
export async function assertConfined(
  pool: Pick<pg.Pool, "query">,
  options: { readonly onUnreachable?: (error: unknown) => void } = {},
): Promise<void> {
  const result = await readRole(pool).catch((error: unknown) => {
    if (options.onUnreachable === undefined) throw error;
    options.onUnreachable(error);
    return null;
  });
  if (result === null) return;
  const role = result.rows[0];
  if (!role || role.super || role.bypass) {
    throw new Error(
      `the database role in effect (${role?.name ?? "unknown"}) is not bound by row security; refusing to start`,
    );
  }
}

function readRole(pool: Pick<pg.Pool, "query">) {
  return pool.query<{ name: string; super: boolean; bypass: boolean }>(
    "select rolname as name, rolsuper as super, rolbypassrls as bypass from pg_roles where rolname = current_user",
  );
}
