import {
  type Connection,
  type ConnectionState,
  connectionStates,
} from "../../packages/control/src/domain/connection.ts";
import { decide } from "../../packages/control/src/domain/lifecycle.ts";
import type { ClaimState, Observation } from "../../packages/control/src/domain/observation.ts";

export type Transition = `${ConnectionState} → ${ConnectionState}`;

const hour = 3_600_000;
const start = new Date(0);
const settings = {
  recheckIntervalMs: hour,
  stallAfterMs: hour,
  giveUpAfterMs: 72 * hour,
  isSandbox: false,
  hasExternalEdge: false,
} as const;

const certificate = {
  ca: "CA",
  notAfter: new Date(90 * 24 * hour),
  errorCode: null,
  issueId: "00000000-0000-7000-8000-000000000009",
  epoch: 1,
} as const;

/** Every kind of fact that a look can bring. */
const axes: { readonly [K in keyof Observation]: readonly Observation[K][] } = {
  ownership: [
    null,
    ...(["match", "partial", "mismatch", "absent", "unknown"] as const).map((outcome) => ({
      outcome,
      error: null,
    })),
  ],
  records: [
    null,
    ...(["match", "wrong", "unknown"] as const).map((outcome) => ({
      outcome,
      error: null,
      observed: [],
    })),
  ],
  caa: [null, "allowed", "forbidden", "unknown"],
  certificate: [
    null,
    { ...certificate, status: "issued" },
    { ...certificate, status: "failed", issueId: null, errorCode: "certificate_failed" },
  ],
  probe: [null],
  write: [
    null,
    { outcome: "written" },
    { outcome: "refused", error: "provider_auth" },
    { outcome: "later", error: "provider_unavailable", retryAfterMs: 1 },
  ],
  credential: [null, "usable", "none"],
};
const claims: readonly ClaimState[] = ["free", "own", "held", "drifted"];
const ages = [0, 2 * hour, 73 * hour];

/** Every change of state that the rules make, found by asking them about everything that can be seen. */
export function transitions(): ReadonlySet<Transition> {
  const found = new Set<Transition>();
  const observations = everyObservation();
  for (const state of connectionStates) {
    for (const seen of observations) {
      for (const claim of claims) {
        for (const age of ages) {
          const next = decide(connection(state), seen, claim, new Date(age), settings).state;
          if (next !== state) found.add(`${state} → ${next}`);
        }
      }
    }
  }
  return found;
}

function everyObservation(): readonly Observation[] {
  const { ownership, records, caa, certificate: certificates, probe, write, credential } = axes;
  return ownership.flatMap((a) =>
    records.flatMap((b) =>
      caa.flatMap((c) =>
        certificates.flatMap((d) =>
          probe.flatMap((e) =>
            write.flatMap((f) =>
              credential.map((g) => ({
                ownership: a,
                records: b,
                caa: c,
                certificate: d,
                probe: e,
                write: f,
                credential: g,
              })),
            ),
          ),
        ),
      ),
    ),
  );
}

/** As it is after one miss, so that a second one can be seen to count. */
function connection(state: ConnectionState): Connection {
  const id = "00000000-0000-7000-8000-000000000001";
  return {
    id,
    tenantId: id,
    applicationId: id,
    environment: "live",
    hostname: "shop.acme.example",
    registrableDomain: "acme.example",
    kind: "subdomain",
    setupType: "manual",
    state,
    provider: null,
    batchId: null,
    errorCode: null,
    challenge: "",
    mayUseCredentials: true,
    desiredRecords: [],
    observedRecords: [],
    phaseStartedAt: start,
    checks: 0,
    misses: 1,
    firstMissAt: start,
    firstLiveAt: null,
    lastCheckedAt: null,
    certificateId: null,
    sequence: 0,
    version: 0,
    createdAt: start,
    archivedAt: null,
  };
}
