import { orElse } from "@mooring/concurrency";
import { baseName, splitHostname } from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import type { Tx } from "../../db/engine/transaction.ts";
import { lockValidation, selectValidationLabel } from "../../db/queries/certificates/validation.ts";
import { type ClaimHolder, selectClaimHolder } from "../../db/queries/connections/claims.ts";
import {
  insertConnection,
  selectOpenConnection,
} from "../../db/queries/connections/connections.ts";
import { announceDue } from "../../db/queries/connections/due-connections.ts";
import { lockHostname } from "../../db/queries/connections/hostname-locks.ts";
import { insertTarget, selectTargetLabel } from "../../db/queries/connections/targets.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import type { Application } from "../../domain/applications/application.ts";
import { nextCheckMs } from "../../domain/backoff.ts";
import { validationZoneFor } from "../../domain/certificates/validation.ts";
import { type Connection, holdsClaim, untouched } from "../../domain/connections/connection.ts";
import { type Cutover, newCutover } from "../../domain/connections/cutover.ts";
import { isAnonymous } from "../../domain/connections/reach.ts";
import { AppError, invalid, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { newChallenge } from "../../domain/ownership/ownership-challenge.ts";
import { type Provable, proofRecords } from "../../domain/ownership/proofs.ts";
import { newRandomLabel } from "../../domain/random-label.ts";
import type { Actor } from "../../domain/tenancy.ts";
import { requireApplication } from "../applications/applications.ts";
import { requireOwnCustomer } from "../applications/customer.ts";
import { takeQuota } from "../billing/usage.ts";
import { withBudget } from "../budget.ts";
import type { ServiceContext } from "../context.ts";
import { audit, auditSource } from "../context.ts";
import { detectForCreate } from "../domains/check.ts";
import { requireBoundDomain, requireHostname, requireWildcards } from "../domains/hostname.ts";
import { findOldLocation } from "../domains/in-use.ts";
import { deriveRecords } from "./current-records.ts";
import { type NamedRecords, namedBy } from "./needed.ts";
import { noteToken } from "./reach.ts";
import { shownTo } from "./read.ts";
import type { CreateConnection } from "./schemas.ts";
import { lifecycleSettings } from "./transition.ts";

/**
 * Starts connecting a hostname, or resumes the same application's unfinished connection. DNS is
 * asked before the transaction; everything that decides is checked again inside it.
 */
export async function createConnection(
  ctx: ServiceContext,
  input: CreateConnection,
): Promise<Created & NamedRecords> {
  const application = await ctx.read((tx) => requireApplication(tx, input.application_id));
  const prepared = await prepareConnection(ctx, application, input.hostname, {
    customerRef: requireOwnCustomer(ctx.actor, input.customer_ref),
    isCutover: input.cutover ?? false,
  });
  const { batch_id: batchId = null, contest: mayContest = false } = input;
  return ctx.write(async (tx) => {
    await lockValidation(tx, baseName(prepared.hostname));
    const created = await insertOrResume(ctx, tx, prepared, batchId, { mayContest });
    return { ...created, ...namedBy(ctx.runtime, application, created.connection) };
  });
}

interface ResumeOptions {
  /** Not blocked by a stranger that has the name. */
  readonly mayContest?: boolean;
  /** A key continues with a live connection too, instead of learning of it by a conflict. */
  readonly resumesHeld?: boolean;
}

export interface Created {
  readonly connection: Connection;
  readonly resumed: boolean;
}

/**
 * Under the hostname's lock: an unfinished or drifted connection of the same application and
 * customer is resumed, any other active holder of the claim is a conflict, and a pending connection
 * never blocks. Who means to contest a name of somebody else is not blocked: only a proof does
 * anything to the holder.
 */
export async function insertOrResume(
  ctx: ServiceContext,
  tx: Tx,
  prepared: Connection,
  batchId: string | null,
  options: ResumeOptions = {},
): Promise<Created> {
  const created = await insertUncounted(ctx, tx, prepared, batchId, options);
  if (created.resumed) return created;
  // Last, because it locks the tenant's counter until the commit. A refusal rolls back the rest.
  await takeQuota(ctx.runtime, tx, ctx.actor, { kind: "connect", cause: created.connection.id });
  return created;
}

/** The same without the tenant's quota, which the caller takes for many at once. */
export async function insertUncounted(
  ctx: ServiceContext,
  tx: Tx,
  prepared: Connection,
  batchId: string | null,
  { mayContest = false, resumesHeld = false }: ResumeOptions = {},
): Promise<Created> {
  await lockHostname(tx, prepared.hostname);
  const open = await selectOpenConnection(tx, prepared);
  if (open && mayResume(ctx.actor, open, resumesHeld)) {
    await noteToken(ctx, tx, open);
    return { connection: shownTo(ctx, open), resumed: true };
  }
  const holder = await selectClaimHolder(tx, prepared.hostname);
  const isBlocked = holder !== null && holder.state !== "drifted";
  const isForeign = holder !== null && !isOwn(ctx.actor, prepared, holder);
  if (isBlocked && !(mayContest && isForeign)) throw conflict(prepared, isForeign ? null : holder);
  const tokenId = isAnonymous(ctx.actor) ? ctx.actor.tokenId : null;
  const labelled = withLabel(prepared, await selectValidationLabel(tx, prepared, tokenId));
  const connection = await withTarget(tx, { ...labelled, batchId });
  await insertNew(ctx, tx, connection);
  await noteToken(ctx, tx, connection);
  return { connection, resumed: false };
}

/** One CNAME serves a name and its wildcard: the second gets the label of the first. */
function withLabel(connection: Connection, shared: string | null): Connection {
  const { validationLabel: own, desiredRecords } = connection;
  if (shared === null || own === null) return connection;
  const renamed = desiredRecords.map((record) => ({
    ...record,
    value: record.value.replaceAll(own, shared),
  }));
  return { ...connection, validationLabel: shared, desiredRecords: renamed };
}

/** The customer's own target for the hostname, also after an earlier connection was archived. */
async function withTarget(tx: Tx, connection: Connection): Promise<Connection> {
  const { targetLabel: candidate, desiredRecords, createdAt } = connection;
  if (candidate === null) return connection;
  const known = await selectTargetLabel(tx, connection);
  const targetLabel = known ?? candidate;
  if (known === null) await insertTarget(tx, connection, candidate, createdAt);
  const renamed = desiredRecords.map((record) => ({
    ...record,
    value: record.value.replaceAll(candidate, targetLabel),
  }));
  return { ...connection, targetLabel, desiredRecords: renamed };
}

/**
 * A customer's browser continues with whatever the customer has, a live connection included. One
 * that could be anybody's is given an unproven connection only. A key learns of a live one by a
 * conflict.
 */
function mayResume(actor: Actor, open: Connection, resumesHeld: boolean): boolean {
  if (!holdsClaim(open.state)) return true;
  if (actor.kind === "widget") return !isAnonymous(actor);
  return resumesHeld || open.state === "drifted";
}

/** To a browser that could be anybody's every holder is a stranger. */
function isOwn(actor: Actor, prepared: Connection, holder: ClaimHolder): boolean {
  return (
    !isAnonymous(actor) &&
    holder.applicationId === prepared.applicationId &&
    holder.customerRef === prepared.customerRef
  );
}

/**
 * Says nothing of a stranger: another customer of the application is the same as another tenant.
 */
function conflict({ hostname }: Connection, own: ClaimHolder | null): AppError {
  const what =
    own === null
      ? "if it is yours, send `contest: true` and prove it"
      : `continue with connection ${own.connectionId}, or archive it first`;
  return new AppError("HostnameConflict", `${hostname} is already connected: ${what}`, {
    details: own === null ? null : { connection_id: own.connectionId },
  });
}

async function insertNew(ctx: ServiceContext, tx: Tx, connection: Connection): Promise<void> {
  const { createdAt } = connection;
  // With a credential the service publishes the records itself, so the first check is at once.
  const isAutomatic = connection.setupType === "automatic" && connection.mayUseCredentials;
  const settings = lifecycleSettings(ctx.runtime, connection);
  const waitMs = isAutomatic ? 0 : (nextCheckMs(connection.state, 0, settings) ?? 0);
  await insertConnection(tx, connection, new Date(createdAt.getTime() + waitMs));
  await insertEvent(tx, connection, {
    type: "domain.added",
    sequence: connection.sequence,
    at: createdAt,
    data: {},
  });
  await insertTimeline(tx, connection, {
    kind: "state",
    fromState: "created",
    toState: connection.state,
    errorCode: null,
    details: {},
    createdAt,
    by: auditSource(ctx),
  });
  await audit(ctx, tx, "connection.create", connection.id, { hostname: connection.hostname });
  announceDue(tx, "connections");
}

interface PrepareOptions {
  readonly customerRef: string | null;
  readonly isCutover?: boolean;
  /** Instead of `isCutover`: the move of the name, where it is decided elsewhere. */
  readonly cutover?: Cutover | null;
  /** Whether the caller may connect the name; by default the one that its token is bound to. */
  readonly requireName?: (hostname: string) => void;
}

/** What a customer can prove ownership with, none of it used before. */
async function newProofs(
  runtime: ServiceContext["runtime"],
  hostname: string,
  signal: AbortSignal,
) {
  return {
    validationLabel: newRandomLabel(),
    targetLabel: runtime.config.edgeTargets === "unique" ? newRandomLabel() : null,
    pointsToTarget: await runtime.targets.mayBeDesired(hostname, signal),
    challenge: newChallenge(),
    ownership: null,
  };
}

/** A connection as it would be created: hostname validated, provider detected, records rendered. */
export async function prepareConnection(
  ctx: ServiceContext,
  application: Application,
  spelling: string,
  { customerRef, isCutover = false, cutover: planned, requireName }: PrepareOptions,
): Promise<Connection> {
  const { actor, runtime } = ctx;
  if (actor.kind === "widget" && actor.applicationId !== application.id) {
    throw notFound("application");
  }
  const hostname = requireHostname(runtime.config, actor.environment, spelling, "hostname", {
    allowsWildcard: true,
  });
  requireWildcards(runtime.config, application, hostname);
  if (requireName === undefined) requireBoundDomain(actor, hostname);
  else requireName(hostname);
  const found = await detectForCreate(
    runtime,
    actor.environment,
    hostname,
    ctx.signal,
    application.recordTemplate,
    application.id,
  );
  const cutover = planned ?? (isCutover ? await startCutover(ctx, hostname) : null);
  const now = ctx.now();
  const { registrableDomain, kind } = splitHostname(hostname);
  const { provider, zone, setupType } = found;
  const name = {
    id: newId(now),
    hostname,
    registrableDomain,
    kind,
    provider,
    zone,
    cutover,
    ...(await newProofs(runtime, hostname, ctx.signal)),
  };
  const targetLabel = name.pointsToTarget ? name.targetLabel : null;
  requireProvable(runtime.config, application, { ...name, targetLabel });
  return {
    ...name,
    tenantId: actor.tenantId,
    environment: actor.environment,
    applicationId: application.id,
    setupType,
    mayUseCredentials: actor.kind !== "widget" || actor.domain === hostname,
    desiredRecords: deriveRecords(runtime.config, application, name),
    customerRef,
    ...untouched,
    phaseStartedAt: now,
    createdAt: now,
  };
}

/** An apex has no CNAME of its own, and not every installation has unique targets. */
function requireProvable(config: Config, { proofs }: Application, name: Provable): void {
  if (proofRecords(name, proofs, config).length > 0) return;
  const message = `This name cannot be proven by what the application accepts: ${proofs.join(", ")}.`;
  throw invalid([{ path: "hostname", message }]);
}

/** Null for a name that serves nobody now: it takes the ordinary path. */
export async function startCutover(ctx: ServiceContext, hostname: string): Promise<Cutover | null> {
  const { runtime, actor, signal } = ctx;
  const { config } = runtime;
  if (
    config.edgeKind === "external" ||
    validationZoneFor(config.validationZone, hostname) === null
  ) {
    const message = "A cut-over needs delegated validation, which is not configured here.";
    throw invalid([{ path: "cutover", message }]);
  }
  const resolver = runtime.dns.resolverFor(actor.environment, hostname);
  const old = await withBudget(inUseBudgetMs, signal, (inner) =>
    orElse(inner, findOldLocation(resolver, hostname, config, inner), undefined),
  );
  // What DNS did not answer in time is asked again by the checks.
  return old === null ? null : newCutover(old ?? null);
}

const inUseBudgetMs = 3_000;
