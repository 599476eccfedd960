export type {
  CallOptions,
  IdempotentOptions,
  InputOf,
  OperationId,
  ResponseOf,
} from "./api.ts";
export { type Assertion, type AssertionOptions, verifyAssertion } from "./assertion.ts";
export { type AssertionRefusal, AssertionVerificationError } from "./assertion-error.ts";
export type { JwkSet } from "./assertion-keys.ts";
export { Mooring, type MooringOptions } from "./client.ts";
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  MooringError,
  TimeoutError,
} from "./errors.ts";
export type { Listing, Page } from "./listing.ts";
export type { CreateApplication, UpdateApplication } from "./resources/applications.ts";
export type {
  ApplyRecords,
  CreateConnection,
  CreateConnectionBatch,
  DeleteConnection,
  ListConnections,
  RevertRecords,
  StartDomainConnect,
} from "./resources/connections.ts";
export type { StoreCredential } from "./resources/credentials.ts";
export type { CheckDomain } from "./resources/domains.ts";
export type { ApplyEmail, GenerateEmail } from "./resources/email.ts";
export type { ListEvents } from "./resources/events.ts";
export type { CreateKey } from "./resources/keys.ts";
export type { ReplaceZone } from "./resources/sandbox.ts";
export type { StartSubscription } from "./resources/subscription.ts";
export type { MintToken } from "./resources/tokens.ts";
export type { UsageQuery } from "./resources/usage.ts";
export type {
  CreateWebhookEndpoint,
  ReplayEvents,
  UpdateWebhookEndpoint,
} from "./resources/webhook-endpoints.ts";
export type * from "./schema.gen.ts";
export { type SignOptions, signWebhook } from "./sign-webhook.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from "./webhooks.ts";
