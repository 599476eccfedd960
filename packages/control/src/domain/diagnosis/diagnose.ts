import type { Connection } from "../connections/connection.ts";
import * as cdn from "./cdn-rules.ts";
import * as conflict from "./conflict-rules.ts";
import * as contest from "./contest-rules.ts";
import { customerText } from "./customer-texts.ts";
import * as cutover from "./cutover-rules.ts";
import * as delegation from "./delegation-rules.ts";
import * as dnssec from "./dnssec-rules.ts";
import * as email from "./email-rules.ts";
import type { DiagnosisFacts } from "./facts.ts";
import type { Draft, Finding, FindingActor, Rule } from "./finding.ts";
import { type FindingCode, findingCodes } from "./finding-codes.ts";
import { findDnsHost } from "./finding-text.ts";
import * as followUp from "./follow-up-rules.ts";
import * as foreign from "./foreign-rules.ts";
import { leadingFinding } from "./headline.ts";
import * as ownership from "./ownership-rules.ts";
import * as quota from "./quota-rules.ts";
import * as record from "./record-rules.ts";
import * as registration from "./registration-rules.ts";
import { type RequestedRecordAnswers, serverAnswers } from "./server-answers.ts";
import * as service from "./service-rules.ts";
import * as trouble from "./trouble-rules.ts";

export interface Diagnosis {
  readonly connectionId: string;
  readonly checkedAt: Date;
  readonly summary: string;
  readonly findings: readonly Finding[];
  readonly records: readonly RequestedRecordAnswers[];
  /** Nobody could act yet: a record that is not there is no fault. */
  readonly isEarly: boolean;
}

const rules: Readonly<Record<FindingCode, Rule>> = {
  registration_on_hold: registration.registrationOnHold,
  not_registered: delegation.notRegistered,
  dnssec_ds_stale: dnssec.dnssecDsStale,
  dnssec_broken: dnssec.dnssecBroken,
  ns_unreachable: delegation.nsUnreachable,
  ns_servfail: delegation.nsServfail,
  ns_lame: delegation.nsLame,
  ns_disagree: delegation.nsDisagree,
  ns_mixed_operators: delegation.nsMixedOperators,
  dns_moved: delegation.dnsMoved,
  zone_delegated: delegation.zoneDelegated,
  hostname_conflict: contest.hostnameConflict,
  hostname_proven_by_both: contest.hostnameProvenByBoth,
  hostname_contested: contest.hostnameContested,
  quota_exceeded: quota.quotaExceeded,
  ownership_unanswered: ownership.ownershipUnanswered,
  ownership_cname: ownership.ownershipCname,
  ownership_wildcard: ownership.ownershipWildcard,
  ownership_partial: ownership.ownershipPartial,
  ownership_altered: ownership.ownershipAltered,
  ownership_doubled_name: ownership.ownershipDoubledName,
  ownership_wrong_name: ownership.ownershipWrongName,
  ownership_other_token: ownership.ownershipOtherToken,
  ownership_mismatch: ownership.ownershipMismatch,
  ownership_missing: ownership.ownershipMissing,
  wrong_dns_provider: delegation.wrongDnsProvider,
  ownership_seen: ownership.ownershipSeen,
  domain_connect_cancelled: service.domainConnectCancelled,
  domain_connect_refused: service.domainConnectRefused,
  provider_auth: service.providerAuth,
  credential_failing: trouble.credentialFailing,
  provider_unsupported: service.providerUnsupported,
  provider_not_delegated: delegation.providerNotDelegated,
  provider_busy: service.providerBusy,
  provider_write_failed: service.providerWriteFailed,
  record_loop: record.recordLoop,
  record_proxied: record.recordProxied,
  cdn_not_forwarding: record.cdnNotForwarding,
  cdn_tls_flexible: cdn.cdnTlsFlexible,
  cdn_hides_challenge: cdn.cdnHidesChallenge,
  cdn_caches_probe: cdn.cdnCachesProbe,
  proxy_to_proxy: cdn.proxyToProxy,
  record_flattened: record.recordFlattened,
  aaaa_leftover: record.aaaaLeftover,
  a_leftover: record.aLeftover,
  https_leftover: conflict.httpsLeftover,
  policy_duplicate: conflict.policyDuplicate,
  record_conflict: conflict.recordConflict,
  record_target_doubled: record.recordTargetDoubled,
  record_doubled_name: record.recordDoubledName,
  private_address: record.privateAddress,
  apex_needs_alias: record.apexNeedsAlias,
  record_of_another: record.recordOfAnother,
  record_mismatch: record.recordMismatch,
  record_missing: record.recordMissing,
  servers_disagree: record.serversDisagree,
  records_unanswered: record.recordsUnanswered,
  resolvers_failing: followUp.resolversFailing,
  wildcard_answers: conflict.wildcardAnswers,
  caa_forbidden: service.caaForbidden,
  caa_unanswered: service.caaUnanswered,
  certificate_revoked: service.certificateRevoked,
  certificate_expired: service.certificateExpired,
  certificate_at_risk: trouble.certificateAtRisk,
  ca_rate_limited: service.caRateLimited,
  ca_unavailable: service.caUnavailable,
  certificate_cached: service.certificateCached,
  certificate_failed: service.certificateFailed,
  certificate_foreign: foreign.certificateForeign,
  origin_unreachable: trouble.originUnreachable,
  origin_missing: service.originMissing,
  registration_expiring: registration.registrationExpiring,
  check_failed: service.checkFailed,
  gave_up: followUp.gaveUp,
  archived_still_points_here: followUp.archivedStillPointsHere,
  cutover_preparing: cutover.cutoverPreparing,
  cutover_ready: cutover.cutoverReady,
  records_changed: followUp.recordsChanged,
  records_cached: followUp.recordsCached,
  slow_to_change: followUp.slowToChange,
  certificate_pending: service.certificatePending,
  behind_cdn: cdn.behindCdn,
  apex_by_address: followUp.apexByAddress,
  www_not_connected: followUp.wwwNotConnected,
  email_mx_missing: email.emailMxMissing,
  email_mx_elsewhere: email.emailMxElsewhere,
  email_spf_multiple: email.emailSpfMultiple,
  email_spf_missing: email.emailSpfMissing,
  email_spf_broken: email.emailSpfBroken,
  email_dkim_missing: email.emailDkimMissing,
  email_dmarc_missing: email.emailDmarcMissing,
  check_incomplete: followUp.checkIncomplete,
};

/** For an archived connection only the records that it left behind matter. */
const codesWhenArchived: ReadonlySet<FindingCode> = new Set([
  "archived_still_points_here",
  "check_incomplete",
]);

/** True although nothing is checked any more; all else that asks to wait promises a check. */
const lasting: ReadonlySet<FindingCode> = new Set([
  "apex_by_address",
  "behind_cdn",
  "check_incomplete",
  "slow_to_change",
]);

function hasStopped({ connection }: DiagnosisFacts): boolean {
  return connection.state === "failed" || connection.errorCode === "check_failed";
}

/** Turns facts into findings: what is wrong, who must act and how. Pure and total. */
export function diagnose(all: DiagnosisFacts): Diagnosis {
  const facts = cutover.untilSwitch(all);
  const isArchived = facts.connection.state === "archived";
  const findings = findingCodes
    .filter(({ code }) => !isArchived || codesWhenArchived.has(code))
    .flatMap(({ code }) => rules[code](facts).map((draft) => complete(code, draft, facts)))
    .filter(({ code, actor }) => actor !== "wait" || lasting.has(code) || !hasStopped(facts));
  return {
    connectionId: facts.connection.id,
    checkedAt: facts.now,
    summary: summarize(facts.connection, findings),
    findings,
    records: serverAnswers(facts),
    isEarly: facts.isEarly ?? false,
  };
}

/** Adds what every finding has: parameters, and the words for each reader. */
function complete(code: FindingCode, draft: Draft, facts: DiagnosisFacts): Finding {
  const { tenantFix, params: own, add = [], remove = [], ...said } = draft;
  const { zone, provider } = findDnsHost(facts);
  const domain = facts.connection.hostname;
  const params = { domain, zone, provider: provider ?? "", name: domain, ...own };
  const { title, fix } = said;
  return {
    code,
    ...said,
    params,
    add,
    remove,
    texts: {
      end_customer: customerText(code, said.actor, params),
      tenant: { title, fix: tenantFix ?? fix },
      operator: { title, fix },
    },
  };
}

/**
 * The diagnosis in the words for the customer. What others must act on has no evidence: it may
 * describe the tenant's servers.
 */
export function forCustomer(diagnosis: Diagnosis): Diagnosis {
  const findings = diagnosis.findings.map((finding) => {
    const isTheirs = finding.actor === "end_customer" || finding.actor === "wait";
    const { title, fix } = finding.texts.end_customer;
    return { ...finding, title, fix, evidence: isTheirs ? finding.evidence : [] };
  });
  const problem = leadingFinding("live", findings);
  return { ...diagnosis, findings, summary: problem ? `${problem.title}.` : diagnosis.summary };
}

/** One sentence: what the state is, and who acts next. */
function summarize(connection: Connection, findings: readonly Finding[]): string {
  if (connection.state === "archived") return archived(connection, findings);
  const leading = leadingFinding(connection.state, findings);
  if (leading === null) return withoutProblem(connection, findings);
  const matter = `${leading.title}; ${nextStep(connection, leading.actor)}.`;
  const isServed = connection.state === "live" && leading.severity === "warning";
  return isServed ? `${connection.hostname} is connected, with a warning: ${matter}` : matter;
}

function archived({ hostname }: Connection, findings: readonly Finding[]): string {
  const isLeft = findings.some(({ code }) => code === "archived_still_points_here");
  const rest = isLeft ? "; its records still lead here and should be removed" : "";
  return `${hostname} is archived and no longer served${rest}.`;
}

function nextStep({ registrableDomain }: Connection, actor: FindingActor): string {
  switch (actor) {
    case "end_customer":
      return `the person who manages the DNS of ${registrableDomain} acts next`;
    case "tenant":
      return "the owner of the application acts next";
    case "operator":
      return "the operator of the service acts next";
    case "wait":
      return "there is nothing to do but wait";
  }
}

/** Nothing is wrong; the state says what comes next. */
function withoutProblem({ state, hostname }: Connection, findings: readonly Finding[]): string {
  if (findings.some(({ code }) => code === "check_incomplete")) {
    return `Nothing wrong was found with ${hostname}, but not everything could be checked in time; ask again shortly.`;
  }
  switch (state) {
    case "live":
      return `${hostname} is connected and everything is right.`;
    case "drifted":
      return `The records of ${hostname} are right again; the next check takes it up.`;
    case "issuing_cert":
      return `The certificate of ${hostname} is being obtained; there is nothing to do but wait.`;
    case "verified":
    case "dns_writing":
      return `${hostname} is verified and its records are next; the service acts next.`;
    default:
      return `Nothing is wrong with ${hostname}; the next check takes it up.`;
  }
}
