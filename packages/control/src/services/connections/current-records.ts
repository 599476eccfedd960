import { findProvider, type RecordCheck, resolveAddresses, splitHostname } from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import type { Application, TemplateRecord } from "../../domain/applications/application.ts";
import { validationAlias } from "../../domain/certificates/validation.ts";
import type { Connection, DesiredRecord } from "../../domain/connections/connection.ts";
import type { RequestedRecords } from "../../domain/connections/observation.ts";
import { AppError } from "../../domain/errors.ts";
import { proofRecords } from "../../domain/ownership/proofs.ts";
import { acceptedNames, desiredTarget } from "../../domain/ownership/target.ts";
import { desiredRecords } from "../../domain/records/desired-records.ts";
import {
  requestedRecords,
  resolvesToEdge,
  trafficTargets,
} from "../../domain/records/moving-records.ts";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import { asOffered } from "../credentials/providers.ts";
import { findKnownZone } from "../domains/observe-name.ts";
import type { Runtime } from "../runtime.ts";

type Derivable = Pick<
  Connection,
  | "id"
  | "hostname"
  | "registrableDomain"
  | "kind"
  | "provider"
  | "zone"
  | "validationLabel"
  | "targetLabel"
  | "pointsToTarget"
  | "challenge"
  | "ownership"
  | "cutover"
>;

/** What an application asks of its connections' records. */
export type RecordRules = Pick<Application, "recordTemplate" | "proofs">;

/** The records that the application's template and the edge's addresses ask of a connection now. */
export function deriveRecords(
  config: Config,
  { recordTemplate: template, proofs }: RecordRules,
  connection: Derivable,
): DesiredRecord[] {
  const { id, hostname, registrableDomain, kind, provider, zone } = connection;
  const subdomain = splitHostname(hostname).subdomain ?? "";
  const manifest = provider === null ? null : (findProvider(provider) ?? null);
  return desiredRecords(
    template,
    {
      hostname,
      apex: registrableDomain,
      subdomain,
      kind,
      connectionId: id,
      zone,
      validation: validationAlias(config.validationZone, connection),
      isCuttingOver: connection.cutover !== null,
      isProvenByDelegation:
        connection.ownership === null && isOnlyDelegated(config, connection, proofs),
    },
    {
      cname: config.edgeCname,
      target: desiredTarget(config.edgeCname, connection),
      ipv4: config.edgeIpv4,
      ipv6: config.edgeIpv6,
    },
    asOffered(config, manifest),
  );
}

/** Of what the application allows only the CNAME for validation can prove the connection. */
function isOnlyDelegated(
  config: Config,
  connection: Derivable,
  allowed: RecordRules["proofs"],
): boolean {
  const methods = proofRecords(connection, allowed, config).map(({ method }) => method);
  return methods.length === 1 && methods[0] === "delegation";
}

/** Null when it cannot be said now what they are: the connection then keeps the ones it has. */
export async function currentRecords(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<RequestedRecords | null> {
  if (connection.state === "archived") return null;
  const application = await runtime.applications.load(connection.applicationId);
  if (application === null) return null;
  const template = application.recordTemplate;
  const zone = connection.zone ?? (await zoneFor(runtime, connection, template, signal));
  if (zone === unknownZone) return null;
  try {
    const records = deriveRecords(runtime.config, application, { ...connection, zone });
    return requestedRecords(connection, { zone, records });
  } catch (error) {
    // The template was changed to one that has no valid records for this name.
    if (!(error instanceof AppError)) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "record template does not apply");
    return null;
  }
}

const unknownZone = Symbol("unknown zone");

/** Only the default records of a subdomain depend on where its zone begins. */
async function zoneFor(
  runtime: Runtime,
  connection: Connection,
  template: readonly TemplateRecord[],
  signal: AbortSignal,
): Promise<string | null | typeof unknownZone> {
  if (template.length > 0 || connection.kind === "apex") return null;
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const found = await findKnownZone(runtime, resolver, connection.hostname, signal);
  if (found.outcome === "found") return found.zone;
  return found.outcome === "unregistered" ? null : unknownZone;
}

/**
 * Whether what DNS has at the hostname resolves to an edge: the present one, or one that the
 * confirmed records name and that still has an address. `checks` are those of the old and of the
 * new records.
 */
export async function resolvesToAnEdge(
  runtime: Pick<Runtime, "dns" | "config">,
  connection: Connection,
  checks: readonly RecordCheck[],
  signal: AbortSignal,
): Promise<boolean | null> {
  const { hostname, environment, desiredRecords: confirmed } = connection;
  const { edgeCname, edgeIpv4, edgeIpv6 } = runtime.config;
  const old = trafficTargets(hostname, confirmed);
  const accepted = acceptedNames(edgeCname, connection);
  const names = [...new Set([...accepted, ...old.names])];
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const resolved = await Promise.all(
    names.map((name) => resolveAddresses(resolver, name, signal).catch(() => null)),
  );
  signal.throwIfAborted();
  // A name without any address resolves to nothing. The sandbox knows only the present edge's name.
  const isAlive = (index: number) =>
    isSandboxName(hostname) || resolved[index] === null || (resolved[index]?.length ?? 0) > 0;
  return resolvesToEdge(
    hostname,
    checks,
    new Set([
      ...names.filter((_name, index) => isAlive(index)),
      ...edgeIpv4,
      ...edgeIpv6,
      ...old.addresses,
      ...resolved.flatMap((addresses) => addresses ?? []),
    ]),
  );
}
