import type { DnsRecord } from "../record.ts";
import type { MailRole } from "./generate.ts";

/**
 * - `write`: nothing is in the way, and nothing that was there is touched by it.
 * - `present`: it is there, or something that does the same.
 * - `manual`: a person must look first; `record` is what should stand there.
 * - `leave`: what stands there is not to be replaced, so that there is nothing to add.
 */
export type MailAction = "write" | "present" | "manual" | "leave";

export interface MailDecision {
  readonly role: MailRole;
  readonly record: DnsRecord;
  readonly action: MailAction;
}

/** What stands at the names that mail is about. */
export interface MailSeen {
  readonly records: readonly DnsRecord[];
  /** Something that cannot be read or written, but is there. */
  readonly occupied: readonly { readonly name: string; readonly type: string }[];
}
