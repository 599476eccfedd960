import type { MailboxKey, MailRecord } from "@mooring/dns";

/** The mail that was set up for a connection's domain. */
export interface EmailSetup {
  readonly connectionId: string;
  readonly domain: string;
  readonly provider: MailboxKey;
  /** What the provider wants there, as far as it was known. */
  readonly records: readonly MailRecord[];
  /** The mechanism that the domain's SPF record must have. */
  readonly spfTerm: string;
  /** Some of it was written through a credential; otherwise it was only shown. */
  readonly applied: boolean;
  readonly updatedAt: Date;
}
