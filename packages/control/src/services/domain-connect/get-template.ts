import { type DomainConnectTemplate, lintTemplate, type TemplateIssue } from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import { selectDomainConnectKeys } from "../../db/queries/domain-connect.ts";
import { type DomainConnectKey, keyUse } from "../../domain/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { requireApplication } from "../applications.ts";
import type { ServiceContext } from "../context.ts";
import { requireIdentity, returnUrl } from "./identity.ts";
import { keyName } from "./key-publication.ts";
import { makeTemplate, type TemplateKind, templateKinds } from "./template.ts";

export interface PublishedTemplate {
  readonly kind: TemplateKind;
  /** As the public repository wants it. */
  readonly fileName: string;
  readonly template: DomainConnectTemplate;
  readonly lint: readonly TemplateIssue[];
}

export interface ApplicationTemplates {
  readonly templates: readonly PublishedTemplate[];
  /** The kinds of names for which the records make no template, and why. */
  readonly impossible: readonly {
    readonly kind: TemplateKind;
    readonly problems: readonly string[];
  }[];
  readonly keys: readonly { readonly name: string; readonly isSigning: boolean }[];
  readonly instructions: readonly string[];
}

/** The templates of an application's records, checked, with what to do with them. */
export async function getApplicationTemplates(
  ctx: ServiceContext,
  applicationId: string,
): Promise<ApplicationTemplates> {
  const { config } = ctx.runtime;
  const { application, allKeys } = await ctx.read(async (tx) => ({
    application: await requireApplication(tx, applicationId),
    allKeys: await selectDomainConnectKeys(tx),
  }));
  const { keyDomain } = requireIdentity(config);
  const made = templateKinds.map((kind) => ({
    kind,
    ...makeTemplate(config, application, kind),
  }));
  const templates = made.flatMap((one) => (one.ok ? [published(one.kind, one.template)] : []));
  const impossible = made.flatMap(({ kind, ...one }) =>
    one.ok ? [] : [{ kind, problems: one.problems }],
  );
  if (templates.length === 0) {
    throw new AppError("conflict", "the application's records cannot be expressed in a template", {
      details: { reason: "template_impossible", problems: impossible[0]?.problems ?? [] },
    });
  }
  const keys = keysInUse(allKeys.filter(({ domain }) => domain === keyDomain));
  return { templates, impossible, keys, instructions: instructions(config, templates, keys) };
}

function published(kind: TemplateKind, template: DomainConnectTemplate): PublishedTemplate {
  const fileName = `${template.providerId}.${template.serviceId}.json`.toLowerCase();
  return { kind, fileName, template, lint: lintTemplate(template) };
}

function keysInUse(keys: readonly DomainConnectKey[]): ApplicationTemplates["keys"] {
  return keys
    .filter(({ retiredAt }) => retiredAt === null)
    .map((key) => ({ name: keyName(key), isSigning: keyUse(key, keys) === "signing" }));
}

function instructions(
  config: Config,
  templates: readonly PublishedTemplate[],
  keys: ApplicationTemplates["keys"],
): readonly string[] {
  const isHttps = config.baseUrl.startsWith("https:");
  const files = templates.map(({ fileName }) => fileName).join(" and ");
  const hasErrors = templates.some(({ lint }) => lint.some((one) => one.severity === "error"));
  return [
    ...(isHttps ? [] : ["Serve the API by https and set BASE_URL to it: providers refuse http."]),
    ...(keys.some(({ isSigning }) => isSigning)
      ? []
      : [
          "Make a signing key with `mooring domain-connect keys create` and publish its TXT records.",
        ]),
    ...(hasErrors ? ["Mend what `lint` calls an error: the repository refuses it."] : []),
    `Save each \`template\` under its \`file_name\` (${files}) at the root of a fork of https://github.com/Domain-Connect/Templates and open a pull request; raise \`version\` with every later change.`,
    "Try both an apex and a subdomain in the project's online editor and put the links into the pull request.",
    "After the merge, ask each DNS provider to take the templates over: most do it by hand. Send them the template files, the full names of the key records (`keys`) and a logo.",
    "Ask Cloudflare to set the records to DNS only by default.",
    `Providers with the asynchronous flow (GoDaddy, IONOS) give a client id and secret on request; the redirect URI to name is ${returnUrl(config)}.`,
  ];
}
