import { parseHostname } from "@mooring/dns";
import { deriveOwnershipTokenKey, ownershipToken, ownershipTokenUrl } from "@mooring/egress";
import { selectFields } from "../../db/queries/applications/drop-in-fields.ts";
import {
  type HostnameFilter,
  hasBeyond,
  pageByNumber,
  pageByTime,
  selectByHostname,
} from "../../db/queries/applications/drop-in-pages.ts";
import { selectClaimHolder } from "../../db/queries/connections/claims.ts";
import type { Application } from "../../domain/applications/application.ts";
import type { DropInFields, DropInVendor } from "../../domain/applications/drop-in.ts";
import {
  type Connection,
  type ConnectionState,
  holdsClaim,
} from "../../domain/connections/connection.ts";
import { notFound } from "../../domain/errors.ts";
import { namedRecords } from "../connections/needed.ts";
import { type ConnectionDetail, connectionValidation, getConnection } from "../connections/read.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";
import { type NumberedList, readId } from "./applications.ts";

/** A connection as a drop-in API shows it: with what its caller sent in the vendor's words. */
export interface DropInHostname extends Omit<ConnectionDetail, "partnerId"> {
  readonly fields: DropInFields;
  /** When it was last changed through the vendor's API, or made. */
  readonly updatedAt: Date;
  readonly token: OwnershipToken | null;
}

/** What the edge answers for the name at a URL; a wildcard has none. */
export interface OwnershipToken {
  readonly url: string;
  readonly body: string;
}

export function findToken(
  { vault }: Pick<Runtime, "vault">,
  { id, hostname }: Pick<Connection, "id" | "hostname">,
): OwnershipToken | null {
  if (hostname.startsWith("*.")) return null;
  const key = deriveOwnershipTokenKey(vault.deriveKey("certificate_key"));
  return { url: ownershipTokenUrl(hostname, id), body: ownershipToken(key, hostname, id) };
}

/** By its id. An archived one is gone, as it is at the vendor. */
export async function getHostname(
  ctx: ServiceContext,
  vendor: DropInVendor,
  application: Application,
  text: string,
): Promise<DropInHostname> {
  const id = readId(text);
  if (id === null) throw notFound("custom hostname");
  const detail = await getConnection(ctx, id);
  const { applicationId, state } = detail.connection;
  if (applicationId !== application.id || state === "archived") throw notFound("custom hostname");
  const [shown] = await withFields(ctx, vendor, [detail]);
  return shown ?? Promise.reject(notFound("custom hostname"));
}

/**
 * By its name, in one application or in all of the tenant's; null when there is none. Of several
 * connections of the name the one that holds it, else the newest.
 */
export async function findDomain(
  ctx: ServiceContext,
  vendor: DropInVendor,
  spelling: string,
  application: Application | null,
): Promise<DropInHostname | null> {
  const hostname = canonical(spelling);
  const found = await ctx.read((tx) =>
    selectByHostname(tx, ctx.actor, hostname, application?.id ?? null),
  );
  const main = found.find(({ state }) => holdsClaim(state)) ?? found[0];
  if (main === undefined) return null;
  const [shown] = await withFields(ctx, vendor, [await getConnection(ctx, main.id)]);
  return shown ?? null;
}

/** Whether anybody, of whichever tenant, holds the name. */
export function isHeld(ctx: ServiceContext, spelling: string): Promise<boolean> {
  return ctx.read(async (tx) => (await selectClaimHolder(tx, canonical(spelling))) !== null);
}

export interface NumberedPageQuery {
  readonly page: number;
  readonly perPage: number;
  readonly direction: "asc" | "desc";
  /** The order of the states, when the list is sorted by them. */
  readonly byState: readonly ConnectionState[] | null;
}

export async function listHostnames(
  ctx: ServiceContext,
  vendor: DropInVendor,
  filter: HostnameFilter,
  { page, perPage, direction, byState }: NumberedPageQuery,
): Promise<NumberedList<DropInHostname>> {
  const limits = { limit: perPage, offset: (page - 1) * perPage, direction, states: byState };
  const { ids, total } = await ctx.read((tx) => pageByNumber(tx, ctx.actor, filter, limits));
  return { items: await loadAll(ctx, vendor, ids), total };
}

export interface TimedPageQuery {
  readonly limit: number;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** The times to give as `until` and `since` for the pages before and after this one. */
export interface TimedList {
  readonly items: readonly DropInHostname[];
  readonly older: Date | null;
  readonly newer: Date | null;
}

export async function listDomains(
  ctx: ServiceContext,
  vendor: DropInVendor,
  filter: HostnameFilter,
  query: TimedPageQuery,
): Promise<TimedList> {
  const { ids, older, newer } = await ctx.read(async (tx) => {
    const rows = await pageByTime(tx, ctx.actor, filter, query);
    const beyond = async (side: "older" | "newer", time: Date | undefined) =>
      time !== undefined && (await hasBeyond(tx, ctx.actor, filter, side, time)) ? time : null;
    return {
      ids: rows.map(({ id }) => id),
      older: await beyond("older", rows.at(-1)?.createdAt),
      newer: await beyond("newer", rows[0]?.createdAt),
    };
  });
  return { items: await loadAll(ctx, vendor, ids), older, newer };
}

/**
 * Any spelling of a hostname as we store it; text that is none is used as it is, and matches
 * nothing.
 */
export function canonical(spelling: string): string {
  const parsed = parseHostname(spelling, { allowsWildcard: true });
  return parsed.ok ? parsed.hostname : spelling.toLowerCase();
}

/** In the order of the ids; loads that start together share a round trip. */
async function loadAll(
  ctx: ServiceContext,
  vendor: DropInVendor,
  ids: readonly string[],
): Promise<readonly DropInHostname[]> {
  const { tenantId, environment } = ctx.actor;
  const { connections } = ctx.runtime;
  const found = await Promise.all(ids.map((id) => connections.load({ tenantId, environment, id })));
  const details = await Promise.all(
    found
      .filter((one) => one !== null)
      .map(async (one) => ({
        ...one,
        validation: connectionValidation(ctx, one.connection),
        ...(await namedRecords(ctx.runtime, one.connection)),
      })),
  );
  return withFields(ctx, vendor, details);
}

async function withFields(
  ctx: ServiceContext,
  vendor: DropInVendor,
  details: readonly Omit<ConnectionDetail, "partnerId">[],
): Promise<readonly DropInHostname[]> {
  const ids = details.map(({ connection }) => connection.id);
  const stored = await ctx.read((tx) => selectFields(tx, vendor, ids));
  return details.map((detail) => ({
    ...detail,
    fields: stored.get(detail.connection.id)?.fields ?? {},
    updatedAt: stored.get(detail.connection.id)?.updatedAt ?? detail.connection.createdAt,
    token: findToken(ctx.runtime, detail.connection),
  }));
}
