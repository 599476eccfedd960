import type {
  CaaVerdict,
  DnsRecord,
  DnssecFault,
  DnssecStatus,
  FoundZone,
  RecordCheck,
  RecordsCheck,
  Reply,
  SpfCost,
} from "@mooring/dns";
import type { Application } from "../applications/application.ts";
import type { Certificate, CertificateFault } from "../certificates/certificate.ts";
import { isDecisive } from "../certificates/validation.ts";
import { type Connection, type DesiredRecord, holdsClaim } from "../connections/connection.ts";
import type { ClaimState } from "../connections/observation.ts";
import type { Renewal, Trouble } from "../connections/trouble.ts";
import type { AttemptOutcome } from "../domain-connect/domain-connect.ts";
import type { OwnershipProof } from "../ownership/proofs.ts";
import { type NeededRecords, neededRecords } from "../records/needed-records.ts";
import type { Registration } from "../registrations/registration.ts";
import type { EmailSetup } from "../sending/email-setup.ts";
import type { ForeignCertificate } from "../transparency/foreign-certificate.ts";

/** The input of a diagnosis. What was not checked, or not answered in time, is null or empty. */
export interface DiagnosisFacts {
  readonly connection: Connection;
  readonly now: Date;
  readonly application: Pick<Application, "originUrl" | "recordTemplate" | "proofs" | "proxied">;
  readonly certificate: Pick<
    Certificate,
    "status" | "notAfter" | "errorCode" | "nextAttemptAt"
  > | null;
  /** Why the last attempt failed, also of a connection that was given up for it. */
  readonly fault: CertificateFault | null;
  /**
   * Until when caches may give the answer from before the records were right; null when not known.
   */
  readonly cachedUntil: Date | null;
  readonly renewal: Pick<Renewal, "notAfter" | "nextAttemptAt" | "isOwn"> | null;
  /** Why edges refuse to dial the origin now; null when they do not, or that is not known. */
  readonly originRefusal: OriginRefusal | null;
  /** What the domain's registry says of it; null or absent without a recent answer. */
  readonly registration?: Registration | null;
  /** What edges and workers reported of the live connection. */
  readonly troubles: readonly Pick<Trouble, "kind" | "reason" | "openedAt" | "closedAt">[];
  /** Stored credentials for the domain that their provider refuses. */
  readonly failingCredentials: readonly FailingCredential[];
  /** Certificates that somebody else obtained lately for the hostname, newest first. */
  readonly foreignCertificates: readonly ForeignCertificate[];
  /** Who holds the hostname. */
  readonly claim: ClaimState;
  /** A holder has proven the hostname against this tenant: until then no contest begins. */
  readonly mayContestAt: Date | null;
  /** How long a contest lasts. */
  readonly contestAfterMs: number;
  readonly lastWrite: LastWrite | null;
  /** How the customer's last visit to their DNS provider ended; null when there was none. */
  readonly consent: ConsentFacts | null;
  /** The CAA names of the certificate authorities; CAA must allow one of them. */
  readonly issuers: readonly string[];
  readonly edge: EdgeFacts;
  readonly dns: DnsFacts;
  /** A record that is not there yet is no fault: absent where that was not asked. */
  readonly isEarly?: boolean;
  /** The records that visitors follow, of a cut-over that waits for its switch. */
  readonly atSwitch?: readonly DesiredRecord[];
  /** Null without an email setup. */
  readonly email: EmailFacts | null;
}

export interface OriginRefusal {
  /** By the policy for outgoing connections. */
  readonly kind: string;
  readonly reason: string;
}

export interface FailingCredential {
  readonly provider: string;
  readonly name: string;
  readonly lastError: string | null;
  readonly failingSince: Date;
}

/** What DNS has for the email setup; null is what was not answered. */
export interface EmailFacts {
  readonly setup: EmailSetup;
  readonly mx: Reply | null;
  /** The TXT records of the domain. */
  readonly spf: Reply | null;
  /** Null unless there is exactly one SPF record. */
  readonly cost: SpfCost | null;
  readonly dkim: readonly CacheFacts[];
  readonly dmarc: Reply | null;
  /** The registrable domain has a policy, which covers the names below it. */
  readonly hasPolicyAbove: boolean;
}

export interface LastWrite {
  readonly provider: string;
  readonly outcome: "planned" | "applied" | "failed";
  readonly at: Date;
}

export interface ConsentFacts {
  /** Null until the customer returns. */
  readonly outcome: AttemptOutcome | null;
  readonly providerName: string;
  readonly error: string | null;
  readonly returnedAt: Date | null;
}

export interface EdgeFacts {
  readonly cname: string;
  /** Null where validation is not delegated. */
  readonly validationZone: string | null;
  /** The edge's configured addresses. */
  readonly configured: readonly string[];
  /** The configured addresses and those that the edge's name resolves to. */
  readonly addresses: ReadonlySet<string>;
}

export interface DnsFacts {
  readonly zone: FoundZone | null;
  /** What each server of the delegation answers for the zone. */
  readonly servers: readonly NameserverFacts[];
  readonly dnssec: DnssecFacts;
  /** The proof that decides; what is wrong with it is wrong with the record that is needed. */
  readonly proof: OwnershipProof | null;
  /** Records in the zone that prove the hostname for another connection, whosever. */
  readonly otherProofs: readonly DnsRecord[];
  /** Wrong names that have the ownership value. */
  readonly strayProofs: readonly StrayProof[];
  readonly records: RecordsCheck | null;
  /** The pending records; null when there are none. */
  readonly pending: RecordsCheck | null;
  /** Missing records that were found at a name with the zone twice. */
  readonly strayRecords: readonly StrayRecord[];
  /** Names whose CNAMEs form a loop. */
  readonly aliasLoops: readonly string[];
  readonly names: readonly NameFacts[];
  /** Present records that must be removed before the desired ones can be published. */
  readonly conflicts: readonly DesiredRecord[];
  /** What recursive resolvers answer for records that the nameservers have. */
  readonly caches: readonly CacheFacts[];
  readonly caa: CaaVerdict | null;
  /** The hostname with `www` added or removed. */
  readonly twin: NameFacts | null;
  /** What was not answered in time, in words. */
  readonly unfinished: readonly string[];
}

export interface NameserverFacts {
  readonly host: string;
  /** The reply to an NS query for the zone. */
  readonly reply: Reply;
}

export interface DnssecFacts {
  readonly status: DnssecStatus;
  /** What our own validation found broken, and where. */
  readonly fault: DnssecFault | null;
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
  /** Where the record is requested. */
  readonly requested: string;
  readonly name: string;
  readonly values: readonly string[];
}

export interface NameFacts {
  readonly name: string;
  readonly records: readonly DnsRecord[];
  readonly fromWildcard: boolean;
  readonly complete: boolean;
}

/** A record and the reply to the query for it. */
export interface CacheFacts {
  readonly record: DnsRecord;
  readonly reply: Reply;
}

/** What the customer has to publish. */
export function factsNeeded({ connection, application, edge }: DiagnosisFacts): NeededRecords {
  const zones = { edgeCname: edge.cname, validationZone: edge.validationZone };
  return neededRecords(connection, application.proofs, zones);
}

export function isOwnershipOpen({ connection }: DiagnosisFacts): boolean {
  return !holdsClaim(connection.state) && connection.state !== "archived";
}

/** Nothing is left to do in DNS. */
export function isSettled(facts: DiagnosisFacts): boolean {
  if (isOwnershipOpen(facts) || facts.dns.records === null) return false;
  return decisiveChecks(facts).every(({ outcome }) => outcome === "match");
}

/** The checks of the records that decide whether the connection is right. */
export function decisiveChecks({ connection, dns }: DiagnosisFacts): readonly RecordCheck[] {
  return (dns.records?.records ?? []).filter(({ record }) => isDecisive(connection, record));
}

/** How long a written record may take to become visible before it counts as missing. */
export const visibleWithinMs = 10 * 60_000;

/**
 * The service writes the records itself, or has just done so: what is missing need not be added by
 * hand.
 */
export function isBeingWritten({ connection, lastWrite, now }: DiagnosisFacts): boolean {
  if (connection.state === "dns_writing") return true;
  const isWritten = lastWrite?.outcome === "applied";
  return isWritten && now.getTime() - lastWrite.at.getTime() < visibleWithinMs;
}
