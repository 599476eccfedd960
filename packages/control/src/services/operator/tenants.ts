import type { Tx } from "../../db/engine/transaction.ts";
import { insertApiKey } from "../../db/queries/applications/api-keys.ts";
import { findApplications, insertApplication } from "../../db/queries/applications/applications.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import {
  findTenants,
  insertTenant,
  lockBootstrap,
  selectTenants,
  type Tenant,
  updateTenantPlan,
} from "../../db/queries/operator/tenants.ts";
import {
  type ApiKey,
  apiKeyEnvironment,
  generateApiKey,
  hashApiKey,
} from "../../domain/applications/api-key.ts";
import { type Application, defaultOriginTls } from "../../domain/applications/application.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { proofMethods } from "../../domain/ownership/proof-methods.ts";
import { type Environment, environments, type Scope, scopes } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";

/** Operator verbs on tenants and their keys run from the command line, under the operator role. */
export interface NewTenant {
  readonly tenant: Tenant;
  /** Shown once; only hashes are stored. */
  readonly keys: Readonly<Record<Environment, string>>;
}

export interface ChosenKeys {
  readonly test?: string | null;
  readonly live?: string | null;
}

/** A tenant with one `Default` application and one all-scope key in each environment. */
export async function createTenant(
  runtime: Runtime,
  name: string,
  chosen: ChosenKeys = {},
): Promise<NewTenant> {
  return runtime.transaction(async (tx) => {
    const made = await makeTenant(runtime, tx, name);
    const keys = completeKeys(chosen);
    await addFirstKeys(tx, made, keys);
    return { tenant: made.tenant, keys };
  });
}

export interface FirstTenant {
  readonly tenant: Tenant;
  /** Those that were made now, to be shown once; null in production, where output ends in logs. */
  readonly keys: NewTenant["keys"] | null;
}

/**
 * The first tenant of an empty database; null when there is one already. Safe to call concurrently.
 * In production it has the configured keys alone: others are made where they can be shown.
 */
export async function bootstrap(runtime: Runtime): Promise<FirstTenant | null> {
  const { bootstrapTestKey: test, bootstrapLiveKey: live, isProduction } = runtime.config;
  return runtime.transaction(async (tx) => {
    await lockBootstrap(tx);
    if ((await selectTenants(tx)).length > 0) return null;
    const made = await makeTenant(runtime, tx, "Default");
    const keys = isProduction ? null : completeKeys({ test, live });
    await addFirstKeys(tx, made, keys ?? { test, live });
    return { tenant: made.tenant, keys };
  });
}

function completeKeys({ test, live }: ChosenKeys): NewTenant["keys"] {
  return { test: test ?? generateApiKey("test"), live: live ?? generateApiKey("live") };
}

export function listTenants(runtime: Runtime): Promise<Tenant[]> {
  return runtime.transaction(selectTenants);
}

/** The one tenant with this id or name, or an error that says what to do. */
export async function requireTenant(tx: Tx, idOrName: string): Promise<Tenant> {
  const [tenant, second] = await findTenants(tx, idOrName);
  if (!tenant) throw new AppError("not_found", `there is no tenant ${idOrName}`);
  if (second) throw new AppError("conflict", `several tenants are called ${idOrName}: give the id`);
  return tenant;
}

/** Refuses what makes no sense for a tenant that is being deleted. */
export function requireNotDeleted({ name, state }: Tenant): void {
  if (state === "deleting") {
    throw new AppError("conflict", `${name} is being deleted: resume it first`);
  }
}

export async function setTenantPlan(
  runtime: Runtime,
  idOrName: string,
  plan: string,
): Promise<Tenant> {
  const chosen = runtime.plans.find((one) => one.id === plan || one.name === plan);
  if (!chosen) {
    const ids = runtime.plans.map((one) => one.id).join(", ");
    throw new AppError("invalid", `there is no plan ${plan}; there are ${ids}`);
  }
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, idOrName);
    await updateTenantPlan(tx, tenant.id, chosen.id);
    await insertAudit(tx, {
      tenantId: tenant.id,
      environment: null,
      at: runtime.clock.now(),
      actor: "operator",
      action: "tenant.set_plan",
      subject: `tenant:${tenant.id}`,
      details: { from: tenant.plan, to: chosen.id },
    });
    return { ...tenant, plan: chosen.id };
  });
}

interface MadeTenant {
  readonly tenant: Tenant;
  /** One in each environment. */
  readonly applications: readonly Application[];
}

async function makeTenant(runtime: Runtime, tx: Tx, name: string): Promise<MadeTenant> {
  const now = runtime.clock.now();
  const tenant: Tenant = {
    id: newId(now),
    name,
    plan: runtime.config.defaultPlan,
    createdAt: now,
    state: "active",
    suspendedReason: null,
    deletedAt: null,
  };
  await insertTenant(tx, tenant);
  await insertAudit(tx, {
    tenantId: tenant.id,
    environment: null,
    at: now,
    actor: "operator",
    action: "tenant.create",
    subject: `tenant:${tenant.id}`,
  });
  const applications = environments.map((one) => defaultApplication(tenant, one, now));
  for (const application of applications) await insertApplication(tx, application);
  return { tenant, applications };
}

async function addFirstKeys(
  tx: Tx,
  { tenant, applications }: MadeTenant,
  keys: ChosenKeys,
): Promise<void> {
  for (const application of applications) {
    const { environment } = application;
    const secret = keys[environment] ?? null;
    if (secret === null) continue;
    if (apiKeyEnvironment(secret) !== environment) {
      const variable = `BOOTSTRAP_${environment.toUpperCase()}_KEY`;
      throw new AppError("invalid", `${variable} is not a well-formed ${environment} key`);
    }
    const key = firstKey(application, secret, tenant.createdAt);
    await insertApiKey(tx, tenant.id, key, hashApiKey(secret));
  }
}

function defaultApplication(tenant: Tenant, environment: Environment, now: Date): Application {
  return {
    id: newId(now),
    tenantId: tenant.id,
    environment,
    name: "Default",
    allowedOrigins: [],
    recordTemplate: [],
    originUrl: null,
    originHostHeader: "preserve",
    origins: [],
    originTls: defaultOriginTls,
    brand: null,
    edge: {},
    wildcards: true,
    proxied: "accept",
    keepOAuth: false,
    proofs: proofMethods,
    createdAt: now,
  };
}

function firstKey(application: Application, secret: string, now: Date, name = "First key"): ApiKey {
  return {
    id: newId(now),
    applicationId: application.id,
    environment: application.environment,
    name,
    last4: secret.slice(-4),
    scopes,
    createdAt: now,
    createdBy: "operator",
    createdByName: null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

export interface OperatorKeyRequest {
  /** Id or name. */
  readonly tenant: string;
  readonly environment: Environment;
  /** Id or name; every tenant starts with one called `Default`. */
  readonly application: string;
  readonly name: string;
  /** All scopes when absent. */
  readonly scopes?: readonly Scope[];
}

export interface OperatorKey {
  readonly tenant: Tenant;
  readonly application: Application;
  readonly key: ApiKey;
  /** Shown once; only its hash is stored. */
  readonly secret: string;
}

/**
 * A key for one of a tenant's applications, created by the operator rather than with another key.
 */
export async function createOperatorKey(
  runtime: Runtime,
  request: OperatorKeyRequest,
): Promise<OperatorKey> {
  const now = runtime.clock.now();
  const secret = generateApiKey(request.environment);
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, request.tenant);
    requireNotDeleted(tenant);
    const application = await requireNamed(tx, tenant, request);
    const made = firstKey(application, secret, now, request.name);
    const key = { ...made, scopes: request.scopes ?? made.scopes };
    await insertApiKey(tx, tenant.id, key, hashApiKey(secret));
    await insertAudit(tx, {
      tenantId: tenant.id,
      environment: application.environment,
      at: now,
      actor: "operator",
      action: "api_key.create",
      subject: `api_key:${key.id}`,
      details: { scopes: key.scopes },
    });
    return { tenant, application, key, secret };
  });
}

async function requireNamed(
  tx: Tx,
  tenant: Tenant,
  request: OperatorKeyRequest,
): Promise<Application> {
  const scope = { tenantId: tenant.id, environment: request.environment };
  const [application, second] = await findApplications(tx, scope, request.application);
  if (!application) {
    throw new AppError(
      "not_found",
      `${tenant.name} has no ${request.environment} application ${request.application}`,
    );
  }
  if (second) {
    throw new AppError(
      "conflict",
      `several ${request.environment} applications of ${tenant.name} are called ${request.application}: give the id`,
    );
  }
  return application;
}
