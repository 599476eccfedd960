import { requestRecheck } from "../../db/queries/connections/due-connections.ts";
import {
  type FoundShareLink,
  findShareLink,
  insertShareLink,
  sweepShareLinks,
} from "../../db/queries/connections/share-links.ts";
import { type Connection, connectionPhase } from "../../domain/connections/connection.ts";
import { awaitsSwitch, isPreparing } from "../../domain/connections/cutover.ts";
import { type Diagnosis, forCustomer } from "../../domain/diagnosis/diagnose.ts";
import { type DnsHost, findDnsHost } from "../../domain/diagnosis/finding-text.ts";
import type { WidgetActor } from "../../domain/tenancy.ts";
import { diagnoseNow } from "../connections/diagnosis/get.ts";
import { findPartner } from "../connections/partner.ts";
import { requireConnection } from "../connections/read.ts";
import { audit, createContext, type ServiceContext } from "../context.ts";
import { createExpiringCache } from "../expiring-cache.ts";
import type { Runtime } from "../runtime.ts";
import { type ShareBrand, shareBrand } from "./brand.ts";
import { offeredRecord, type SharedRecord, sharedRecords } from "./records.ts";
import { addRemovalLink, createRemovals, type RemovalRequest } from "./removal.ts";
import { hashLinkToken, newLinkToken } from "./tokens.ts";

const lifetimeMs = 7 * 86_400_000;
/** A widget may create links without limit; above this number the oldest ones are removed early. */
const linksPerConnection = 20;

export type { FoundShareLink };

export interface NewShareLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/**
 * Creates a link to the connection's page, for the person who manages the domain's DNS; of an
 * archived one to the page that asks to remove what it left there.
 */
export async function shareConnection(ctx: ServiceContext, id: string): Promise<NewShareLink> {
  const { token, tokenHash } = newLinkToken();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  return ctx.write(async (tx) => {
    const connection = await requireConnection(ctx, tx, id);
    const link = { tokenHash, connectionId: connection.id, createdAt, expiresAt };
    if (connection.state === "archived") {
      await addRemovalLink(ctx, tx, connection, { link, retained: linksPerConnection });
    } else await insertShareLink(tx, ctx.actor, link, linksPerConnection);
    await audit(ctx, tx, "connection.share", connection.id);
    return { url: `${ctx.runtime.config.baseUrl}/share/${token}`, expiresAt };
  });
}

/** What the page shows: a connection, and of a pair both, the one that visitors stay on first. */
export interface SharedConnection {
  readonly brand: ShareBrand;
  readonly parts: readonly [SharedPart, ...SharedPart[]];
  readonly expiresAt: Date;
}

/** One connection's records, what DNS answers for them, and the diagnosis. */
export interface SharedPart {
  readonly connection: Connection;
  readonly dnsHost: DnsHost;
  readonly records: readonly SharedRecord[];
  /** What proves the name before it is switched; nothing waits for it. */
  readonly offered: SharedRecord | null;
  readonly diagnosis: Diagnosis;
}

export interface Shares {
  /** Null for a token that is unknown or has expired. */
  find(token: string): Promise<FoundShareLink | null>;
  /** Whether a check of the last moments answers for it. */
  isRecent(link: FoundShareLink): boolean;
  read(link: FoundShareLink): Promise<SharedConnection>;
  /** The same of links to what an archived connection left behind. */
  findRemoval(token: string): Promise<FoundShareLink | null>;
  readRemoval(link: FoundShareLink): Promise<RemovalRequest | null>;
}

/** Readers of one page share the result of a check for this long. */
const freshMs = 5_000;
const timeoutMs = 12_000;
const maxEntries = 1_000;

type CheckedConnection = Omit<SharedConnection, "expiresAt">;

export function createShares(runtime: Runtime): Shares {
  const removals = createRemovals(runtime);
  const recent = createExpiringCache<Promise<CheckedConnection>>({
    maxEntries,
    nowMs: () => performance.now(),
  });

  const checkShared = (link: FoundShareLink): Promise<CheckedConnection> => {
    const known = recent.get(link.connectionId);
    if (known !== undefined) return known;
    const check = checkConnection(runtime, link);
    recent.set(link.connectionId, check, freshMs);
    // A failed check is not cached: the next reader starts another.
    check.catch(() => recent.set(link.connectionId, check, 0));
    return check;
  };

  return {
    async find(token) {
      const hash = hashLinkToken(token);
      return hash && findShareLink(runtime.database, hash, runtime.clock.now());
    },
    isRecent: ({ connectionId }) => recent.get(connectionId) !== undefined,
    read: async (link) => ({ ...(await checkShared(link)), expiresAt: link.expiresAt }),
    async findRemoval(token) {
      const hash = hashLinkToken(token);
      return hash && removals.find(hash);
    },
    readRemoval: (link) => removals.read(createContext(runtime, toReader(link), timeoutMs), link),
  };
}

async function checkConnection(runtime: Runtime, link: FoundShareLink): Promise<CheckedConnection> {
  const ctx = createContext(runtime, toReader(link), timeoutMs);
  const partner = await ctx.read(async (tx) =>
    findPartner(ctx, tx, await requireConnection(ctx, tx, link.connectionId)),
  );
  const first = await checkPart(ctx, link.connectionId);
  const { brand } = first;
  if (partner === null) return { brand, parts: [first.part] };
  const { part: second } = await checkPart(ctx, partner.id);
  const isMain = first.part.connection.redirectTo === null;
  return { brand, parts: asOne(isMain ? [first.part, second] : [second, first.part]) };
}

/** While either of a pair is prepared, neither has a record that visitors follow. */
function asOne([main, other]: readonly [SharedPart, SharedPart]): readonly [
  SharedPart,
  SharedPart,
] {
  const parts = [main, other] as const;
  if (!parts.some(({ connection }) => isPreparing(connection))) return parts;
  const quiet = (part: SharedPart): SharedPart =>
    awaitsSwitch(part.connection)
      ? {
          ...part,
          records: part.records.filter(
            ({ purpose }) => purpose !== "traffic" && purpose !== "both",
          ),
        }
      : part;
  return [quiet(main), quiet(other)];
}

async function checkPart(
  ctx: ServiceContext,
  id: string,
): Promise<{ readonly brand: ShareBrand; readonly part: SharedPart }> {
  const { runtime } = ctx;
  const { facts, diagnosis } = await diagnoseNow(ctx, id);
  const records = sharedRecords(facts);
  const { connection } = facts;
  // The reader sees the records in place, so the worker checks now instead of at its next interval.
  if (isComplete(connection, records)) {
    await runtime.system((tx) => requestRecheck(tx, connection.id, runtime.clock.now()));
  }
  return {
    brand: shareBrand(facts.application),
    part: {
      connection,
      dnsHost: findDnsHost(facts),
      records,
      offered: offeredRecord(facts),
      diagnosis: forCustomer(diagnosis),
    },
  };
}

/** The bearer of a link may read one connection and its partner of a pair, and change nothing. */
function toReader(link: FoundShareLink): WidgetActor {
  return {
    kind: "widget",
    tenantId: link.tenantId,
    environment: link.environment,
    applicationId: link.applicationId,
    keyId: link.connectionId,
    tokenId: link.connectionId,
    domain: link.hostname,
    customerRef: link.customerRef,
    scopes: ["connections:read"],
    allowedOrigins: [],
    isSuspended: false,
  };
}

/** Whether all records that the connection's phase waits for are in DNS. */
function isComplete(connection: Connection, records: readonly SharedRecord[]): boolean {
  const { state } = connection;
  const phase = connectionPhase(state);
  if (phase === "ownership" || phase === "propagation") {
    const waiting = records.filter(
      ({ purpose }) => (purpose === "ownership") === (phase === "ownership"),
    );
    // Without a record of its own ownership is proven by the others.
    const proving = waiting.length > 0 ? waiting : records;
    return proving.every(({ status }) => status === "found");
  }
  const isAwaited = state === "drifted" || connection.pendingRecords !== null;
  return isAwaited && records.every(({ status }) => status === "found" || status === "proven");
}

const sweepBatch = 1_000;

/** Deletes expired links, in batches. */
export async function sweepShares(runtime: Runtime): Promise<void> {
  const sweep = () =>
    runtime.transaction((tx) => sweepShareLinks(tx, runtime.clock.now(), sweepBatch));
  while ((await sweep()) === sweepBatch);
}
