import { type DestinationStream, type Logger as Pino, pino, stdTimeFunctions } from "pino";

export type Logger = Pino;

/**
 * Secrets with a recognisable shape are cut from the finished line, in whichever field they are.
 * Nothing should log them; this is the safety net.
 */
const shapes: readonly (readonly [shape: RegExp, replacement: string])[] = [
  [/[srp]k_(?:test|live)_[0-9A-Za-z]{16,}/g, "[redacted]"],
  [/whsec_[A-Za-z0-9+/=_-]{16,}/g, "[redacted]"],
  [/eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, "[redacted]"],
  [/(postgres(?:ql)?:\/\/[^:@/\s"]+:)[^@\s"]+@/g, "$1[redacted]@"],
  // What comes back from a sign-in elsewhere, in an address (RFC 6749 §4.1.2).
  [
    /([?&"\s](?:code|state|code_verifier|client_secret|(?:id|access|refresh)_token)=)[^&\s"\\]{12,}/g,
    "$1[redacted]",
  ],
];

export function redact(line: string): string {
  return shapes.reduce((text, [shape, replacement]) => text.replace(shape, replacement), line);
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

/**
 * Name, code, message and stack only: driver errors carry row values in their other fields. Of what
 * is no error only text is logged: libraries throw and attach requests, answers and their queries.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: describeThrown(error) };
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { name: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  return `[${thrown.constructor?.name ?? "object"}]`;
}
