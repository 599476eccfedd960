import { z } from "zod";
import type { StartedDomainConnect } from "../../services/domain-connect/start.ts";
import type {
  ApplicationTemplates,
  PublishedTemplate,
} from "../../services/domain-connect/template.ts";
import { Time, time } from "./time.ts";

export const StartedDomainConnectBody = z
  .object({
    apply_url: z
      .string()
      .describe("Open it as it is, in a popup or in the same tab: it is signed to the last byte"),
    provider_name: z.string().describe("The DNS provider's name, to be shown"),
    expires_at: Time.describe("Until when the customer may come back"),
    mode: z
      .enum(["sync", "async"])
      .describe("`async`: the customer allows this service to apply the records"),
    width: z.int().describe("Of the popup, as the provider wishes"),
    height: z.int(),
  })
  .meta({ id: "DomainConnectStart" });

export function startedDomainConnectBody(
  started: StartedDomainConnect,
): z.input<typeof StartedDomainConnectBody> {
  return {
    apply_url: started.applyUrl,
    provider_name: started.providerName,
    expires_at: time(started.expiresAt),
    mode: started.mode,
    width: started.width,
    height: started.height,
  };
}

const TemplateBody = z.object({
  kind: z.enum(["apex", "subdomain"]),
  file_name: z.string().describe("The name of the file in the public repository of templates"),
  template: z.record(z.string(), z.unknown()).describe("The content of the file"),
  lint: z
    .array(
      z.object({
        severity: z.enum(["error", "warning"]),
        path: z.string(),
        message: z.string(),
      }),
    )
    .describe("What the repository or a provider would hold against it"),
});

export const DomainConnectTemplatesBody = z
  .object({
    templates: z.array(TemplateBody),
    impossible: z
      .array(z.object({ kind: z.enum(["apex", "subdomain"]), problems: z.array(z.string()) }))
      .describe("The kinds of names for which the records make no template"),
    keys: z
      .array(z.object({ name: z.string(), signing: z.boolean() }))
      .describe("Where the public keys stand in DNS, and which of them signs"),
    instructions: z.array(z.string()).describe("What to do with the templates, step by step"),
  })
  .meta({ id: "DomainConnectTemplates" });

export function domainConnectTemplatesBody(
  found: ApplicationTemplates,
): z.input<typeof DomainConnectTemplatesBody> {
  return {
    templates: found.templates.map(templateBody),
    impossible: found.impossible.map(({ kind, problems }) => ({ kind, problems: [...problems] })),
    keys: found.keys.map(({ name, isSigning }) => ({ name, signing: isSigning })),
    instructions: [...found.instructions],
  };
}

function templateBody(one: PublishedTemplate): z.input<typeof TemplateBody> {
  return {
    kind: one.kind,
    file_name: one.fileName,
    template: { ...one.template },
    lint: one.lint.map(({ severity, path, message }) => ({ severity, path, message })),
  };
}
