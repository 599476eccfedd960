import type {
  CaaVerdict,
  DnsRecord,
  DnssecStatus,
  FoundZone,
  RecordsCheck,
  Reply,
  SpfCost,
  TxtProof,
} from "@mooring/dns";
import type { Application } from "../application.ts";
import type { Certificate } from "../certificate.ts";
import { type Connection, type DesiredRecord, holdsClaim } from "../connection.ts";
import type { AttemptOutcome } from "../domain-connect.ts";
import type { EmailSetup } from "../email-setup.ts";
import type { ClaimState } from "../observation.ts";

/** All that a diagnosis is made of. What was not looked at, or not seen in time, is null or empty. */
export interface DiagnosisFacts {
  readonly connection: Connection;
  readonly now: Date;
  readonly application: Pick<Application, "originUrl" | "recordTemplate">;
  readonly certificate: Pick<Certificate, "status" | "notAfter" | "errorCode"> | null;
  /** Who holds the hostname. */
  readonly claim: ClaimState;
  readonly lastWrite: LastWrite | null;
  /** How the customer's last way to their DNS provider ended; null where there was none. */
  readonly consent: ConsentFacts | null;
  /** The authorities of which CAA must allow one, as CAA names them. */
  readonly issuers: readonly string[];
  readonly edge: EdgeFacts;
  readonly dns: DnsFacts;
  /** Null where no mail was set up. */
  readonly email: EmailFacts | null;
}

/** What stands in DNS of the mail that was set up; null is what was not seen. */
export interface EmailFacts {
  readonly setup: EmailSetup;
  readonly mx: Reply | null;
  /** The TXT records of the domain. */
  readonly spf: Reply | null;
  /** Null unless there is exactly one SPF record. */
  readonly cost: SpfCost | null;
  readonly dkim: readonly CacheFacts[];
  readonly dmarc: Reply | null;
  /** The registered domain's policy covers a name below it. */
  readonly hasPolicyAbove: boolean;
}

export interface LastWrite {
  readonly provider: string;
  readonly outcome: "planned" | "applied" | "failed";
  readonly at: Date;
}

export interface ConsentFacts {
  /** Null while the customer is there, or has not come back. */
  readonly outcome: AttemptOutcome | null;
  readonly providerName: string;
  readonly error: string | null;
  readonly returnedAt: Date | null;
}

export interface EdgeFacts {
  readonly cname: string;
  /** The addresses that are configured for the edge. */
  readonly configured: readonly string[];
  /** Those and what the edge's name resolves to. */
  readonly addresses: ReadonlySet<string>;
}

export interface DnsFacts {
  readonly zone: FoundZone | null;
  /** What each server of the delegation says of the zone itself. */
  readonly servers: readonly NameserverFacts[];
  readonly dnssec: DnssecFacts;
  readonly proof: TxtProof | null;
  /** The ownership value, found where it does not belong. */
  readonly strayProofs: readonly StrayProof[];
  readonly records: RecordsCheck | null;
  /** Wanted records that are missing, found at a name with the zone twice. */
  readonly strayRecords: readonly StrayRecord[];
  /** Names that are aliases and lead in a circle. */
  readonly circles: readonly string[];
  readonly names: readonly NameFacts[];
  /** What must go before the wanted records can be there. */
  readonly conflicts: readonly DesiredRecord[];
  /** What recursive resolvers say of records that the nameservers have. */
  readonly caches: readonly CacheFacts[];
  readonly caa: CaaVerdict | null;
  /** The twin of the hostname with or without `www`. */
  readonly twin: NameFacts | null;
  /** What the time did not suffice for, in words. */
  readonly unfinished: readonly string[];
}

export interface NameserverFacts {
  readonly host: string;
  /** The answer to NS at the zone's own name. */
  readonly reply: Reply;
}

export interface DnssecFacts {
  readonly status: DnssecStatus;
  /** The DS records at the parent. */
  readonly ds: readonly string[];
  /** Whether each server that answered has keys for the zone. */
  readonly keys: readonly { readonly host: string; readonly hasKeys: boolean }[];
}

export interface StrayProof {
  readonly name: string;
  readonly isDoubled: boolean;
}

export interface StrayRecord {
  /** Where the record is wanted. */
  readonly wanted: string;
  readonly name: string;
  readonly values: readonly string[];
}

export interface NameFacts {
  readonly name: string;
  readonly records: readonly DnsRecord[];
  readonly fromWildcard: boolean;
  readonly complete: boolean;
}

/** A record and what was answered to the question for it. */
export interface CacheFacts {
  readonly record: DnsRecord;
  readonly reply: Reply;
}

export function isOwnershipOpen({ connection }: DiagnosisFacts): boolean {
  return !holdsClaim(connection.state) && connection.state !== "archived";
}

/** Nobody has to do anything in DNS. */
export function isSettled(facts: DiagnosisFacts): boolean {
  const { records } = facts.dns;
  if (isOwnershipOpen(facts) || records === null) return false;
  return records.records.every(({ outcome }) => outcome === "match");
}

/** How long what was written at a provider may take to show before somebody should look. */
const showsWithinMs = 10 * 60_000;

/** The service itself writes the records, or has just done so: what is missing is nobody else's move. */
export function isBeingWritten({ connection, lastWrite, now }: DiagnosisFacts): boolean {
  if (connection.state === "dns_writing") return true;
  const isWritten = lastWrite?.outcome === "applied";
  return isWritten && now.getTime() - lastWrite.at.getTime() < showsWithinMs;
}
