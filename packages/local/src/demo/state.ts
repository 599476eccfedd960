import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";

/** What the demo's process gets from its parent; nothing of it is secret. */
export interface DemoSettings {
  readonly host: string;
  readonly port: number;
  /** The address of the API for browsers. */
  readonly publicUrl: string;
  /** The address of the API from this machine. */
  readonly apiUrl: string;
  readonly edgeAddress: string;
  readonly edgePort: number;
  /** The file with the root of the local CA, once it exists. */
  readonly rootFile: string;
  /** The file of `DemoState`, mode 600. */
  readonly stateFile: string;
}

const texts = ["host", "publicUrl", "apiUrl", "edgeAddress", "rootFile", "stateFile"] as const;
const numbers = ["port", "edgePort"] as const;

/** Parses the command-line argument that the parent writes; throws on anything else. */
export function parseSettings(argument: string | undefined): DemoSettings {
  const value: unknown = JSON.parse(argument ?? "null");
  if (!isSettings(value)) throw new TypeError("the demo is started by `npm start`");
  return value;
}

function isSettings(value: unknown): value is DemoSettings {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return (
    texts.every((name) => typeof fields.get(name) === "string") &&
    numbers.every((name) => typeof fields.get(name) === "number")
  );
}

/** What the demo stores between starts. The parent creates the key, the demo everything else. */
export interface DemoState {
  readonly tenantId: string;
  readonly key: string;
  readonly applicationId: string | null;
  readonly endpointId: string | null;
  readonly signingSecret: string | null;
  /** The port in the URLs of the application and the endpoint. */
  readonly port: number | null;
}

/** A state in which everything has been created. */
export interface ReadyState extends DemoState {
  readonly applicationId: string;
  readonly signingSecret: string;
}

/** Null when the file is absent or damaged; the demo then starts without state. */
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

/** Replaces the file in one step; only its owner may read it. */
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
