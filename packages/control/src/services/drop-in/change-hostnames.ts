import { isDeepStrictEqual } from "node:util";
import { baseName, parseHostname } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import { selectFields, storeFields } from "../../db/queries/applications/drop-in-fields.ts";
import { selectAtOrBelow } from "../../db/queries/applications/drop-in-pages.ts";
import { lockValidation } from "../../db/queries/certificates/validation.ts";
import { usesOfHostname } from "../../db/queries/connections/connection-settings.ts";
import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import type { Application } from "../../domain/applications/application.ts";
import type { DropInFields, DropInVendor } from "../../domain/applications/drop-in.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { AppError } from "../../domain/errors.ts";
import { requireUsableOrigins } from "../applications/origins.ts";
import { deleteConnection } from "../connections/archive.ts";
import { insertOrResume, prepareConnection } from "../connections/create.ts";
import { namedRecordsIn } from "../connections/needed.ts";
import { connectionValidation, getConnection } from "../connections/read.ts";
import { lockNames, requireTarget, updateIn } from "../connections/update.ts";
import { verifyConnection } from "../connections/verify.ts";
import type { ServiceContext } from "../context.ts";
import { requireHostname } from "../domains/hostname.ts";
import { type DropInHostname, findToken } from "./hostnames.ts";

/** What a vendor's request says of a hostname; what is absent stays, or has its default. */
export interface HostnameInput {
  readonly vendor: DropInVendor;
  readonly redirectTo?: string | null | undefined;
  readonly originUrl?: string | null | undefined;
  /** As they are to be shown from now on. */
  readonly fields: DropInFields;
}

/**
 * Adds a hostname in one transaction. Unlike a connection of our own API it is not resumed: any of
 * the application for the name that is not archived is a conflict, as vendors have it.
 */
export async function addHostname(
  ctx: ServiceContext,
  application: Application,
  spelling: string,
  input: HostnameInput,
): Promise<DropInHostname> {
  await requireUsableOrigins(ctx, { origin_url: input.originUrl });
  const prepared = await prepareConnection(ctx, application, spelling, { customerRef: null });
  const target = parseTarget(ctx, input.redirectTo);
  const { hostname } = prepared;
  return ctx.write(async (tx) => {
    await lockValidation(tx, baseName(hostname));
    await lockNames(tx, [hostname, target ?? hostname]);
    const [present] = await usesOfHostname(tx, prepared);
    if (present !== undefined) throw duplicate(hostname, present.id);
    const redirectTo = target ?? null;
    if (redirectTo !== null) await requireTarget(tx, prepared, redirectTo);
    const requested = { ...prepared, redirectTo, originUrl: input.originUrl ?? null };
    const { connection } = await insertOrResume(ctx, tx, requested, null);
    return { ...(await store(ctx, tx, connection, input)), certificate: null };
  });
}

/**
 * Changes how a hostname is served and what is shown of it, in one transaction, and has it checked
 * soon.
 */
export async function changeHostname(
  ctx: ServiceContext,
  { connection: present, certificate }: DropInHostname,
  input: HostnameInput,
): Promise<DropInHostname> {
  const target = parseTarget(ctx, input.redirectTo);
  await requireUsableOrigins(ctx, { origin_url: input.originUrl });
  const changed = await ctx.write(async (tx) => {
    await lockNames(tx, [present.hostname, target ?? present.hostname]);
    const settings = {
      ...(target === undefined ? {} : { redirect_to: target }),
      ...(input.originUrl === undefined ? {} : { origin_url: input.originUrl }),
    };
    const changedFields = await listChanged(tx, present, input);
    const connection = await updateIn(ctx, tx, present.id, settings, changedFields);
    await requestRecheck(tx, connection.id, ctx.now());
    return { ...(await store(ctx, tx, connection, input)), certificate };
  });
  return changed.connection.state === "failed" ? revived(ctx, changed) : changed;
}

/**
 * Vendors check a hostname again that they had given up when it is changed; what the check finds is
 * shown later.
 */
async function revived(ctx: ServiceContext, shown: DropInHostname): Promise<DropInHostname> {
  try {
    return { ...shown, connection: await verifyConnection(ctx, shown.connection.id) };
  } catch (error) {
    const isVerdict =
      error instanceof AppError && ["ownership_not_found", "HostnameConflict"].includes(error.code);
    if (!isVerdict) throw error;
    return { ...shown, ...(await getConnection(ctx, shown.connection.id)) };
  }
}

/**
 * Archives every connection of the tenant for a domain and the names below it; answers how many
 * there were.
 */
export async function removeDomain(ctx: ServiceContext, domain: string): Promise<number> {
  const parsed = parseHostname(domain, { allowsWildcard: true });
  // Only of a valid name the index is asked: others may hold the signs of a pattern.
  const ids = parsed.ok ? await ctx.read((tx) => selectAtOrBelow(tx, parsed.hostname)) : [];
  for (const id of ids) await deleteConnection(ctx, id, { revertDns: false });
  return ids.length;
}

function parseTarget(
  { runtime, actor }: ServiceContext,
  spelling: string | null | undefined,
): string | null | undefined {
  if (spelling === null || spelling === undefined) return spelling;
  return requireHostname(runtime.config, actor.environment, spelling, "redirect_to");
}

/** The fields of the vendor that the request sets to something else. */
async function listChanged(
  tx: Tx,
  { id }: Connection,
  { vendor, fields }: HostnameInput,
): Promise<string[]> {
  const before = (await selectFields(tx, vendor, [id])).get(id)?.fields ?? {};
  return Object.keys(fields).filter(
    (name) => !isDeepStrictEqual(fields[name] ?? null, before[name] ?? null),
  );
}

async function store(
  ctx: ServiceContext,
  tx: Tx,
  connection: Connection,
  { vendor, fields: changed }: HostnameInput,
): Promise<Omit<DropInHostname, "certificate">> {
  const before = (await selectFields(tx, vendor, [connection.id])).get(connection.id)?.fields;
  const stored = { fields: { ...before, ...changed }, updatedAt: ctx.now() };
  await storeFields(tx, connection, vendor, stored);
  const named = await namedRecordsIn(ctx.runtime, tx, connection);
  const token = findToken(ctx.runtime, connection);
  const validation = connectionValidation(ctx, connection);
  return { connection, validation, token, ...named, ...stored };
}

function duplicate(hostname: string, connectionId: string): AppError {
  return new AppError("HostnameConflict", `${hostname} is already connected`, {
    details: { connection_id: connectionId },
  });
}
