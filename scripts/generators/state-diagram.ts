import {
  type Connection,
  type ConnectionState,
  connectionStates,
} from "../../packages/control/src/domain/connections/connection.ts";
import { decide } from "../../packages/control/src/domain/connections/lifecycle.ts";
import type {
  ClaimState,
  Observation,
} from "../../packages/control/src/domain/connections/observation.ts";

/** Middle of the box, and how it is drawn. */
type BoxPosition = readonly [x: number, y: number, kind?: "good" | "bad"];

const positions: Readonly<Record<ConnectionState, BoxPosition>> = {
  created: [190, 34],
  pending_ownership: [190, 124],
  verifying: [450, 124],
  verified: [190, 214],
  dns_writing: [450, 264],
  propagating: [190, 314],
  stalled: [450, 364, "bad"],
  issuing_cert: [190, 414],
  live: [190, 514, "good"],
  drifted: [450, 514, "bad"],
  failed: [110, 634, "bad"],
  archived: [450, 634],
};
const box = { width: 150, height: 34 } as const;

interface Arrow {
  readonly path: string;
  readonly label: string;
  readonly at: readonly [x: number, y: number];
}

const arrows: Readonly<Partial<Record<Transition, Arrow>>> = {
  "created → pending_ownership": { path: "M190 51V107", label: "at once", at: [198, 83] },
  "pending_ownership → verifying": {
    path: "M265 117H375",
    label: "some servers",
    at: [280, 109],
  },
  "verifying → pending_ownership": { path: "M375 131H265", label: "removed", at: [288, 147] },
  "pending_ownership → verified": { path: "M190 141V197", label: "on all servers", at: [198, 173] },
  "verifying → verified": { path: "M450 141V205H265", label: "on all servers", at: [346, 196] },
  "verified → propagating": { path: "M190 231V297", label: "by hand", at: [198, 287] },
  "verified → dns_writing": {
    path: "M265 223H420V247",
    label: "with a credential",
    at: [300, 239],
  },
  "dns_writing → propagating": {
    path: "M375 264H330V306H265",
    label: "written, or refused",
    at: [336, 299],
  },
  "propagating → stalled": { path: "M265 322H450V347", label: "after 30 min", at: [346, 339] },
  "propagating → issuing_cert": { path: "M190 331V397", label: "records found", at: [198, 369] },
  "stalled → issuing_cert": { path: "M450 381V414H265", label: "records found", at: [346, 406] },
  "issuing_cert → live": { path: "M190 431V497", label: "certificate in place", at: [198, 469] },
  "live → drifted": { path: "M265 507H375", label: "changed twice", at: [276, 499] },
  "drifted → live": { path: "M375 521H265", label: "right again", at: [288, 537] },
};

/** One line for all of these: each ends in `failed` when its phase takes too long. */
const givingUp: readonly ConnectionState[] = [
  "pending_ownership",
  "verifying",
  "verified",
  "dns_writing",
  "propagating",
  "stalled",
  "issuing_cert",
];
const again: readonly ConnectionState[] = ["pending_ownership", "verifying", "verified"];

/**
 * The states of a connection as a picture. The transitions come from the rules: one that is drawn
 * and does not exist, or exists and is not drawn, is an error.
 */
export function stateDiagram(): string {
  requireSame(transitions(), drawn());
  return [
    '<svg class="states" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 700" width="560" height="700" role="img" aria-labelledby="states-title" font-family="system-ui, sans-serif" font-size="13">',
    '<title id="states-title">The states of a connection and the ways between them</title>',
    '<defs><marker id="states-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8Z" fill="#556370"/></marker></defs>',
    '<rect class="ground" width="560" height="700" fill="#fff"/>',
    ...Object.values(arrows).map(arrow),
    arrow({ path: "M86 107H70V431H86M70 431V617", label: "too long: 72 h", at: [78, 560] }),
    arrow({ path: "M35 634H22V124H115", label: "verify again", at: [30, 100] }),
    arrow({ path: "M450 531V617", label: "taken over", at: [458, 578] }),
    '<text class="note" x="450" y="672" text-anchor="middle" fill="#556370">from every state: deleted</text>',
    ...connectionStates.map(stateBox),
    "</svg>",
    "",
  ].join("\n");
}

function drawn(): ReadonlySet<string> {
  return new Set([
    ...Object.keys(arrows),
    ...givingUp.map((state) => `${state} → failed`),
    ...again.map((state) => `failed → ${state}`),
  ]);
}

function requireSame(real: ReadonlySet<string>, picture: ReadonlySet<string>): void {
  const missing = [...real].filter((one) => !picture.has(one)).map((one) => `not drawn: ${one}`);
  const invented = [...picture]
    .filter((one) => !real.has(one))
    .map((one) => `drawn, but there is no rule for it: ${one}`);
  const problems = [...missing, ...invented];
  if (problems.length > 0) throw new Error(`the state diagram: ${problems.join("; ")}`);
}

function arrow({ path, label, at: [x, y] }: Arrow): string {
  return [
    `<path class="edge" d="${path}" fill="none" stroke="#556370" stroke-width="1.4" marker-end="url(#states-head)"/>`,
    `<text class="note" x="${x}" y="${y}" fill="#556370">${label}</text>`,
  ].join("");
}

function stateBox(state: ConnectionState): string {
  const [x, y, kind = ""] = positions[state];
  const { width, height } = box;
  const stroke = kind === "good" ? "#0b6577" : kind === "bad" ? "#8a5a00" : "#556370";
  return [
    `<rect class="box ${kind}" x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="6" fill="#f6f8f9" stroke="${stroke}" stroke-width="1.4"/>`,
    `<text x="${x}" y="${y + 4.5}" text-anchor="middle" fill="#17212b">${state}</text>`,
  ].join("");
}

type Transition = `${ConnectionState} → ${ConnectionState}`;

const hour = 3_600_000;
const start = new Date(0);
const settings = {
  recheckIntervalMs: hour,
  stallAfterMs: hour,
  giveUpAfterMs: 72 * hour,
  contestAfterMs: 259_200_000,
  contestRestMs: 604_800_000,
  isSandbox: false,
  hasExternalEdge: false,
} as const;

const certificate = {
  ca: "CA",
  notAfter: new Date(90 * 24 * hour),
  errorCode: null,
  nextAttemptAt: null,
  issueId: "00000000-0000-7000-8000-000000000009",
  epoch: 1,
} as const;

/** Every value that an observation can have. */
const axes: { readonly [K in keyof Observation]: readonly Observation[K][] } = {
  ownership: [
    null,
    ...(["match", "partial", "mismatch", "absent", "unknown"] as const).map((outcome) => ({
      outcome,
      error: null,
    })),
  ],
  // A contest moves a state as a drifted holder does.
  rival: [null],
  // A change of the desired records moves no state.
  requested: [null],
  moving: [null],
  records: [
    null,
    ...(["match", "wrong", "unknown"] as const).map((outcome) => ({
      outcome,
      error: null,
      observed: [],
      cachedUntil: null,
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
  credential: [null, "usable", "refused", "none"],
  silence: [null],
  validation: [null],
  cutover: [null],
  front: [null],
};
const claims: readonly ClaimState[] = ["free", "own", "held", "drifted"];
const ages = [0, 2 * hour, 73 * hour];

/** Every change of state that the rules make, found by deciding on every possible observation. */
function transitions(): ReadonlySet<Transition> {
  const found = new Set<Transition>();
  const observations = everyObservation();
  for (const state of connectionStates) {
    for (const observation of observations) {
      for (const claim of claims) {
        for (const age of ages) {
          const next = decide(connection(state), observation, claim, new Date(age), settings).state;
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
                rival: null,
                requested: null,
                moving: null,
                records: b,
                caa: c,
                certificate: d,
                probe: e,
                write: f,
                credential: g,
                silence: null,
                validation: null,
                cutover: null,
                front: null,
              })),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A connection after one miss, so that a second miss is decided too. */
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
    zone: null,
    desiredRecords: [],
    pendingRecords: null,
    observedRecords: [],
    phaseStartedAt: start,
    checks: 0,
    misses: 1,
    firstMissAt: start,
    contest: null,
    redirectTo: null,
    originUrl: null,
    originHostHeader: null,
    edge: null,
    customerRef: null,
    validationLabel: null,
    targetLabel: null,
    pointsToTarget: false,
    ownership: null,
    validationStatus: null,
    cutover: null,
    front: null,
    firstLiveAt: null,
    lastCheckedAt: null,
    certificateId: null,
    sequence: 0,
    version: 0,
    createdAt: start,
    archivedAt: null,
  };
}
