import type pg from "pg";

/**
 * Rejects when the role in effect is a superuser or bypasses row level security: FORCE ROW LEVEL
 * SECURITY protects nothing against such a role.
 */
export async function assertConfined(pool: Pick<pg.Pool, "query">): Promise<void> {
  const { rows } = await pool.query<{ name: string; super: boolean; bypass: boolean }>(
    "select rolname as name, rolsuper as super, rolbypassrls as bypass from pg_roles where rolname = current_user",
  );
  const role = rows[0];
  if (!role || role.super || role.bypass) {
    throw new Error(
      `the database role in effect (${role?.name ?? "unknown"}) is not bound by row security; refusing to start`,
    );
  }
}
