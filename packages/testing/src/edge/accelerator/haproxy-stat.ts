import type { AcceleratorPaths } from "../../../../edge/src/accelerator/paths.ts";
import { createRuntimeApi } from "../../../../edge/src/accelerator/runtime/runtime-api.ts";

/** One row of `show stat`: what a part of HAProxy has counted, by the names of its columns. */
export type StatRow = Readonly<Record<string, string>>;

export async function readStat({
  admin,
}: Pick<AcceleratorPaths, "admin">): Promise<readonly StatRow[]> {
  const [header = "", ...rows] = (await createRuntimeApi(admin).run("show stat")).split("\n");
  const names = header.replace("# ", "").split(",");
  return rows.filter(Boolean).map((row) => {
    const values = row.split(",");
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
  });
}
