import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Guard, parseRetryAfter } from "@mooring/egress";
import { UnreadableAnswer } from "../../domain/transparency/tree-head.ts";

/** The log asks for a pause. */
export class LogBusy extends Error {
  override readonly name = "LogBusy";
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super("the log asks to wait");
    this.retryAfterMs = retryAfterMs;
  }
}

/** The log answers with an error. */
export class LogAway extends Error {
  override readonly name = "LogAway";
}

export interface LogRequest {
  readonly signal: AbortSignal;
  /** Of the body, after decompression too. */
  readonly maxBytes: number;
}

/** `missing` is 404; `too_large` an answer of more octets than the request takes. */
export type LogAnswer =
  | { readonly status: "ok"; readonly body: Buffer }
  | { readonly status: "missing" }
  | { readonly status: "too_large" };

export type SendToLog = (url: string, request: LogRequest) => Promise<LogAnswer>;

const requestTimeoutMs = 20_000;
const defaultPauseMs = 60_000;
const maxPauseMs = 3_600_000;
const unzip = promisify(gunzip);

/** GET over the guarded egress; a log may compress with gzip. */
export function createLogSender(egress: Guard, now: () => Date): SendToLog {
  return async (url, { signal, maxBytes }) => {
    const answer = await egress.request(url, {
      signal,
      maxBytes,
      totalTimeoutMs: requestTimeoutMs,
      schemes: ["https", "http"],
      headers: { accept: "*/*", "accept-encoding": "gzip, identity", "user-agent": "mooring" },
    });
    const { status, headers } = answer;
    if (status === 429 || status === 503) {
      const seconds = parseRetryAfter(headers.get("retry-after"), now());
      throw new LogBusy(Math.min(seconds === null ? defaultPauseMs : seconds * 1_000, maxPauseMs));
    }
    if (status === 404 || status === 410) return { status: "missing" };
    if (status !== 200) throw new LogAway(`the log answered ${status}`);
    if (answer.truncated) return { status: "too_large" };
    return decode(answer.body, headers.get("content-encoding") ?? "identity", maxBytes);
  };
}

async function decode(body: Buffer, coding: string, maxOutputLength: number): Promise<LogAnswer> {
  if (coding === "identity") return { status: "ok", body };
  if (coding !== "gzip" && coding !== "x-gzip") {
    throw new UnreadableAnswer("an answer in an unknown coding");
  }
  try {
    return { status: "ok", body: await unzip(body, { maxOutputLength }) };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    if (isTooLarge) return { status: "too_large" };
    throw new UnreadableAnswer("an answer that is not gzip", { cause: error });
  }
}
