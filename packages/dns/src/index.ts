// DNS as it is seen from outside: who may issue, whether it is signed, what every server holds.

export {
  type DetectedProvider,
  type Detection,
  detectProvider,
  isProxyAddress,
} from "./checks/detect.ts";
export {
  type CaaIssuer,
  type CaaVerdict,
  caaAllows,
  type DnssecStatus,
  dnssecStatus,
} from "./checks/issuance.ts";
export {
  type CheckOptions,
  checkRecords,
  type RecordCheck,
  type RecordOutcome,
  type RecordsCheck,
  type ServerCheck,
} from "./checks/records.ts";
export {
  type ProofReason,
  proveTxt,
  type ServerProof,
  type TxtExpectation,
  type TxtProof,
} from "./checks/txt-proof.ts";
export { createLimiter, type Limiter, type ServerPolicy } from "./client/limiter.ts";
export {
  type ApplyRequest,
  applyUrl,
  type ReceivedQuery,
  readApplyQuery,
  type SigningKey,
  signApplyQuery,
  verifyApplyQuery,
} from "./domain-connect/apply-link.ts";
export type { TemplateConflict } from "./domain-connect/async-client.ts";
export {
  type AsyncApplied,
  type AsyncApply,
  type AsyncClient,
  type AsyncGrant,
  type AsyncTarget,
  applyAsync,
  type ConsentRequest,
  consentUrl,
  exchangeCode,
  refreshGrant,
  revertAsync,
} from "./domain-connect/async-client.ts";
export type { DomainConnectSettings } from "./domain-connect/discovery.ts";
export {
  type DiscoveryOptions,
  type DomainConnectDiscovery,
  type DomainConnectRefusal,
  discoverDomainConnect,
  type TemplateSupport,
  templateSupport,
} from "./domain-connect/discovery.ts";
export {
  createSigningKeyPair,
  keyRecords,
  type PublishedKey,
  readKeyRecords,
  type SigningKeyPair,
} from "./domain-connect/key-records.ts";
export type {
  DomainConnectRecord,
  DomainConnectTemplate,
  TemplateIdentity,
} from "./domain-connect/template.ts";
export type { EdgeAddresses, RecordPattern } from "./domain-connect/template-from-records.ts";
export {
  type MadeTemplate,
  type OwnershipPattern,
  type TemplateSource,
  templateFromRecords,
  variablesFor,
} from "./domain-connect/template-from-records.ts";
export { lintTemplate, type TemplateIssue } from "./domain-connect/template-lint.ts";
export type { MailAction, MailDecision, MailSeen } from "./email/decide.ts";
// Mail: what a mailbox provider wants in DNS, and what of it may be written.
export { decideMail, type MailPlan } from "./email/decide.ts";
export {
  type Generated,
  generateMail,
  type MailInputs,
  type MailRecord,
  type MailRequest,
  type MailRole,
  type MailSet,
} from "./email/generate.ts";
export { derivedMicrosoftMx, mxHolder } from "./email/mx-host.ts";
export type { MailboxKey } from "./email/presets.ts";
export { findMailboxProvider, mailboxNames, mailboxProviders } from "./email/presets.ts";
export { isSpf } from "./email/spf.ts";
export {
  MOST_SPF_LOOKUPS,
  MOST_SPF_VOIDS,
  type SpfAnswers,
  type SpfCost,
  type SpfQuestion,
  spfCost,
  spfQuestionKey,
} from "./email/spf-cost.ts";
export { mergeSpf, type SpfMerge } from "./email/spf-merge.ts";
// Names and records.
export {
  type ConfusableLabel,
  confusables,
  type HostnameParts,
  type HostnameRefusal,
  isAtOrBelow,
  isSubdomainOf,
  normalizeName,
  type ParsedHostname,
  parseHostname,
  registrableDomain,
  registryDomain,
  selfAndAncestors,
  splitHostname,
  toAbsolute,
  toRelative,
  toUnicode,
} from "./name.ts";
// Providers: what is known of them, whose servers these are, and writing to them.
export {
  type Change,
  type ChangeAction,
  changeId,
  editsOf,
  type Plan,
  tracesOf,
} from "./plan/change.ts";
export { type Obstacles, obstaclesFor, type PlanResult, planChanges } from "./plan/plan.ts";
export { planRevert } from "./plan/revert.ts";
export type { PlanInput, Refusal, RefusalCode } from "./plan/safety.ts";
export { joinTxt, quoteTxt, splitTxt, unquoteTxt } from "./presentation.ts";
export {
  type Credentials,
  type Dial,
  type DnsProvider,
  defineProvider,
  type ProviderAdapter,
  type ProviderEnvironment,
} from "./providers/adapter/contract.ts";
export { ProviderError, type ProviderErrorKind } from "./providers/adapter/errors.ts";
export type { Fetch } from "./providers/adapter/http.ts";
export type {
  CredentialField,
  ProviderCapabilities,
  ProviderManifest,
} from "./providers/adapter/manifest.ts";
export {
  listingOf,
  type RecordEdits,
  type Row,
  readRow,
  recordEdits,
} from "./providers/adapter/rows.ts";
export { adapters, findAdapter, findProvider, providers } from "./providers/registry.ts";
export {
  canonicalIpv6,
  type DnsRecord,
  hasPriority,
  isRecordType,
  type ParsedRecord,
  parseRecord,
  parseValue,
  printRecord,
  RECORD_TYPES,
  type RecordInput,
  type RecordType,
  recordKey,
  sameRecord,
} from "./record.ts";
export {
  createNetworkResolver,
  type NetworkLimits,
  type NetworkResolverOptions,
} from "./resolve/network-resolver.ts";
export type {
  Failed,
  FailureReason,
  FoundZone,
  NameServer,
  Reply,
  Resolver,
} from "./resolve/resolver.ts";
export { withAnswerCache } from "./resolve/resolver.ts";
export type { AnswerRecord } from "./wire/message.ts";
export type { QueryType } from "./wire/rdata.ts";
export { longestZone, type OpaqueRecord, type Zone, type ZoneListing } from "./zone.ts";
