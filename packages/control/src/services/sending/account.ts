import {
  findSendingProvider,
  ProviderError,
  readSendingAccount,
  type SendingAccess,
  type SendingKey,
} from "@mooring/dns";
import { type SealContext, VaultError } from "@mooring/vault";
import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import type { SendingDomain } from "../../domain/sending/sending.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

export function accessContext(tenantId: string, id: string): SealContext {
  return { tenant: tenantId, table: "sending_domains", row: id, column: "sealed_access" };
}

/** A key's caller alone may give the tenant's access, and whole. */
export function requireAccess(
  { actor }: ServiceContext,
  provider: SendingKey,
  access: SendingAccess,
): void {
  if (actor.kind === "widget") {
    throw new AppError("forbidden", "a widget token cannot give access to the tenant's account");
  }
  const fields = findSendingProvider(provider)?.access ?? [];
  if (fields.length === 0) {
    const message = "values cannot be read from this service; give `inputs`";
    throw invalid([{ path: "access", message }]);
  }
  const missing = fields.filter((field) => access[field] === undefined);
  const unknown = Object.keys(access).filter((field) => !fields.includes(field));
  const issues = [
    ...missing.map((field) => ({ path: `access.${field}`, message: "is required" })),
    ...unknown.map((field) => ({
      path: `access.${field}`,
      message: `unknown field; it takes ${fields.join(", ")}`,
    })),
  ];
  const region = access["region"];
  if (region !== undefined && !/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region)) {
    issues.push({ path: "access.region", message: "is not a region, like eu-west-1" });
  }
  if (issues.length > 0) throw invalid(issues);
}

/** The domain in the tenant's account; failures are ProviderErrors. */
export function readAccount(
  runtime: Pick<Runtime, "config" | "egress" | "clock">,
  provider: SendingKey,
  domain: string,
  request: { readonly access: SendingAccess; readonly verify: boolean },
  signal: AbortSignal,
) {
  const base = runtime.config.sendingApiUrl;
  return readSendingAccount(
    provider,
    {
      ...request,
      domain,
      baseUrl: base === null ? null : base.replace(/\/$/, ""),
      fetch: runtime.egress.fetch,
      now: () => runtime.clock.now(),
    },
    signal,
  );
}

const StoredAccess = z.record(z.string(), z.string());

export function sealAccess(
  { vault }: Pick<Runtime, "vault">,
  tenantId: string,
  id: string,
  access: SendingAccess,
): string {
  return vault.seal("dns_credential", accessContext(tenantId, id), JSON.stringify(access));
}

/** Null where the values were pasted. A row that was moved or altered does not open. */
export function openAccess(
  { vault, log }: Pick<Runtime, "vault" | "log">,
  tenantId: string,
  { id, sealedAccess }: Pick<SendingDomain, "id" | "sealedAccess">,
): SendingAccess | null {
  if (sealedAccess === null) return null;
  try {
    const plain = vault.open("dns_credential", accessContext(tenantId, id), sealedAccess);
    return StoredAccess.parse(JSON.parse(plain.toString("utf8")));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    log.error({ err: error, sendingDomainId: id }, "sending access not opened");
    throw new ProviderError("auth", "The stored access cannot be opened; give it again.");
  }
}
