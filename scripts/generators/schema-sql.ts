import { createTemplate } from "@mooring/testing/database/database";
import { startDebianPostgres } from "@mooring/testing/database/postgres-debian";
import { migrate } from "../../packages/control/src/db/engine/migrate.ts";

/** The migrated schema as dumped by PostgreSQL 15, the oldest supported version. */
export async function schemaSql(): Promise<string> {
  const server = await startDebianPostgres(15);
  try {
    const name = await createTemplate(server.url, migrate);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const text = await server.pgDump(url.toString(), ["--schema-only", "--no-owner"]);
    // The versions of server and dump program differ between machines and are not part of the
    // schema.
    return text.replace(/^-- Dumped .*\n/gm, "");
  } finally {
    await server.stop();
  }
}
