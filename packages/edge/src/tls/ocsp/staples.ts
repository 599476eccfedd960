import type { SecureContext } from "node:tls";
import type { Guard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Log } from "../../config/settings.ts";
import type { OcspStats } from "../../metrics/ocsp.ts";
import { fetchOcspResponse } from "./fetch.ts";
import { InvalidOcspResponse, type OcspAnswer, verifyOcspResponse } from "./response.ts";
import { refreshAfter, retryAfter } from "./schedule.ts";
import { type OcspDemand, type OcspSubject, readOcspDemand } from "./subject.ts";

/**
 * The OCSP responses that handshakes staple (RFC 6066 §8). They are fetched in the background, so
 * no handshake waits for a responder; a certificate that names none costs no handshake anything.
 */
export interface OcspStaples {
  /** Binds the context to the status of its leaf and asks for it. */
  attach(context: SecureContext, chain: string): void;
  /** The response for the context's leaf; null unless one that says good is current. */
  current(context: SecureContext): Buffer | null;
  /**
   * Resolves before a context of the chain is made: at once, unless clients refuse the certificate
   * without a staple; then after the responder's answer or a few seconds.
   */
  prepare(chain: string, hostname: string): Promise<void>;
  /** Asks for every response that is due. */
  refresh(): void;
  stop(): void;
}

export interface OcspStaplesParts {
  readonly guard: Pick<Guard, "request">;
  readonly clock: Clock;
  readonly log: Log;
  readonly stats: OcspStats;
  /** In [0, 1). */
  readonly random: () => number;
}

interface Entry {
  readonly subject: OcspSubject;
  staple: { readonly response: Buffer; readonly staleAt: Date } | null;
  dueAt: Date;
  failures: number;
  /** A handshake has used it since the last request. */
  isUsed: boolean;
  asking: Promise<void> | null;
}

/** As many as there are certificates in memory; a staple has up to 2 KB. */
const maxEntries = 2_000;
/** Requests in flight; the others wait. */
const maxAsking = 16;
const sweepMs = 30_000;
/** Handshakes of a new certificate wait no longer, and only when it demands a staple. */
const prepareMs = 3_000;

export function createOcspStaples(parts: OcspStaplesParts): OcspStaples {
  const { clock, log } = parts;
  const subjects = new WeakMap<SecureContext, OcspSubject>();
  /** In order of use. */
  const entries = new Map<string, Entry>();
  const stopping = new AbortController();
  const slots = createSlots(maxAsking);
  let sweep: NodeJS.Timeout | null = null;

  const ask = (entry: Entry): Promise<void> => {
    entry.asking ??= slots
      .take(() =>
        stopping.signal.aborted ? Promise.resolve() : update(entry, parts, stopping.signal),
      )
      .finally(() => {
        entry.asking = null;
      });
    return entry.asking;
  };

  const refresh = (): void => {
    const now = clock.now();
    for (const [id, entry] of entries) {
      const { subject, dueAt, isUsed } = entry;
      if (subject.notAfter <= now) entries.delete(id);
      else if (dueAt <= now && (isUsed || subject.isRequired)) void ask(entry);
    }
  };

  const provideEntry = (subject: OcspSubject): Entry => {
    const known = entries.get(subject.id);
    const entry = known ?? newEntry(subject, clock.now());
    entries.delete(subject.id);
    entries.set(subject.id, entry);
    const [oldest] = entries.size > maxEntries ? entries.keys() : [];
    if (oldest !== undefined) entries.delete(oldest);
    sweep ??= setInterval(refresh, sweepMs).unref();
    if (known === undefined) void ask(entry);
    return entry;
  };

  return {
    attach(context, chain) {
      const { subject } = readDemand(chain, log);
      if (subject === null) return;
      subjects.set(context, subject);
      provideEntry(subject);
    },
    current(context) {
      const subject = subjects.get(context);
      if (subject === undefined) return null;
      const entry = provideEntry(subject);
      entry.isUsed = true;
      const now = clock.now();
      if (entry.dueAt <= now) void ask(entry);
      const { staple } = entry;
      return staple !== null && staple.staleAt > now ? staple.response : null;
    },
    async prepare(chain, hostname) {
      const { subject, isRequired } = readDemand(chain, log);
      if (!isRequired) return;
      const entry = subject === null ? null : provideEntry(subject);
      if (entry?.staple === null && entry.asking !== null) await within(prepareMs, entry.asking);
      if (entry?.staple) return;
      log.warn({ hostname }, "certificate demands an OCSP staple, none is known");
    },
    refresh,
    stop() {
      stopping.abort();
      if (sweep !== null) clearInterval(sweep);
    },
  };
}

/** A certificate that OpenSSL serves and this parser cannot read is served without a staple. */
function readDemand(chain: string, log: Log): OcspDemand {
  try {
    return readOcspDemand(chain);
  } catch (error) {
    log.warn({ err: error }, "certificate not read for OCSP");
    return { subject: null, isRequired: false };
  }
}

function newEntry(subject: OcspSubject, now: Date): Entry {
  const state = { staple: null, failures: 0, isUsed: false, asking: null };
  return { subject, dueAt: now, ...state };
}

/** Asks once. A failure leaves the staple in place: it is true until its own end. */
async function update(entry: Entry, parts: OcspStaplesParts, signal: AbortSignal): Promise<void> {
  const { clock, log, stats, random } = parts;
  const { subject } = entry;
  const fields = { responder: subject.url, certificate: subject.id };
  entry.isUsed = false;
  try {
    const response = await fetchOcspResponse(parts.guard, subject, signal);
    const answer = verifyOcspResponse(response, subject, clock.now());
    stats[answer.status] += 1;
    if (answer.status === "unknown") throw new UnknownCertificate("the responder does not know it");
    accept(entry, answer, response);
    if (answer.status === "revoked") log.error(fields, "certificate is revoked");
    entry.dueAt = refreshAfter(clock.now(), answer.staleAt, random);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof InvalidOcspResponse) stats.invalid += 1;
    else if (!(error instanceof UnknownCertificate)) stats.unreachable += 1;
    entry.failures += 1;
    entry.dueAt = retryAfter(clock.now(), entry.failures, random);
    log.warn({ ...fields, err: error }, "no OCSP response to staple");
  }
}

/** CAs publish the status of a new certificate late, so this is a failure that passes. */
class UnknownCertificate extends Error {
  override readonly name = "UnknownCertificate";
}

/** A revocation also ends the staple that says good. */
function accept(entry: Entry, { status, staleAt }: OcspAnswer, response: Buffer): void {
  entry.failures = 0;
  entry.staple = status === "good" ? { response, staleAt } : null;
}

/** Runs at most `most` tasks at once, the others in their order. */
function createSlots(most: number): { take(task: () => Promise<void>): Promise<void> } {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async take(task) {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
