import type { ConnectionState } from "../../../domain/connections/connection.ts";
import type { FindingActor } from "../../../domain/diagnosis/finding.ts";

/** Filters of a list beyond the usual ones; absent ones do not filter. */
export interface ListFilter {
  /** Compared after Unicode NFC and case folding. */
  readonly q?: string;
  readonly states?: readonly ConnectionState[];
  readonly application_id?: string;
  readonly batch_id?: string;
  readonly error_code?: string;
  readonly actors?: readonly FindingActor[];
  readonly stuck?: true;
  readonly provider?: string;
  readonly customer_ref?: string;
  readonly hostname?: string;
  /** In days. */
  readonly registration_ends_within?: number;
  readonly wildcard?: boolean;
  readonly dangling?: true;
  readonly sort?: "created" | "stuck_since";
}
