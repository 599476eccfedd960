import {
  type DomainConnectTemplate,
  type MadeTemplate,
  type OwnershipPattern,
  templateFromRecords,
  variablesFor,
} from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import type { Application } from "../../domain/application.ts";
import { type Connection, challengeName } from "../../domain/connection.ts";
import { domainConnectOf, ownTemplate } from "../domains/domain-connect-offer.ts";
import { requireIdentity } from "./identity.ts";

export const templateKinds = ["apex", "subdomain"] as const;
export type TemplateKind = (typeof templateKinds)[number];

const ownership: OwnershipPattern = {
  label: challengeName("@").replace(/\.@$/, ""),
  prefix: "service-verify=",
};

/** Shown where records are for every application of the installation. */
const sharedServiceName = "Connect a domain";
const firstVersion = 1;

type Templated = Pick<Application, "id" | "name" | "recordTemplate">;

/** The template for an application's records at names of this kind. */
export function makeTemplate(
  config: Config,
  application: Templated,
  kind: TemplateKind,
): MadeTemplate {
  const who = requireIdentity(config);
  const { id, name, recordTemplate } = application;
  const applicationId = domainConnectOf(recordTemplate, id)?.applicationId ?? null;
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
    edge: { cname: config.edgeCname, ipv4: config.edgeIpv4, ipv6: config.edgeIpv6 },
    ownership,
  });
}

/** What a link carries for one connection: the proof of ownership, and little else. */
export function templateVariables(
  template: DomainConnectTemplate,
  connection: Pick<Connection, "id" | "challenge">,
): Readonly<Record<string, string>> {
  const { id: connectionId, challenge } = connection;
  return variablesFor(template, ownership, { challenge, connectionId });
}
