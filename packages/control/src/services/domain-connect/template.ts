import {
  type DomainConnectTemplate,
  lintTemplate,
  type MadeTemplate,
  type OwnershipPattern,
  type TemplateIssue,
  templateFromRecords,
  variablesFor,
} from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import { selectDomainConnectKeys } from "../../db/queries/domain-connect/domain-connect.ts";
import type { Application } from "../../domain/applications/application.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import {
  type DomainConnectKey,
  keyName,
  keyUse,
} from "../../domain/domain-connect/domain-connect.ts";
import { AppError } from "../../domain/errors.ts";
import { challengeLabel, challengePrefix } from "../../domain/ownership/ownership-challenge.ts";
import { requireApplication } from "../applications/applications.ts";
import type { ServiceContext } from "../context.ts";
import { ownTemplate, templateOwner } from "../domains/domain-connect-offer.ts";
import { returnUrl } from "./redirect.ts";

export interface PublishedTemplate {
  readonly kind: TemplateKind;
  /** As the public template repository requires it. */
  readonly fileName: string;
  readonly template: DomainConnectTemplate;
  readonly lint: readonly TemplateIssue[];
}

export interface ApplicationTemplates {
  readonly templates: readonly PublishedTemplate[];
  /** The kinds of names for which the records cannot be expressed in a template, and why. */
  readonly impossible: readonly {
    readonly kind: TemplateKind;
    readonly problems: readonly string[];
  }[];
  readonly keys: readonly { readonly name: string; readonly isSigning: boolean }[];
  readonly instructions: readonly string[];
}

/** The templates of an application's records, linted, with instructions for publishing them. */
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
  const isShared = application.recordTemplate.length === 0;
  // Records of an application's own are approved name by name.
  const kinds = templateKinds.filter((kind) => isShared || kind !== "pair");
  const made = kinds.map((kind) => ({
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
    ...(hasErrors ? ["Fix what `lint` calls an error: the repository refuses it."] : []),
    `Save each \`template\` under its \`file_name\` (${files}) at the root of a fork of https://github.com/Domain-Connect/Templates and open a pull request; raise \`version\` with every later change.`,
    "Try both an apex and a subdomain in the project's online editor and put the links into the pull request.",
    "After the merge, ask each DNS provider to take the templates over: most do it by hand. Send them the template files, the full names of the key records (`keys`) and a logo.",
    "Ask Cloudflare to set the records to DNS only by default.",
    `Providers with the asynchronous flow (GoDaddy, IONOS) give a client id and secret on request; the redirect URI to name is ${returnUrl(config)}.`,
  ];
}

export const templateKinds = ["apex", "subdomain", "pair"] as const;
export type TemplateKind = (typeof templateKinds)[number];

const ownership: OwnershipPattern = {
  label: challengeLabel,
  prefix: challengePrefix,
};

/** The service name of the template that all applications share. */
const sharedServiceName = "Connect a domain";
const firstVersion = 1;

type Templated = Pick<Application, "id" | "name" | "recordTemplate">;

/** The template of an application's records for names of this kind. */
export function makeTemplate(
  config: Config,
  application: Templated,
  kind: TemplateKind,
): MadeTemplate {
  const who = requireIdentity(config);
  const { id, name, recordTemplate } = application;
  const applicationId = templateOwner(recordTemplate, id)?.applicationId ?? null;
  const identity = ownTemplate(config, kind, applicationId);
  if (identity === null) throw new Error("a service with an identity has templates");
  return templateFromRecords({
    kind,
    identity,
    providerName: who.providerName,
    serviceName: applicationId === null ? sharedServiceName : name,
    version: firstVersion,
    ...(who.logoUrl === null ? {} : { logoUrl: who.logoUrl }),
    syncPubKeyDomain: who.keyDomain,
    syncRedirectDomain: who.redirectDomain,
    records: recordTemplate,
    edge: {
      cname: config.edgeCname,
      hasTargets: config.edgeTargets === "unique",
      ipv4: config.edgeIpv4,
      ipv6: config.edgeIpv6,
    },
    ownership,
  });
}

/**
 * The variables of one connection's link: the ownership value, and the connection id where used. Of
 * a pair, `connection` is the apex.
 */
export function templateVariables(
  template: DomainConnectTemplate,
  connection: Pick<Connection, "id" | "challenge" | "targetLabel">,
  www: Pick<Connection, "challenge"> | null = null,
): Readonly<Record<string, string>> {
  const { id: connectionId, challenge, targetLabel } = connection;
  const more = www === null ? {} : { wwwChallenge: www.challenge };
  const target = targetLabel === null ? {} : { targetLabel };
  return variablesFor(template, ownership, { challenge, connectionId, ...more, ...target });
}

/** How this installation identifies itself to DNS providers. */
export interface ServiceIdentity {
  /** The domain that templates and keys are published under. */
  readonly providerId: string;
  readonly providerName: string;
  readonly logoUrl: string | null;
  /** Keys are published in TXT records one label below. */
  readonly keyDomain: string;
  /** The host that customers return to. */
  readonly redirectDomain: string;
}

type IdentityConfig = Pick<
  Config,
  "baseUrl" | "domainConnectDomain" | "domainConnectName" | "domainConnectLogoUrl"
>;

/** Null when the service has no public domain. */
export function serviceIdentity(config: IdentityConfig): ServiceIdentity | null {
  const providerId = ownTemplate(config, "apex")?.providerId ?? null;
  if (providerId === null) return null;
  return {
    providerId,
    providerName: config.domainConnectName ?? providerId,
    logoUrl: config.domainConnectLogoUrl,
    keyDomain: providerId,
    redirectDomain: new URL(config.baseUrl).hostname,
  };
}

export function requireIdentity(config: IdentityConfig): ServiceIdentity {
  const identity = serviceIdentity(config);
  if (identity === null) {
    throw new AppError(
      "conflict",
      "the service has no public name to publish templates under: set BASE_URL or DOMAIN_CONNECT_DOMAIN",
      { details: { reason: "no_public_name" } },
    );
  }
  return identity;
}
