import type { Tx } from "../../db/engine/transaction.ts";
import { insertApiKey } from "../../db/queries/api-keys.ts";
import { findApplications } from "../../db/queries/applications.ts";
import { insertAudit } from "../../db/queries/audit.ts";
import type { Tenant } from "../../db/queries/tenants.ts";
import { type ApiKey, generateApiKey, hashApiKey } from "../../domain/api-key.ts";
import type { Application } from "../../domain/application.ts";
import { AppError } from "../../domain/errors.ts";
import type { Environment, Scope } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";
import { firstKey, requireTenant } from "./tenants.ts";

export interface OperatorKeyRequest {
  /** Id or name. */
  readonly tenant: string;
  readonly environment: Environment;
  /** Id or name; `Default` is the one every tenant begins with. */
  readonly application: string;
  readonly name: string;
  /** All scopes when not given. */
  readonly scopes?: readonly Scope[];
}

export interface OperatorKey {
  readonly tenant: Tenant;
  readonly application: Application;
  readonly key: ApiKey;
  /** Shown once; only its hash is kept. */
  readonly secret: string;
}

/** A key for one of a tenant's applications, made by the operator rather than by another key. */
export async function createOperatorKey(
  runtime: Runtime,
  request: OperatorKeyRequest,
): Promise<OperatorKey> {
  const now = runtime.clock.now();
  const secret = generateApiKey(request.environment);
  return runtime.transaction(async (tx) => {
    const tenant = await requireTenant(tx, request.tenant);
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
