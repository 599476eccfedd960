import {
  findNamedApplication,
  numberApplications,
  selectApplication,
  updateApplication,
} from "../../db/queries/applications/applications.ts";
import {
  lockFallbackOrigin,
  selectFallbackOrigin,
  storeFallbackOrigin,
} from "../../db/queries/applications/drop-in-fields.ts";
import type { Application } from "../../domain/applications/application.ts";
import type { FallbackOrigin } from "../../domain/applications/drop-in.ts";
import { notFound } from "../../domain/errors.ts";
import { originsIn, requireUsableOrigins } from "../applications/origins.ts";
import { audit, type ServiceContext } from "../context.ts";

const hexId = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/**
 * The id in our own form, from one that is written with or without dashes; null for anything else.
 */
export function readId(text: string): string | null {
  return hexId.exec(text)?.slice(1).join("-").toLowerCase() ?? null;
}

/**
 * The application that a vendor's zone or project stands for: by its id, or the oldest of that
 * name.
 */
export async function getNamedApplication(
  ctx: ServiceContext,
  idOrName: string,
): Promise<Application> {
  const application = await ctx.read((tx) =>
    findNamedApplication(tx, ctx.actor, readId(idOrName), idOrName),
  );
  if (!application) throw notFound("application");
  return application;
}

export interface NumberedList<T> {
  readonly items: readonly T[];
  /** Over all pages. */
  readonly total: number;
}

/** A page by its number, from 1; oldest first. */
export function listNamedApplications(
  ctx: ServiceContext,
  name: string | null,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<NumberedList<Application>> {
  const limits = { limit: perPage, offset: (page - 1) * perPage };
  return ctx.read((tx) => numberApplications(tx, ctx.actor, name, limits));
}

/** What was set through the vendor's API; null when nothing was. */
export function getFallbackOrigin(
  ctx: ServiceContext,
  { id }: Application,
): Promise<FallbackOrigin | null> {
  return ctx.read((tx) => selectFallbackOrigin(tx, id));
}

/** Sets the application's origin, and remembers that it was set as the vendor's zone has it. */
export async function setFallbackOrigin(
  ctx: ServiceContext,
  { id }: Application,
  url: string,
): Promise<FallbackOrigin> {
  const change = { origin_url: url };
  await requireUsableOrigins(ctx, change);
  return ctx.write(async (tx) => {
    const updatedAt = ctx.now();
    const before = await lockFallbackOrigin(tx, id);
    const fallback = { url, createdAt: before?.createdAt ?? updatedAt, updatedAt };
    const application = await updateApplication(tx, id, { ...originsIn(change) });
    if (!application) throw notFound("application");
    await storeFallbackOrigin(tx, id, fallback);
    await audit(ctx, tx, "application.update", id, { changed: Object.keys(change) });
    return fallback;
  });
}

/**
 * Ends what was set: the application's origin stays when it was changed otherwise since. Null when
 * nothing was set.
 */
export function removeFallbackOrigin(
  ctx: ServiceContext,
  { id }: Application,
): Promise<FallbackOrigin | null> {
  return ctx.write(async (tx) => {
    const before = await lockFallbackOrigin(tx, id);
    if (before === null) return null;
    const application = await selectApplication(tx, id);
    if (application?.originUrl === before.url) {
      await updateApplication(tx, id, { ...originsIn({ origin_url: null }) });
    }
    await storeFallbackOrigin(tx, id, null);
    await audit(ctx, tx, "application.update", id, { changed: ["origin_url"] });
    return before;
  });
}
