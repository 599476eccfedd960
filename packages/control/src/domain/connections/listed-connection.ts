import type { FindingHeadline } from "../diagnosis/finding.ts";
import type { VisibleConnection } from "./connection.ts";

/**
 * What a list shows of a connection: since when it is so, when it is checked next, and what is
 * wrong.
 */
export interface ListedConnection extends VisibleConnection {
  readonly stateSince: Date;
  readonly lastCheckedAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly finding: FindingHeadline | null;
  /** When the registration of its domain ends; absent where it was not read. */
  readonly registrationEndsAt?: Date | null;
}
