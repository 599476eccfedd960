/** What the demo's process is told by its parent; nothing of it is secret. */
export interface DemoSettings {
  readonly host: string;
  readonly port: number;
  /** The API as browsers reach it. */
  readonly publicUrl: string;
  /** The API from this machine. */
  readonly apiUrl: string;
  readonly edgeAddress: string;
  readonly edgePort: number;
  /** The local CA's root, once it is there. */
  readonly rootFile: string;
  /** Where the demo keeps its key and the like, mode 600. */
  readonly stateFile: string;
}

const texts = ["host", "publicUrl", "apiUrl", "edgeAddress", "rootFile", "stateFile"] as const;
const numbers = ["port", "edgePort"] as const;

/** From the command line's argument; throws on anything but what the parent writes. */
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
