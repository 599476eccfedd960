import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications.ts";
import type { Application } from "../../domain/application.ts";
import { notFound } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

export function getApplication(ctx: ServiceContext, id: string): Promise<Application> {
  return ctx.read((tx) => requireApplication(tx, id));
}

/** The application under this transaction's tenant and environment, or `not_found`. */
export async function requireApplication(tx: Tx, id: string): Promise<Application> {
  const application = await selectApplication(tx, id);
  if (!application) throw notFound("application");
  return application;
}
