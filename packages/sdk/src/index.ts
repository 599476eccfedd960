export type {
  CallOptions,
  IdempotentOptions,
  InputOf,
  OperationId,
  ResponseOf,
} from "./api.ts";
export { type Assertion, type AssertionOptions, verifyAssertion } from "./assertion.ts";
export type { JwkSet } from "./assertion-keys.ts";
export { Mooring, type MooringOptions, type SessionOptions } from "./client.ts";
export {
  ApiError,
  type AssertionRefusal,
  AssertionVerificationError,
  ConnectionError,
  type ErrorCode,
  MooringError,
  TimeoutError,
} from "./errors.ts";
export type { StreamOptions } from "./event-stream.ts";
export type { ListAllDeliveries, ListEvents, StreamEvents } from "./events.ts";
export type { Listing, Page } from "./listing.ts";
export type {
  AddPasskey,
  InviteMember,
  ListAudit,
  ListMembers,
  ListSessions,
  UpdateMember,
} from "./people.ts";
export type {
  ApplyEmail,
  ApplyRecords,
  CheckDomain,
  CheckRecords,
  ConnectionTrafficQuery,
  CreateApplication,
  CreateConnection,
  CreateConnectionBatch,
  CreateConnectionPair,
  CreateKey,
  CreateWebhookEndpoint,
  DeleteConnection,
  GenerateEmail,
  ListConnections,
  MintToken,
  ReplaceZone,
  ReplayEvents,
  RevertRecords,
  SetCertificate,
  StartDomainConnect,
  StartSubscription,
  StoreCredential,
  TrafficQuery,
  UpdateApplication,
  UpdateConnection,
  UpdateWebhookEndpoint,
  UsageQuery,
} from "./resources.ts";
export type * from "./schema.gen.ts";
export { connectionStates, eventTypes, setupTypes } from "./schema.gen.ts";
export type { ApplySending } from "./sending.ts";
export type { CreateStatusLink } from "./status-links.ts";
export {
  type SignOptions,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from "./webhooks.ts";
