import {
  claimDueCertificates,
  extendCertificates,
  type Lane,
  releaseCertificate,
  type WantedCertificate,
} from "../db/certificates.ts";
import { type IssueParts, issueCertificate } from "./issue.ts";
import { askRenewalInfo } from "./renewal-info.ts";
import { startTurns, type Turns, watchExpiry } from "./upkeep.ts";

export interface IssueLoop {
  /** Something may be due: look now instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
}

/** Short enough that another edge serves the certificate within half a minute after a crash. */
const leaseMs = 24_000;
const heartbeatMs = 8_000;
const pollMs = 1_000;
const graceMs = 5_000;
const askMs = 3_000;
const watchMs = 600_000;
const atOnce: Readonly<Record<Lane, number>> = { first: 16, renewal: 8 };

/** Leases due rows of each lane and obtains their certificates; one order a name over all edges. */
export function startIssueLoop(parts: IssueParts): IssueLoop {
  const { pool, clock, log } = parts;
  const running = new Map<
    string,
    { readonly row: WantedCertificate; readonly done: Promise<void> }
  >();
  const stopping = new AbortController();
  let isStopped = false;
  let looking: Promise<void> | null = null;
  let isWakePending = false;

  const later = (ms: number): Date => new Date(clock.now().getTime() + ms);

  /** Another edge goes on at once instead of when the lease has run out. */
  const giveBack = (row: WantedCertificate): Promise<void> =>
    releaseCertificate(pool, row).catch((error: unknown) =>
      log.warn({ err: error, hostname: row.hostname }, "lease not given back"),
    );

  const runOne = async (row: WantedCertificate): Promise<void> => {
    try {
      await issueCertificate(parts, row, stopping.signal);
    } catch (error) {
      // The lease runs out by itself and the row is tried again, here or elsewhere.
      log.warn({ err: error, hostname: row.hostname }, "issuing interrupted");
      if (stopping.signal.aborted) await giveBack(row);
    } finally {
      running.delete(row.hostname);
      wake();
    }
  };

  const claim = async (lane: Lane): Promise<void> => {
    const busy = [...running.values()].filter(
      ({ row }) => (row.chain === null) === (lane === "first"),
    );
    const free = atOnce[lane] - busy.length;
    if (free <= 0) return;
    const rows = await claimDueCertificates(pool, lane, clock.now(), later(leaseMs), free);
    for (const row of rows) running.set(row.hostname, { row, done: runOne(row) });
  };

  const wake = (): void => {
    if (isStopped) return;
    if (looking !== null) {
      isWakePending = true;
      return;
    }
    isWakePending = false;
    looking = claim("first")
      .then(() => claim("renewal"))
      .catch((error: unknown) => log.warn({ err: error }, "could not look for due certificates"))
      .finally(() => {
        looking = null;
        if (isWakePending) wake();
      });
  };

  const heartbeat = (): void => {
    if (running.size === 0) return;
    const held = new Map([...running].map(([hostname, { row }]) => [hostname, row.version]));
    extendCertificates(pool, held, later(leaseMs)).catch((error: unknown) =>
      log.warn({ err: error }, "leases not prolonged"),
    );
  };

  const timers = [setInterval(wake, pollMs), setInterval(heartbeat, heartbeatMs)];
  const upkeep = startUpkeep(parts, stopping.signal);
  wake();
  return {
    wake,
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await looking;
      const abort = setTimeout(() => stopping.abort(), graceMs);
      const runs = [...running.values()].map(({ done }) => done);
      await Promise.all([...runs, ...upkeep.map((each) => each.stop())]);
      clearTimeout(abort);
    },
  };
}

/** What is asked and looked at beside the orders. */
function startUpkeep(parts: IssueParts, signal: AbortSignal): readonly Turns[] {
  return [
    startTurns(askMs, () => askRenewalInfo(parts, signal).then(() => undefined), parts.log),
    startTurns(watchMs, () => watchExpiry(parts), parts.log),
  ];
}
