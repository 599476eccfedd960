import type { MailboxKey, MailRecord } from "@mooring/dns";

export interface EmailRecord extends MailRecord {
  /** Put into the zone by the service, or found there as it is wanted. */
  readonly isWritten: boolean;
}

/** The mail that was set up for a connection's domain. */
export interface EmailSetup {
  readonly connectionId: string;
  readonly domain: string;
  readonly provider: MailboxKey;
  /** What the provider wants there, as far as it was known. */
  readonly records: readonly EmailRecord[];
  /** The mechanism that the domain's SPF record must have. */
  readonly spfTerm: string;
  /** Some of it was written through a credential; otherwise it was only shown. */
  readonly applied: boolean;
  readonly updatedAt: Date;
}
