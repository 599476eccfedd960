import { z } from "zod";
import type { Application } from "../../domain/application.ts";
import { environments } from "../../domain/tenancy.ts";
import { Time, time, Uuid } from "./time.ts";

export const RecordBody = z
  .object({
    host: z.string(),
    type: z.string(),
    value: z.string(),
    ttl: z.int().nullable(),
    priority: z.int().nullable(),
  })
  .meta({ id: "Record", description: "A DNS record" });

export const ApplicationBody = z
  .object({
    id: Uuid,
    name: z.string(),
    environment: z.enum(environments),
    allowed_origins: z.array(z.string()),
    record_template: z.array(RecordBody),
    origin_url: z.string().nullable(),
    origin_host_header: z.enum(["preserve", "origin"]),
    created_at: Time,
  })
  .meta({ id: "Application" });

export function applicationBody(application: Application): z.input<typeof ApplicationBody> {
  return {
    id: application.id,
    name: application.name,
    environment: application.environment,
    allowed_origins: [...application.allowedOrigins],
    record_template: application.recordTemplate.map((record) => ({ ...record })),
    origin_url: application.originUrl,
    origin_host_header: application.originHostHeader,
    created_at: time(application.createdAt),
  };
}
