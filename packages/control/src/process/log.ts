import { type DestinationStream, type Logger as Pino, pino, stdTimeFunctions } from "pino";

export type Logger = Pino;

/**
 * Secrets with a recognisable shape are cut from the finished line, in whichever field they are.
 * Nothing should log them; this is the safety net.
 */
const shapes: readonly RegExp[] = [
  /[srp]k_(?:test|live)_[0-9A-Za-z]{16,}/g,
  /whsec_[A-Za-z0-9+/=_-]{16,}/g,
  /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /(postgres(?:ql)?:\/\/[^:@/\s"]+:)[^@\s"]+@/g,
];

export function redact(line: string): string {
  let clean = line;
  for (const shape of shapes) {
    clean = clean.replace(shape, (_match, prefix: unknown) =>
      typeof prefix === "string" ? `${prefix}[redacted]@` : "[redacted]",
    );
  }
  return clean;
}

/** JSON lines; pretty on a terminal. `destination` is for tests that read what was logged. */
export function createLogger(options: {
  readonly level: string;
  readonly name: string;
  readonly destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { process: options.name },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    hooks: { streamWrite: redact },
  };
  if (options.destination) return pino(settings, options.destination);
  if (process.stdout.isTTY) {
    return pino({
      ...settings,
      transport: { target: "pino-pretty", options: { ignore: "process,pid" } },
    });
  }
  return pino(settings);
}

/** Name, code, message and stack only: driver errors carry row values in their other fields. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}
