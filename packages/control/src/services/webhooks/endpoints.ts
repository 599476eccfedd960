import { randomBytes } from "node:crypto";
import { EgressError } from "@mooring/egress";
import type { SealContext, Vault } from "@mooring/vault";
import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  type EndpointChanges,
  insertEndpoint,
  lockEndpointSecret,
  pageEndpoints,
  deleteEndpoint as remove,
  rotateEndpointSecret,
  type StoredUrl,
  sealPlainUrl,
  selectEndpoint,
  selectPlainUrls,
  updateEndpoint as update,
} from "../../db/queries/webhooks/webhook-endpoints.ts";
import { invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { subscribableTypes } from "../../domain/webhooks/event.ts";
import { maskUrl } from "../../domain/webhooks/masked-url.ts";
import { endpointFormats, type WebhookEndpoint } from "../../domain/webhooks/webhook.ts";
import { requireBelowCap } from "../applications/applications.ts";
import { audit, type ServiceContext } from "../context.ts";
import { type Listing, pageQuery, readPage } from "../paging.ts";
import type { Runtime } from "../runtime.ts";
import { startResume } from "./endpoint-jobs.ts";

const url = z
  .string()
  .max(2_000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "expected an https URL",
  });
const events = z
  .array(z.enum([...subscribableTypes, "*"]))
  .min(1)
  .max(subscribableTypes.length + 1)
  .transform((kinds) => [...new Set(kinds)]);

const format = z.enum(endpointFormats);

export const CreateEndpoint = z.strictObject({
  application_id: z.uuid(),
  url: url.describe("https; in the test environment http too"),
  events: events.optional().describe("Event kinds to receive; all of them by default"),
  format: format
    .optional()
    .describe(
      "How events are sent; default `standard`. `cloudflare`: as Cloudflare notifies of the certificates of custom hostnames, with the signing secret in `cf-webhook-auth`",
    ),
});
export type CreateEndpoint = z.infer<typeof CreateEndpoint>;

export const UpdateEndpoint = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  format: format.optional(),
  active: z.boolean().optional(),
});
export type UpdateEndpoint = z.infer<typeof UpdateEndpoint>;

export const ListEndpoints = z.strictObject({
  application_id: z.uuid().optional(),
  ...pageQuery,
});
export type ListEndpoints = z.infer<typeof ListEndpoints>;

export const ReplaySince = z.strictObject({
  since: z.iso.datetime({ offset: true }).describe("Events of this time and later are sent again"),
  failed_only: z
    .boolean()
    .optional()
    .describe("Only deliveries that the receiver did not take, of this time and later"),
  event_type: z.enum(subscribableTypes).optional().describe("Only events of this kind"),
});
export type ReplaySince = z.infer<typeof ReplaySince>;

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

/** Registers a receiver. Its signing secret is in the reply, and stored sealed only. */
export async function createEndpoint(
  ctx: ServiceContext,
  input: CreateEndpoint,
): Promise<EndpointWithSecret> {
  const createdAt = ctx.now();
  const endpoint: WebhookEndpoint = {
    id: newId(createdAt),
    applicationId: input.application_id,
    url: requireReceiverUrl(ctx, input.url),
    events: input.events ?? ["*"],
    format: input.format ?? "standard",
    active: true,
    disabledReason: null,
    replay: null,
    createdAt,
  };
  const secret = newSigningSecret();
  const { tenantId } = ctx.actor;
  const { vault } = ctx.runtime;
  const sealed = sealSecret(vault, secret, tenantId, endpoint.id, "sealed_secret");
  const address = storedUrl(vault, endpoint.url, tenantId, endpoint.id);
  return ctx.write(async (tx) => {
    await requireBelowCap(tx, input.application_id, "webhook_endpoints");
    await insertEndpoint(tx, ctx.actor, endpoint, sealed, address);
    await audit(ctx, tx, "webhook_endpoint.create", endpoint.id);
    return { endpoint, secret };
  });
}

export function getEndpoint(ctx: ServiceContext, id: string): Promise<WebhookEndpoint> {
  return ctx.read((tx) => requireEndpoint(tx, id));
}

export async function requireEndpoint(tx: Tx, id: string): Promise<WebhookEndpoint> {
  const endpoint = await selectEndpoint(tx, id);
  if (!endpoint) throw notFound("webhook endpoint");
  return endpoint;
}

export function listEndpoints(
  ctx: ServiceContext,
  query: ListEndpoints,
): Promise<Listing<WebhookEndpoint>> {
  const applicationId = query.application_id ?? null;
  return readPage(ctx, ["webhook-endpoints", applicationId], query, (tx, page) =>
    pageEndpoints(tx, ctx.actor, applicationId, page),
  );
}

/** While switched off an endpoint gets nothing; switched on again, it gets what it missed. */
export function updateEndpoint(
  ctx: ServiceContext,
  id: string,
  input: UpdateEndpoint,
): Promise<WebhookEndpoint> {
  const { vault } = ctx.runtime;
  const url = input.url === undefined ? null : requireReceiverUrl(ctx, input.url);
  const changes: EndpointChanges = {
    ...(url === null ? {} : { address: storedUrl(vault, url, ctx.actor.tenantId, id) }),
    ...(input.events ? { events: input.events } : {}),
    ...(input.format ? { format: input.format } : {}),
    ...(input.active === undefined ? {} : { active: input.active }),
  };
  return ctx.write(async (tx) => {
    const before = await requireEndpoint(tx, id);
    // What a client has read and sends back is no new URL.
    const { address, ...others } = changes;
    const requested = url === before.url || address === undefined ? others : { ...others, address };
    if (Object.keys(requested).length === 0) return before;
    const endpoint = await update(tx, id, requested);
    if (!endpoint) throw notFound("webhook endpoint");
    if (input.active === true && !before.active) await startResume(ctx, tx, id);
    await audit(ctx, tx, "webhook_endpoint.update", id, { changed: changedFields(input) });
    return endpoint;
  });
}

function changedFields(input: UpdateEndpoint): readonly string[] {
  const fields = ["url", "events", "format", "active"] as const;
  return fields.filter((field) => input[field] !== undefined);
}

/**
 * Deletes the endpoint with its secret and its delivery log; a worker removes a long log
 * afterwards.
 */
export function deleteEndpoint(ctx: ServiceContext, id: string): Promise<null> {
  return ctx.write(async (tx) => {
    const now = ctx.now();
    if (!(await remove(tx, id, newId(now), now))) throw notFound("webhook endpoint");
    await audit(ctx, tx, "webhook_endpoint.delete", id);
    return null;
  });
}

const overlapMs = 24 * 3_600_000;

/** The new secret signs at once; for a day the old one signs too, so that receivers can switch. */
export function rotateSecret(ctx: ServiceContext, id: string): Promise<EndpointWithSecret> {
  const { vault } = ctx.runtime;
  const { tenantId } = ctx.actor;
  const secret = newSigningSecret();
  return ctx.write(async (tx) => {
    const sealedOld = await lockEndpointSecret(tx, id);
    if (!sealedOld) throw notFound("webhook endpoint");
    const old = openSecret(vault, sealedOld, tenantId, id, "sealed_secret");
    await rotateEndpointSecret(tx, id, {
      sealed: sealSecret(vault, secret, tenantId, id, "sealed_secret"),
      previous: sealSecret(vault, old, tenantId, id, "sealed_previous_secret"),
      previousUntil: new Date(ctx.now().getTime() + overlapMs),
    });
    await audit(ctx, tx, "webhook_endpoint.rotate_secret", id);
    return { endpoint: await requireEndpoint(tx, id), secret };
  });
}

/**
 * Checks a receiver's URL without resolving its name; each delivery resolves and checks it again.
 */
function requireReceiverUrl(ctx: ServiceContext, url: string): string {
  const schemes =
    ctx.actor.environment === "test" ? (["http", "https"] as const) : (["https"] as const);
  try {
    return ctx.runtime.webhookEgress.checkUrl(url, { schemes }).toString();
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw invalid([{ path: "url", message: error.message }]);
  }
}

/**
 * `whsec_` and the standard base64 of 32 random bytes, as the Standard Webhooks libraries read it.
 */
function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export type SecretColumn = "sealed_secret" | "sealed_previous_secret" | "sealed_url";

/** Resolves nowhere (RFC 6761 §6.4): where only the sealed URL says where to send. */
const nowhere = "https://sealed.invalid/";

/** A URL that may carry a secret is sealed; of any other there is nothing to hide. */
export function storedUrl(
  vault: Vault,
  url: string,
  tenantId: string,
  endpointId: string,
): StoredUrl {
  const masked = maskUrl(url);
  if (masked === url) return { url, sealed: null, masked: null };
  const sealed = sealSecret(vault, url, tenantId, endpointId, "sealed_url");
  return { url: nowhere, sealed, masked };
}

const sealBatch = 500;

/**
 * Seals the URLs that were stored before URLs were sealed, or by a process of the release before.
 */
export async function sealPlainUrls(runtime: Runtime): Promise<void> {
  for (let after: string | null = null; ; ) {
    const rows = await runtime.transaction((tx) => selectPlainUrls(tx, after, sealBatch));
    for (const { id, tenantId, url } of rows) {
      const address = storedUrl(runtime.vault, url, tenantId, id);
      if (address.sealed === null) continue;
      await runtime.transaction((tx) => sealPlainUrl(tx, id, url, address));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < sealBatch) return;
    after = last.id;
  }
}

export function secretContext(
  tenantId: string,
  endpointId: string,
  column: SecretColumn,
): SealContext {
  return { tenant: tenantId, table: "webhook_endpoints", row: endpointId, column };
}

export function sealSecret(
  vault: Vault,
  secret: string,
  tenantId: string,
  endpointId: string,
  column: SecretColumn,
): string {
  return vault.seal("webhook_secret", secretContext(tenantId, endpointId, column), secret);
}

export function openSecret(
  vault: Vault,
  sealed: string,
  tenantId: string,
  endpointId: string,
  column: SecretColumn,
): string {
  const context = secretContext(tenantId, endpointId, column);
  return vault.open("webhook_secret", context, sealed).toString("utf8");
}
