// Names and records.

export { nearestEnding } from "./ending.ts";
export { cutText, foreignLine, foreignText, isStorableText } from "./foreign-text.ts";
export {
  baseName,
  confusables,
  type HostnameParts,
  isAtOrBelow,
  isSubdomainOf,
  normalizeName,
  parseHostname,
  registrableDomain,
  registryDomain,
  selfAndAncestors,
  splitHostname,
  toAbsolute,
  toRelative,
  toUnicode,
  wildcardOver,
} from "./name.ts";
export { createNameFilter, type NameFilter } from "./name-filter.ts";
export { presentData } from "./presentation.ts";
export {
  canonicalIpv6,
  type DnsRecord,
  isRecordType,
  type ParsedRecord,
  parseRecord,
  recordKey,
  recordTypes,
  sameRecord,
} from "./record.ts";
export { longestZone, type Zone, type ZoneListing } from "./zone.ts";

// Asking DNS.

export { createLimiter, type Limiter, type ServerPolicy } from "./client/limiter.ts";
export { askFor, type Share, type Urgency } from "./client/share.ts";
export type { DnssecFault, DnssecReason, DnssecVerdict } from "./dnssec/verdict.ts";
export {
  type AuthorityAnswer,
  type AuthorityAnswers,
  askAuthority,
  withoutCaches,
} from "./resolve/at-authority.ts";
export { createNetworkResolver } from "./resolve/network-resolver.ts";
export type {
  Failed,
  FailureReason,
  FoundZone,
  NameServer,
  Reply,
  Resolver,
  ReusingResolver,
} from "./resolve/resolver.ts";
export { probedName, withWildcardProbe } from "./resolve/wildcard-probe.ts";
export type { AnswerRecord } from "./wire/message.ts";
export type { QueryType } from "./wire/rdata.ts";

// Serving the validation zone.

export {
  type NameServerStats,
  type RunningNameServer,
  startNameServer,
} from "./server/name-server.ts";
export {
  createAnswerer,
  type ValidationNames,
  type ValidationZone,
  validationNegativeTtlSeconds,
  validationTtlSeconds,
  validationZoneProblem,
} from "./server/validation-zone.ts";

// Checks: who may issue, whether a zone is signed, what every server holds, who runs it.

export {
  type CdnFinder,
  type CdnRanges,
  cdnByFields,
  cdnName,
  createCdnFinder,
  parseCdnRanges,
} from "./cdn/cdn.ts";
export {
  type AliasStatus,
  acmeChallengeName,
  checkAlias,
  persistChallengeName,
} from "./checks/alias.ts";
export { type CaaIssuer, type CaaRefusal, type CaaVerdict, caaAllows } from "./checks/caa.ts";
export { confirmRecords, withOneServer } from "./checks/confirm-records.ts";
export {
  type Detection,
  detectedPanel,
  detectProvider,
  isProxyAddress,
} from "./checks/detect.ts";
export {
  checkDnssec,
  type DnssecCheck,
  type DnssecStatus,
  validateHostname,
} from "./checks/dnssec.ts";
export { maxObservedLength, maxObservedValues } from "./checks/observed-values.ts";
export {
  checkRecords,
  nothingObserved,
  type RecordCheck,
  type RecordOutcome,
  type RecordsCheck,
  resolveAddresses,
  type ServerCheck,
} from "./checks/records.ts";
export { leadsElsewhere } from "./checks/service-bindings.ts";
export {
  proveCname,
  proveTxt,
  type RecordProof,
  type ServerProof,
  type Silence,
  type TxtProof,
} from "./checks/txt-proof.ts";

// Plans: changes to a zone as values.

export {
  type Change,
  type ConflictKind,
  changeId,
  conflictKinds,
  type Plan,
  planEdits,
  planTraces,
  type Retimed,
} from "./plan/change.ts";
export { obstaclesFor, planChanges } from "./plan/plan.ts";
export { planLowerTtl } from "./plan/retime.ts";
export { planRevert } from "./plan/revert.ts";
export type { PlanInput } from "./plan/safety.ts";

// Providers: manifests, adapters and what they share.

export {
  authorizationUrl,
  type OAuthClient,
  oauthSignIns,
} from "./oauth/sign-ins.ts";
export {
  exchangeOAuthCode,
  type OAuthTokens,
  refreshOAuthTokens,
  revokeOAuthToken,
} from "./oauth/token-client.ts";
export {
  type Credentials,
  certificatePin,
  type Dial,
  type DnsProvider,
  defineProvider,
  type ProviderAdapter,
} from "./providers/adapter/contract.ts";
export { type Delegation, judgeDelegation } from "./providers/adapter/delegation.ts";
export { ProviderError, type ProviderErrorKind } from "./providers/adapter/errors.ts";
export type { Fetch } from "./providers/adapter/http.ts";
export type { ProviderManifest } from "./providers/adapter/manifest.ts";
export {
  listRows,
  type RecordEdits,
  type Row,
  readRow,
  recordEdits,
} from "./providers/adapter/rows.ts";
export { findForm, findPanel, findTokenGuide, formValue } from "./providers/guide/find-guide.ts";
export {
  type PanelGuide,
  type PanelNote,
  panelNotes,
  type RecordForm,
  type TokenGuide,
  tokenActions,
} from "./providers/guide/guide.ts";
export { findAdapter, findProvider, providers } from "./providers/registry.ts";

// Domain Connect.

export {
  type ApplyRequest,
  applyUrl,
  type SigningKey,
  verifyApplyQuery,
} from "./domain-connect/apply-link.ts";
export {
  type AsyncClient,
  type AsyncGrant,
  applyAsync,
  consentUrl,
  exchangeCode,
  refreshGrant,
  revertAsync,
} from "./domain-connect/async-client.ts";
export {
  type DomainConnectRefusal,
  type DomainConnectSettings,
  discoverDomainConnect,
  templateSupport,
} from "./domain-connect/discovery.ts";
export { createSigningKeyPair, keyRecords, readKeyRecords } from "./domain-connect/key-records.ts";
export type { DomainConnectTemplate, TemplateIdentity } from "./domain-connect/template.ts";
export {
  type MadeTemplate,
  type OwnershipPattern,
  templateFromRecords,
  variablesFor,
} from "./domain-connect/template-from-records.ts";
export { lintTemplate, type TemplateIssue } from "./domain-connect/template-lint.ts";

// Mail: the records that a mailbox provider needs, and which of them may be written.

export {
  decideMail,
  type MailDecision,
  type MailObservation,
  type MailPlan,
} from "./email/decide.ts";
export { generateMail, type MailRecord, type MailRole, type MailSet } from "./email/generate.ts";
export { derivedMicrosoftMx, mxHolder } from "./email/mx-host.ts";
export {
  distinctNotes,
  type MailNote,
  type MailNoteCode,
  mailNote,
  mailNoteCodes,
  mailNoteText,
} from "./email/notes.ts";
export {
  findMailboxProvider,
  type MailboxKey,
  mailboxNames,
  mailboxProviders,
} from "./email/presets.ts";
export { isSpf } from "./email/spf.ts";
export {
  maxSpfLookups,
  maxSpfVoidLookups,
  type SpfCost,
  spfCost,
  spfQuestionKey,
} from "./email/spf-cost.ts";
export { mergeSpf } from "./email/spf-merge.ts";

// Sending domains: the records that a service for sending mail needs.

export { readSendingAccount } from "./sending/account.ts";
export { decideSending, type SendingRecordStatus, sendingStatus } from "./sending/decide.ts";
export {
  generateSending,
  type SendingInputs,
  type SendingRecord,
  type SendingSet,
} from "./sending/generate.ts";
export {
  findSendingProvider,
  type SendingKey,
  sendingKeys,
  sendingProviders,
} from "./sending/presets.ts";
export type { SendingAccess } from "./sending/reader.ts";
