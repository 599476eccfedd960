import type { OwnershipChallenge } from "../../../domain/ownership/ownership-challenge.ts";

/** A name to import, as its source has it. */
export interface ImportRow {
  /** Where it is in the source, such as `line 12`, for the report. */
  readonly location: string;
  readonly hostname: string;
  readonly customerRef: string | null;
  /** In PEM, the chain leaf first; null where the source has none. */
  readonly certificate: { readonly certificate: string; readonly privateKey: string } | null;
  /**
   * Where the source sends the visitors of the name, and with which status; null where it says
   * nothing of that.
   */
  readonly redirect: { readonly to: string; readonly statusCode: number | null } | null;
  /** What the source has of it that is not imported, for the report. */
  readonly note: string | null;
  /** What is wrong with the row itself; it is refused. */
  readonly fault: string | null;
}

/**
 * `create`: a new connection. `add_certificate`: the connection is there and gets the certificate.
 * `replace_certificate`: it has an imported one that ends sooner, and gets this one.
 * `trust`: it is there, and its ownership is taken as proven by DNS. `keep`: nothing is missing.
 * `differs`: what is there is another customer's, or redirects otherwise, and stays.
 */
export type ImportAction =
  | "create"
  | "add_certificate"
  | "replace_certificate"
  | "trust"
  | "keep"
  | "differs"
  | "refuse";

/**
 * What a connection waits for: `live` for nothing, since its DNS resolves to us; `proof` for the
 * TXT record of its ownership; `records` for its records, without a cut-over.
 */
export type ImportNext = "live" | "proof_then_live" | "proof_then_switch" | "proof_then_records";

export interface ImportResult {
  readonly location: string;
  /** As it is stored, or as the source has it when it was refused. */
  readonly hostname: string;
  readonly customerRef: string | null;
  readonly action: ImportAction;
  /** Why it was refused, how it differs, or what of it is not imported as it was. */
  readonly reason: string | null;
  /**
   * Where its visitors are sent; null where the source says nothing of that, or that is not
   * imported.
   */
  readonly redirectTo: string | null;
  readonly next: ImportNext | null;
  /** The end of the certificate that is imported; null where none is. */
  readonly certificateEnds: Date | null;
  /** Null for what was only planned or refused. */
  readonly connectionId: string | null;
  /** What proves the ownership, while it is open. */
  readonly challenge: OwnershipChallenge | null;
}
