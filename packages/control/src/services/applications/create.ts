import { insertApplication } from "../../db/queries/applications.ts";
import type { Application } from "../../domain/application.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { templateIssues } from "../../domain/record-template.ts";
import { audit } from "../audit.ts";
import type { ServiceContext } from "../context.ts";
import type { CreateApplication } from "./schemas.ts";

export async function createApplication(
  ctx: ServiceContext,
  input: CreateApplication,
): Promise<Application> {
  const { tenantId, environment } = ctx.actor;
  if (input.environment !== undefined && input.environment !== environment) {
    throw new AppError(
      "forbidden",
      `a ${environment} key cannot make a ${input.environment} application`,
    );
  }
  const issues = templateIssues(input.record_template ?? []);
  if (issues.length > 0) throw invalid(issues);
  const createdAt = ctx.now();
  const application: Application = {
    id: newId(createdAt),
    tenantId,
    environment,
    name: input.name,
    allowedOrigins: input.allowed_origins ?? [],
    recordTemplate: input.record_template ?? [],
    originUrl: input.origin_url ?? null,
    originHostHeader: input.origin_host_header ?? "preserve",
    createdAt,
  };
  return ctx.write(async (tx) => {
    await insertApplication(tx, application);
    await audit(ctx, tx, "application.create", application.id);
    return application;
  });
}
