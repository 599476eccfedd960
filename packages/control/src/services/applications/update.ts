import {
  type ApplicationChanges,
  updateApplication as update,
} from "../../db/queries/applications.ts";
import type { Application } from "../../domain/application.ts";
import { invalid, notFound } from "../../domain/errors.ts";
import { templateIssues } from "../../domain/record-template.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import type { UpdateApplication } from "./schemas.ts";

export async function updateApplication(
  ctx: ServiceContext,
  id: string,
  input: UpdateApplication,
): Promise<Application> {
  const issues = templateIssues(input.record_template ?? []);
  if (issues.length > 0) throw invalid(issues);
  const changes: ApplicationChanges = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.allowed_origins ? { allowedOrigins: input.allowed_origins } : {}),
    ...(input.record_template ? { recordTemplate: input.record_template } : {}),
    ...(input.origin_url === undefined ? {} : { originUrl: input.origin_url }),
    ...(input.origin_host_header ? { originHostHeader: input.origin_host_header } : {}),
  };
  return ctx.write(async (tx) => {
    const application = await update(tx, id, changes);
    if (!application) throw notFound("application");
    await audit(ctx, tx, "application.update", id, { changed: Object.keys(input) });
    return application;
  });
}
