import type { Database } from "./pool.ts";
import { translateDatabaseError } from "./transaction.ts";

/** The local CA's root, in PEM; null before an edge has made one. */
export async function selectLocalRoot(database: Database): Promise<string | null> {
  const { rows } = await database.pool
    .query<{ certificate: string }>("select certificate from local_ca where id = 1")
    .catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
  return rows[0]?.certificate ?? null;
}
