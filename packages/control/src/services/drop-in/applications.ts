import {
  findNamedApplication,
  numberApplications,
} from "../../db/queries/applications/applications.ts";
import type { Application } from "../../domain/applications/application.ts";
import { notFound } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

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
