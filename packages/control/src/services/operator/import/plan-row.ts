import type { X509Certificate } from "node:crypto";
import { orElse } from "@mooring/concurrency";
import { resolveAddresses, withoutCaches } from "@mooring/dns";
import { selectCertificate } from "../../../db/queries/certificates/certificates.ts";
import {
  importedEnd,
  selectSameName,
} from "../../../db/queries/certificates/imported-certificates.ts";
import { selectClaimHolder } from "../../../db/queries/connections/claims.ts";
import type { Application } from "../../../domain/applications/application.ts";
import { checkImportedCertificate } from "../../../domain/certificates/imported-certificate.ts";
import type { OwnCertificate } from "../../../domain/certificates/own-certificate.ts";
import { validationZoneFor } from "../../../domain/certificates/validation.ts";
import { type Connection, holdsClaim } from "../../../domain/connections/connection.ts";
import { type Cutover, newCutover, type OldLocation } from "../../../domain/connections/cutover.ts";
import { AppError, invalid } from "../../../domain/errors.ts";
import { CustomerRef } from "../../applications/customer.ts";
import { withBudget } from "../../budget.ts";
import type { ServiceContext } from "../../context.ts";
import { requireHostname, requireWildcards } from "../../domains/hostname.ts";
import { findOldLocation } from "../../domains/in-use.ts";
import { type KnownRedirects, planRedirect } from "./redirect.ts";
import type { ImportAction, ImportRow } from "./row.ts";
import { isCovered } from "./trust-dns.ts";

export interface ImportSettings {
  readonly application: Application;
  /** The chains of imported certificates must end at one of them. */
  readonly roots: readonly X509Certificate[];
  /** DNS that resolves to us is taken as proof of ownership. */
  readonly trustsDns: boolean;
  readonly known: KnownRedirects;
}

/** What will be done with a row that is not refused. */
export interface RowPlan {
  readonly action: Exclude<ImportAction, "refuse">;
  readonly hostname: string;
  readonly certificate: OwnCertificate | null;
  readonly existing: Connection | null;
  readonly reason: string | null;
  readonly redirectTo: string | null;
  readonly resolvesToUs: boolean;
  /** For a new connection: the move that it waits for; null where none is prepared. */
  readonly cutover: Cutover | null;
}

/**
 * Validates a row and compares it with what is there. Throws an `AppError` that says why it is
 * refused.
 */
export async function planRow(
  ctx: ServiceContext,
  settings: ImportSettings,
  row: ImportRow,
): Promise<RowPlan> {
  const { config } = ctx.runtime;
  const { application } = settings;
  const hostname = requireHostname(config, ctx.actor.environment, row.hostname, "hostname", {
    allowsWildcard: true,
  });
  requireWildcards(config, application, hostname);
  requireCustomer(row.customerRef);
  const certificate =
    row.certificate &&
    checkImportedCertificate(row.certificate, hostname, settings.roots, ctx.now());
  const found = await ctx.read(async (tx) => ({
    same: await selectSameName(tx, application.id, hostname),
    holder: await selectClaimHolder(tx, hostname),
  }));
  const { customerRef } = row;
  const from = { applicationId: application.id, hostname, customerRef };
  const redirect = await planRedirect(ctx, row, from, settings.known);
  const reason = [row.note, redirect.note].filter((note) => note !== null).join("; ") || null;
  const existing = found.same.find((one) => one.customerRef === customerRef);
  const planned = { certificate, redirectTo: redirect.to, reason };
  if (existing) return planExisting(ctx, settings, existing, planned);
  const [other] = found.same;
  const base = { ...planned, hostname, existing: null, resolvesToUs: false, cutover: null };
  if (other) {
    const theirs = other.customerRef === null ? "none" : `"${other.customerRef}"`;
    return {
      ...base,
      action: "differs",
      certificate: null,
      redirectTo: null,
      existing: other,
      reason: `the connection that is there has another customer_ref: ${theirs}`,
    };
  }
  if (found.holder !== null && found.holder.state !== "drifted") {
    throw new AppError("HostnameConflict", `${hostname} is already connected`);
  }
  const { resolvesToUs, old } = await findLocation(ctx, hostname);
  const cutover = resolvesToUs || !canCutOver(ctx, hostname, certificate) ? null : newCutover(old);
  return { ...base, action: "create", resolvesToUs, cutover };
}

function requireCustomer(customerRef: string | null): void {
  if (customerRef === null || CustomerRef.safeParse(customerRef).success) return;
  const message = "expected 1 to 200 characters, none of them a control character";
  throw invalid([{ path: "customer_ref", message }]);
}

async function planExisting(
  ctx: ServiceContext,
  { trustsDns }: ImportSettings,
  existing: Connection,
  { certificate, redirectTo, reason }: Pick<RowPlan, "certificate" | "redirectTo" | "reason">,
): Promise<RowPlan> {
  const { hostname } = existing;
  const base = { hostname, existing, reason, redirectTo, cutover: null };
  if (redirectTo !== null && redirectTo !== existing.redirectTo) {
    const own =
      existing.redirectTo === null ? "does not redirect" : `leads to ${existing.redirectTo}`;
    const differing = `the connection that is there ${own}; here ${redirectTo} is the target`;
    const nothing = { certificate: null, redirectTo: null, resolvesToUs: false };
    return { ...base, ...nothing, action: "differs", reason: differing };
  }
  const change = certificate && (await certificateChange(ctx, existing, certificate));
  const isOpen = !holdsClaim(existing.state);
  const mayTrust = isOpen && trustsDns && !(await isCovered(ctx, existing));
  const resolvesToUs = mayTrust && (await findLocation(ctx, hostname)).resolvesToUs;
  if (change !== null) return { ...base, action: change, certificate, resolvesToUs };
  return { ...base, action: resolvesToUs ? "trust" : "keep", certificate: null, resolvesToUs };
}

/**
 * What the certificate of the source is to the connection; null where what is there stays: one of
 * the tenant's own, one that the edge obtained, or an imported one that is not older.
 */
async function certificateChange(
  ctx: ServiceContext,
  connection: Connection,
  { notAfter }: OwnCertificate,
): Promise<"add_certificate" | "replace_certificate" | null> {
  const [waitingEnd, served] = await ctx.read(async (tx) => [
    await importedEnd(tx, connection.id),
    await selectCertificate(tx, connection),
  ]);
  const end = waitingEnd ?? served?.notAfter ?? null;
  if (end === null || end <= ctx.now()) return "add_certificate";
  const isImported = waitingEnd !== null || served?.isImported === true;
  return isImported && end < notAfter ? "replace_certificate" : null;
}

interface Location {
  readonly resolvesToUs: boolean;
  /** Where it resolves to instead; null where it resolves to nothing, or that is not known. */
  readonly old: OldLocation | null;
}

const locationBudgetMs = 3_000;

async function findLocation(
  { runtime, actor, signal }: ServiceContext,
  name: string,
): Promise<Location> {
  const resolver = runtime.dns.resolverFor(actor.environment, name);
  return withBudget(locationBudgetMs, signal, async (inner) => {
    const [old, addresses] = await Promise.all([
      orElse(inner, findOldLocation(resolver, name, runtime.config, inner), undefined),
      orElse(inner, resolveAddresses(withoutCaches(resolver), name, inner), null),
    ]);
    return { resolvesToUs: old === null && (addresses ?? []).length > 0, old: old ?? null };
  });
}

/**
 * A move can be prepared with a certificate in hand, or where validation is delegated to obtain
 * one.
 */
function canCutOver(
  { runtime }: ServiceContext,
  hostname: string,
  certificate: OwnCertificate | null,
): boolean {
  const { config } = runtime;
  if (config.edgeKind === "external") return false;
  return certificate !== null || validationZoneFor(config.validationZone, hostname) !== null;
}
