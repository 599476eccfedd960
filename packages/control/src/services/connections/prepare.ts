import { randomBytes } from "node:crypto";
import { splitHostname } from "@mooring/dns";
import type { Application } from "../../domain/application.ts";
import type { Connection } from "../../domain/connection.ts";
import { desiredRecords } from "../../domain/desired-records.ts";
import { notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import type { ServiceContext } from "../context.ts";
import { detectForCreate } from "../domains/detect.ts";
import { requireBoundDomain, requireHostname } from "../domains/hostname.ts";

/** A connection as it would be created: hostname checked, provider detected, records worked out. */
export async function prepareConnection(
  ctx: ServiceContext,
  application: Application,
  spelling: string,
): Promise<Connection> {
  const { actor, runtime } = ctx;
  if (actor.kind === "widget" && actor.applicationId !== application.id) {
    throw notFound("application");
  }
  const hostname = requireHostname(runtime.config, actor.environment, spelling, "hostname");
  requireBoundDomain(actor, hostname);
  const found = await detectForCreate(
    runtime,
    actor.environment,
    hostname,
    ctx.signal,
    application.recordTemplate,
    application.id,
  );
  const now = ctx.now();
  const id = newId(now);
  const { registrableDomain, subdomain, kind } = splitHostname(hostname);
  const { edgeCname, edgeIpv4, edgeIpv6 } = runtime.config;
  return {
    id,
    tenantId: actor.tenantId,
    environment: actor.environment,
    applicationId: application.id,
    hostname,
    registrableDomain,
    kind,
    setupType: found.setupType,
    state: "pending_ownership",
    provider: found.provider,
    batchId: null,
    errorCode: null,
    challenge: newChallenge(),
    mayUseCredentials: actor.kind === "key" || actor.domain === hostname,
    desiredRecords: desiredRecords(
      application.recordTemplate,
      {
        hostname,
        apex: registrableDomain,
        subdomain: subdomain ?? "",
        kind,
        connectionId: id,
        zone: found.zone,
      },
      { cname: edgeCname, ipv4: edgeIpv4, ipv6: edgeIpv6 },
      found.manifest,
    ),
    observedRecords: [],
    phaseStartedAt: now,
    checks: 0,
    misses: 0,
    firstMissAt: null,
    firstLiveAt: null,
    lastCheckedAt: null,
    certificateId: null,
    sequence: 1,
    version: 0,
    createdAt: now,
    archivedAt: null,
  };
}

/** 256 random bits, fresh for every connection: an old record never proves a new one. */
function newChallenge(): string {
  return `service-verify=${randomBytes(32).toString("base64url")}`;
}
