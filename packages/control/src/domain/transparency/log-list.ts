import { createPublicKey, hash, type KeyObject } from "node:crypto";

/** A log that is read, of the list that `CT_LOGS` names. */
export interface TransparencyLog {
  /** SHA-256 of its key, in lower-case hexadecimal. */
  readonly id: string;
  readonly description: string;
  readonly kind: "rfc6962" | "static";
  /** Where it is read, with a slash at the end. */
  readonly url: string;
  /** The first line of its checkpoints: the submission prefix without scheme and last slash. */
  readonly origin: string;
  readonly key: KeyObject;
  /** Certificates that end from then on are in another log of its operator; null without one. */
  readonly endsAt: Date | null;
}

export interface LogList {
  readonly logs: readonly TransparencyLog[];
  /** One line each, with the path in the file. */
  readonly problems: readonly string[];
}

/** Logs in one of these states have nothing to read; of the states of the list's schema. */
const unreadStates = ["pending", "retired", "rejected"];
const maxDescription = 100;

/**
 * Reads a list of logs in the form in which browsers publish theirs (log list v3): of each log its
 * key, its id and where it is read. Other fields are left alone. Every fault is named.
 */
export function parseLogList(text: string): LogList {
  const problems: string[] = [];
  const logs: TransparencyLog[] = [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return { logs, problems: ["is not JSON"] };
  }
  const operators = field(list, "operators");
  if (!Array.isArray(operators)) return { logs, problems: ["operators: expected a list"] };
  operators.forEach((operator, at) => {
    for (const kind of ["logs", "tiled_logs"] as const) {
      const listed = field(operator, kind) ?? [];
      const path = `operators[${at}].${kind}`;
      if (!Array.isArray(listed)) {
        problems.push(`${path}: expected a list`);
        continue;
      }
      listed.forEach((entry, index) => {
        if (unreadStates.some((state) => field(field(entry, "state"), state) !== undefined)) return;
        const read = readLog(entry, kind, (name, fault) =>
          problems.push(`${path}[${index}].${name}: ${fault}`),
        );
        if (read !== null) logs.push(read);
      });
    }
  });
  problems.push(...repeatedIds(logs));
  if (logs.length === 0 && problems.length === 0) problems.push("names no log that can be read");
  return { logs, problems };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function repeatedIds(logs: readonly TransparencyLog[]): readonly string[] {
  const seen = new Set<string>();
  return logs.flatMap(({ id, description }) => {
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated ? [`${description}: is listed twice`] : [];
  });
}

type Report = (name: string, fault: string) => void;

function readLog(
  entry: unknown,
  kind: "logs" | "tiled_logs",
  report: Report,
): TransparencyLog | null {
  const urlNames =
    kind === "logs" ? (["url", "url"] as const) : (["monitoring_url", "submission_url"] as const);
  const url = readUrl(field(entry, urlNames[0]), (fault) => report(urlNames[0], fault));
  const submission =
    urlNames[1] === urlNames[0]
      ? url
      : readUrl(field(entry, urlNames[1]), (fault) => report(urlNames[1], fault));
  const key = readKey(field(entry, "key"), (fault) => report("key", fault));
  const endsAt = readEnd(entry, report);
  if (key !== null && field(entry, "log_id") !== Buffer.from(key.id, "hex").toString("base64")) {
    report("log_id", "expected the SHA-256 of the key, in base64");
  }
  if (url === null || submission === null || key === null || endsAt === undefined) return null;
  const described = field(entry, "description");
  return {
    id: key.id,
    description: (typeof described === "string" ? described : url).slice(0, maxDescription),
    kind: kind === "logs" ? "rfc6962" : "static",
    url,
    origin: submission.replace(/^https?:\/\//, "").replace(/\/+$/, ""),
    key: key.key,
    endsAt,
  };
}

function readUrl(value: unknown, report: (fault: string) => void): string | null {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "";
  if (!isPlain || (url.protocol !== "https:" && url.protocol !== "http:")) {
    report("expected an https URL");
    return null;
  }
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

const minRsaBits = 2_048;

function readKey(
  value: unknown,
  report: (fault: string) => void,
): { readonly id: string; readonly key: KeyObject } | null {
  const der = Buffer.from(typeof value === "string" ? value : "", "base64");
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    const isEc = type === "ec" && details?.namedCurve === "prime256v1";
    const isRsa = type === "rsa" && (details?.modulusLength ?? 0) >= minRsaBits;
    if (isEc || isRsa) return { id: hash("sha256", der, "hex"), key };
  } catch {
    // Reported below.
  }
  report("expected a public key in base64: ECDSA on P-256, or RSA of 2048 bits or more");
  return null;
}

/** Undefined where it is not a time. */
function readEnd(entry: unknown, report: Report): Date | null | undefined {
  const end = field(field(entry, "temporal_interval"), "end_exclusive");
  if (end === undefined) return null;
  const time = new Date(typeof end === "string" ? end : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  report("temporal_interval.end_exclusive", "expected a time");
  return undefined;
}
