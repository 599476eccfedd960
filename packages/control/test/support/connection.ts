import type { Connection } from "../../src/domain/connection.ts";

/** A connection that waits for its ownership record; tests override what they need. */
export function testConnection(overrides: Partial<Connection> = {}): Connection {
  const at = new Date("2026-11-15T00:00:00.000Z");
  return {
    id: "00000000-0000-7000-8000-000000000001",
    tenantId: "00000000-0000-7000-8000-000000000002",
    environment: "live",
    applicationId: "00000000-0000-7000-8000-000000000003",
    hostname: "shop.acme.example",
    registrableDomain: "acme.example",
    kind: "subdomain",
    setupType: "manual",
    state: "pending_ownership",
    provider: null,
    batchId: null,
    errorCode: null,
    challenge: "service-verify=test",
    mayUseCredentials: true,
    zone: null,
    desiredRecords: [],
    pendingRecords: null,
    observedRecords: [],
    phaseStartedAt: at,
    checks: 0,
    misses: 0,
    firstMissAt: null,
    contest: null,
    redirectTo: null,
    originUrl: null,
    originHostHeader: null,
    customerRef: null,
    firstLiveAt: null,
    lastCheckedAt: null,
    certificateId: null,
    sequence: 0,
    version: 0,
    createdAt: at,
    archivedAt: null,
    ...overrides,
  };
}
