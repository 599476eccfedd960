// DNS as it is seen from outside: who may issue, whether it is signed, what every server holds.
export { type CaaIssuer, type CaaVerdict, caaAllows } from "./caa.ts";
// Providers: what is known of them, whose servers these are, and writing to them.
export {
  type Change,
  type ChangeAction,
  changeId,
  editsOf,
  type Plan,
  tracesOf,
} from "./change.ts";
export {
  addressesOf,
  type CheckOptions,
  checkRecords,
  type RecordCheck,
  type RecordOutcome,
  type RecordsCheck,
  type ServerCheck,
} from "./check-records.ts";
// Names and records.
export { type ConfusableLabel, confusables } from "./confusables.ts";
export { type DetectedProvider, type Detection, detectProvider } from "./detect.ts";
export { type DnssecStatus, dnssecStatus } from "./dnssec.ts";
export { type ApplyRequest, applyUrl } from "./domain-connect/apply-url.ts";
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
export {
  type DiscoveryOptions,
  type DomainConnectDiscovery,
  type DomainConnectRefusal,
  discoverDomainConnect,
} from "./domain-connect/discovery.ts";
export {
  createSigningKeyPair,
  keyRecords,
  type PublishedKey,
  readKeyRecords,
  type SigningKeyPair,
} from "./domain-connect/key-records.ts";
export type { EdgeAddresses, RecordPattern } from "./domain-connect/record-pattern.ts";
export type { DomainConnectSettings } from "./domain-connect/settings.ts";
export {
  type ReceivedQuery,
  readApplyQuery,
  type SigningKey,
  signApplyQuery,
  verifyApplyQuery,
} from "./domain-connect/sign.ts";
export type { DomainConnectRecord, DomainConnectTemplate } from "./domain-connect/template.ts";
export type { TemplateConflict } from "./domain-connect/template-conflict.ts";
export {
  type MadeTemplate,
  type OwnershipPattern,
  type TemplateSource,
  templateFromRecords,
  variablesFor,
} from "./domain-connect/template-from-records.ts";
export { lintTemplate, type TemplateIssue } from "./domain-connect/template-lint.ts";
export { planTemplate, type TemplatePlan } from "./domain-connect/template-plan.ts";
export type { TemplateParameters } from "./domain-connect/template-render.ts";
export {
  type TemplateIdentity,
  type TemplateSupport,
  templateSupport,
} from "./domain-connect/template-support.ts";
// Mail: what a mailbox provider wants in DNS, and what of it may be written.
export { decideMail, type MailPlan } from "./email/decide.ts";
export type { MailAction, MailDecision, MailSeen } from "./email/decision.ts";
export {
  type Generated,
  generateMail,
  type MailInputs,
  type MailRecord,
  type MailRequest,
  type MailRole,
  type MailSet,
} from "./email/generate.ts";
export { derivedMicrosoftMx } from "./email/microsoft-token.ts";
export { mxHolder } from "./email/mx-holder.ts";
export type { MailboxKey } from "./email/preset.ts";
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
export { ProviderError, type ProviderErrorKind } from "./errors.ts";
export type { Fetch } from "./http.ts";
export { createLimiter, type Limiter, type ServerPolicy } from "./limiter.ts";
export type { CredentialField, ProviderCapabilities, ProviderManifest } from "./manifest.ts";
export {
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
export {
  createNetworkResolver,
  type NetworkLimits,
  type NetworkResolverOptions,
} from "./network-resolver.ts";
export { type PlanResult, planChanges } from "./plan.ts";
export { type Obstacles, obstaclesFor } from "./plan-rules.ts";
export type { PlanInput, Refusal, RefusalCode } from "./plan-safety.ts";
export {
  type ProofReason,
  proveTxt,
  type ServerProof,
  type TxtExpectation,
  type TxtProof,
} from "./prove-txt.ts";
export {
  type Credentials,
  type Dial,
  type DnsProvider,
  defineProvider,
  type ProviderAdapter,
  type ProviderEnvironment,
} from "./provider.ts";
export { adapters, findAdapter, findProvider, providers } from "./providers/registry.ts";
export { isProxyAddress } from "./proxy-ranges.ts";
export {
  type DnsRecord,
  hasPriority,
  isRecordType,
  type ParsedRecord,
  parseRecord,
  printRecord,
  RECORD_TYPES,
  type RecordInput,
  type RecordType,
  recordKey,
  sameRecord,
} from "./record.ts";
export { canonicalIpv6, parseValue } from "./record-value.ts";
export { rememberAnswers } from "./remember-answers.ts";
export type {
  AnswerRecord,
  Failed,
  FailureReason,
  FoundZone,
  NameServer,
  QueryType,
  Reply,
  Resolver,
} from "./resolver.ts";
export { planRevert } from "./revert.ts";
export { listingOf, type RecordEdits, type Row, readRow, recordEdits } from "./rows.ts";
export { joinTxt, quoteTxt, splitTxt, unquoteTxt } from "./txt.ts";
export { longestZone, type OpaqueRecord, type Zone, type ZoneListing } from "./zone.ts";
