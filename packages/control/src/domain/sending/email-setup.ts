import type { MailboxKey, MailRecord } from "@mooring/dns";

export interface EmailRecord extends MailRecord {
  /** Written by the service, or present before as desired. */
  readonly isWritten: boolean;
}

/** The email setup of a connection's domain. */
export interface EmailSetup {
  readonly connectionId: string;
  readonly domain: string;
  readonly provider: MailboxKey;
  /** The records that the mailbox provider wants, as far as they are known. */
  readonly records: readonly EmailRecord[];
  /** The mechanism that the domain's SPF record must contain. */
  readonly spfTerm: string;
  /** Some records were written through a credential; otherwise all were only shown. */
  readonly applied: boolean;
  readonly updatedAt: Date;
}

/** What to do about the domain's one SPF record; never a second one. */
export interface SpfAdvice {
  /** `decide`: it cannot be merged without a person; the notes say why. */
  readonly action: "add" | "replace" | "keep" | "decide";
  readonly current: string | null;
  readonly value: string | null;
}
