import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import { createBudget } from "../../certificates/budget/budget.ts";
import { type IssueLoop, startIssueLoop } from "../../certificates/issue/issue-loop.ts";
import { createIssuers } from "../../certificates/issue/issuers.ts";
import { createPermission, type Preflight } from "../../certificates/issue/preflight.ts";
import { createValidation } from "../../certificates/issue/validation.ts";
import type { EdgeParts } from "../../config/settings.ts";
import { type HostTable, isSandbox } from "../../hosts/host.ts";
import type { CertificateStats } from "../../metrics/metrics.ts";
import type { CertificateFeed } from "../feed.ts";
import { createPostgresCertificates } from "./certificates.ts";

/** The part of a process with the database that obtains certificates. */
export interface Issuing {
  readonly certificates: CertificateFeed;
  /** Begins to lease due rows; the hosts are known by now. */
  start(): void;
  /** A certificate may be due. */
  wake(): void;
  /** Releases leases after what is in flight. */
  stop(): Promise<void>;
}

export function createIssuing(
  parts: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly hosts: Pick<HostTable, "get">;
    readonly stats: CertificateStats;
  },
): Issuing {
  const { settings, log, random = Math.random } = parts;
  const { pool, clock, vault } = shared;
  const permission = createPermission(settings.ASK_URL, fetch);
  const { preflight, delegation } = createValidation(parts, { pool, clock, vault });
  let loop: IssueLoop | null = null;
  const wake = (): void => loop?.wake();
  const resolvesToUs = beyondSandbox(preflight);
  return {
    certificates: createPostgresCertificates({ pool, clock, permission, resolvesToUs, wake }),
    start() {
      loop = startIssueLoop({
        ...shared,
        permission,
        preflight,
        log,
        random,
        issuersFor: createIssuers(settings, { ...shared, delegation, random }),
        budget: createBudget(pool, clock, {
          directories: settings.ACME_DIRECTORY_URL,
          limits: settings.ISSUANCE_LIMITS,
        }),
      });
    },
    wake,
    stop: async () => await loop?.stop(),
  };
}

/**
 * Of the sandbox's DNS the control plane alone knows where a name resolves to; its checks make
 * orders due.
 */
function beyondSandbox({ resolvesToUs }: Preflight): Preflight["resolvesToUs"] {
  return async (host, signal) => !isSandbox(host) && resolvesToUs(host, signal);
}
