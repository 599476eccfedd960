import { requestRecheck } from "../../db/queries/due-connections.ts";
import { type FoundShareLink, findShareLink } from "../../db/queries/share-links.ts";
import { type Connection, phaseOf } from "../../domain/connection.ts";
import { type Diagnosis, diagnose } from "../../domain/diagnosis/diagnose.ts";
import type { Finding } from "../../domain/diagnosis/finding.ts";
import { type Place, placeOf } from "../../domain/diagnosis/finding-text.ts";
import type { WidgetActor } from "../../domain/tenancy.ts";
import { gatherFacts } from "../connections/diagnosis/get.ts";
import { createContext } from "../context.ts";
import { createExpiringCache } from "../domains/expiring-cache.ts";
import type { Runtime } from "../runtime.ts";
import { type SharedRecord, sharedRecords } from "./shared-record.ts";
import { hashShareToken } from "./token.ts";

/** What the page shows: one connection's records, what DNS has of them, and what is the matter. */
export interface SharedConnection {
  readonly connection: Connection;
  readonly place: Place;
  readonly records: readonly SharedRecord[];
  readonly diagnosis: Diagnosis;
  readonly expiresAt: Date;
}

export interface Shares {
  /** Null for a link that is not, or no longer, one. */
  open(token: string): Promise<SharedConnection | null>;
}

/** Readers of one page share a look for this long, however often they ask. */
const freshMs = 5_000;
const timeoutMs = 12_000;
const maxEntries = 1_000;

type Look = Omit<SharedConnection, "expiresAt">;

export function createShares(runtime: Runtime): Shares {
  const recent = createExpiringCache<Promise<Look>>({ maxEntries, nowMs: () => performance.now() });

  const lookAt = (link: FoundShareLink): Promise<Look> => {
    const known = recent.get(link.connectionId);
    if (known !== undefined) return known;
    const begun = look(runtime, link);
    recent.set(link.connectionId, begun, freshMs);
    // What failed is tried again by the next reader.
    begun.catch(() => recent.set(link.connectionId, begun, 0));
    return begun;
  };

  return {
    async open(token) {
      const hash = hashShareToken(token);
      if (hash === null) return null;
      const link = await findShareLink(runtime.database, hash, runtime.clock.now());
      if (link === null) return null;
      return { ...(await lookAt(link)), expiresAt: link.expiresAt };
    },
  };
}

async function look(runtime: Runtime, link: FoundShareLink): Promise<Look> {
  const facts = await gatherFacts(
    createContext(runtime, readerOf(link), timeoutMs),
    link.connectionId,
  );
  const records = sharedRecords(facts);
  const { connection } = facts;
  // The reader sees the records in place: the service looks now, instead of at its next turn.
  if (isComplete(connection, records)) {
    await runtime.system((tx) => requestRecheck(tx, connection.id, runtime.clock.now()));
  }
  const diagnosis = diagnose(facts);
  return {
    connection,
    place: placeOf(facts),
    records,
    diagnosis: { ...diagnosis, findings: diagnosis.findings.map(forReader) },
  };
}

/** Whoever has the link reaches exactly one connection, and only to read. */
function readerOf(link: FoundShareLink): WidgetActor {
  return {
    kind: "widget",
    tenantId: link.tenantId,
    environment: link.environment,
    applicationId: link.applicationId,
    keyId: link.connectionId,
    tokenId: link.connectionId,
    domain: link.hostname,
    scopes: ["connections:read"],
    allowedOrigins: [],
  };
}

/** Everything that the connection's phase waits for is there. */
function isComplete({ state }: Connection, records: readonly SharedRecord[]): boolean {
  const awaited = { ownership: "ownership", propagation: "traffic" } as const;
  const phase = phaseOf(state);
  if (phase !== "ownership" && phase !== "propagation")
    return state === "drifted" && isAll("found");
  return records
    .filter(({ purpose }) => purpose === awaited[phase])
    .every(({ status }) => status === "found");

  function isAll(wanted: SharedRecord["status"]): boolean {
    return records.every(({ status }) => status === wanted);
  }
}

/** What others must do is no business of the reader's, and may tell of the tenant's servers. */
function forReader(finding: Finding): Finding {
  if (finding.actor === "end_customer" || finding.actor === "wait") return finding;
  return {
    ...finding,
    evidence: [],
    fix: "Nothing for you to do: whoever sent you this link has to act.",
  };
}
