import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** What the demo remembers between starts. The key is made before the first; the rest by the demo. */
export interface DemoState {
  readonly tenantId: string;
  readonly key: string;
  readonly applicationId: string | null;
  readonly endpointId: string | null;
  readonly signingSecret: string | null;
  /** The port that application and endpoint lead to. */
  readonly port: number | null;
}

/** Null when there is none, or none that can be read: the demo then begins anew. */
export async function readState(file: string): Promise<DemoState | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return isState(value) ? value : null;
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isAbsent || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whole or not at all; for nobody else's eyes. */
export async function writeState(file: string, state: DemoState): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

function isState(value: unknown): value is DemoState {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  const isTextOrNull = (name: string): boolean =>
    fields.get(name) === null || typeof fields.get(name) === "string";
  return (
    typeof fields.get("tenantId") === "string" &&
    typeof fields.get("key") === "string" &&
    ["applicationId", "endpointId", "signingSecret"].every(isTextOrNull) &&
    (fields.get("port") === null || typeof fields.get("port") === "number")
  );
}
