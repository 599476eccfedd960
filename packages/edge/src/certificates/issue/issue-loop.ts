import { type DueRows, type LeaseLoop, runLeaseLoop } from "@mooring/postgres";
import {
  claimDueCertificates,
  type DueCertificate,
  extendCertificates,
  type Lane,
  postponeCertificate,
  releaseCertificate,
} from "../../db/certificates.ts";
import { type IssueParts, issueCertificate, issueTimeoutMs } from "./issue.ts";
import { startUpkeep } from "./upkeep.ts";

export interface IssueLoop {
  /** A certificate may be due: claim now instead of at the next poll. */
  wake(): void;
  stop(): Promise<void>;
}

/** Short enough that another edge serves the certificate within half a minute after a crash. */
const leaseMs = 24_000;
const graceMs = 5_000;
const concurrency: Readonly<Record<Lane, number>> = { first: 16, renewal: 8 };
/** `issueCertificate` ends by itself; the loop's limit only catches a run that hangs. */
const runTimeoutMs = issueTimeoutMs + 30_000;
const table = "certificates";

/**
 * Leases due rows and obtains their certificates; over all edges one order per name. First
 * certificates and renewals have separate loops and slots, so that neither starves the other, and
 * first certificates are claimed first.
 */
export function startIssueLoop(parts: IssueParts): IssueLoop {
  const stopping = new AbortController();
  const loops = [runLane(parts, "first"), runLane(parts, "renewal")];
  const upkeep = startUpkeep(parts, stopping.signal);
  return {
    wake() {
      for (const loop of loops) loop.wake(table);
    },
    async stop() {
      const abort = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all([...loops, ...upkeep].map((each) => each.stop()));
      clearTimeout(abort);
    },
  };
}

function runLane(parts: IssueParts, lane: Lane): LeaseLoop {
  const { clock, log } = parts;
  return runLeaseLoop<DueCertificate>(
    {
      name: `issue-${lane}`,
      rows: dueRows(parts, lane),
      run: (row, signal) => issueCertificate(parts, row, signal),
      timeoutMs: runTimeoutMs,
      concurrency: concurrency[lane],
    },
    { clock, log, leaseMs, graceMs },
  );
}

function dueRows({ pool, clock }: IssueParts, lane: Lane): DueRows<DueCertificate> {
  return {
    table,
    idOf: ({ hostname }) => hostname,
    versionOf: ({ version }) => version,
    claim: (now, leasedUntil, limit) => claimDueCertificates(pool, lane, now, leasedUntil, limit),
    extend: (leased, leasedUntil) => extendCertificates(pool, leased, leasedUntil),
    // On a stop the row is due at once: another edge continues with it.
    release: (row, dueAt) =>
      dueAt <= clock.now() ? releaseCertificate(pool, row) : postponeCertificate(pool, row, dueAt),
  };
}
